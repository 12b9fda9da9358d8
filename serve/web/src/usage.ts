// How evenly each digit is used: a small bar chart a digit.
import type { Usage } from "./api.ts";
import type { Context } from "./context.ts";
import { h, svg, toolbar } from "./dom.ts";
import { Panel } from "./panel.ts";

export class UsagePanel {
  private panel = new Panel("usage", "Use of the digits", "How many words have each value. Even is best: no code is wasted.");
  private buttons: HTMLElement[] = [];
  private digit = 0;

  constructor(private choose: (digit: number) => void) {}

  setTable(context: Context): void {
    void this.panel.show(async () => {
      const usage = await context.api.usage(context.table.name, context.signal);
      this.buttons = usage.digits.map((_, j) => this.one(usage, j));
      this.setDigit(this.digit);
      const unused = usage.digits.reduce((sum, digit) => sum + digit.unused, 0);
      return [
        h("p", { class: "note" }, `Evenness ${usage.evenness.toFixed(3)} on average (1 is perfectly even); entropy at most ${Math.log2(usage.ways).toFixed(2)} bits. ${unused ? `${unused} values are not used.` : "Every value is used."}`),
        toolbar(h("div", { class: "usage" }, ...this.buttons), "The digits"),
      ];
    });
  }

  setDigit(digit: number): void {
    this.digit = digit;
    this.buttons.forEach((button, j) => button.setAttribute("aria-pressed", String(j === digit)));
  }

  private one(usage: Usage, j: number): HTMLElement {
    const { counts, entropy, evenness, unused } = usage.digits[j];
    const text = `Digit ${j + 1}: ${entropy.toFixed(2)} bits of entropy, evenness ${evenness.toFixed(3)}${unused ? `, ${unused} values unused` : ""}`;
    return h(
      "button",
      { type: "button", "aria-pressed": "false", "aria-label": text, title: `${text}. Colour the map by it.`, "data-digit": j, onclick: () => this.choose(j) },
      bars(counts),
      h("span", {}, h("b", {}, String(j + 1)), h("span", {}, entropy.toFixed(2))),
    );
  }
}

// All bars as one path: a thousand elements would slow the page down.
function bars(counts: number[]): SVGElement {
  const most = Math.max(1, ...counts);
  const w = 100 / counts.length;
  const path = counts
    .map((n, i) => (n ? `M${(i * w).toFixed(2)} 30h${(w * (w > 2 ? 0.78 : 1)).toFixed(2)}v${((-n / most) * 30).toFixed(2)}h${(-w * (w > 2 ? 0.78 : 1)).toFixed(2)}z` : ""))
    .join("");
  return svg("svg", { viewBox: "0 0 100 30", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("path", { d: path }));
}
