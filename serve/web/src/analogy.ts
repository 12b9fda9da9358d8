// a is to b as c is to …?
import { ApiError } from "./api.ts";
import { Combo } from "./combo.ts";
import { hrefOf, type Context } from "./context.ts";
import { h } from "./dom.ts";
import { beside, inBoth, orError, pair, rankedList } from "./neighbours.ts";
import { Panel, empty } from "./panel.ts";

const answers = 8;
const examples = [
  ["man", "king", "woman"],
  ["france", "paris", "italy"],
  ["walk", "walked", "go"],
  ["big", "bigger", "small"],
];

export class Analogy {
  private panel = new Panel("analogy", "Analogy", "The first is to the second as the third is to …");
  private fields: Combo[];
  private context: Context | null = null;
  private out = h("div", { class: "answers", "aria-live": "polite" });
  private turn = 0;

  constructor() {
    const labels = ["first", "second", "third"];
    this.fields = labels.map(
      (label, i) =>
        new Combo({
          id: `analogy-${i}`,
          label: `The ${label} word`,
          placeholder: examples[0][i],
          complete: async (q, signal) =>
            this.context?.table.has_symbols ? this.context.api.complete(this.context.table.name, q, 8, signal) : [],
          done: () => this.next(i),
        }),
    );
    const [a, b, c] = this.fields;
    const form = h(
      "form",
      { class: "analogy", onsubmit: (event: Event) => (event.preventDefault(), void this.ask()) },
      a.root,
      h("span", {}, "is to"),
      b.root,
      h("span", {}, "as"),
      c.root,
      h("span", {}, "is to …"),
      h("button", { type: "submit", class: "main" }, "Answer"),
    );
    this.panel.set(form, this.out);
  }

  setTable(context: Context): void {
    this.context = context;
    this.turn++;
    for (const field of this.fields) {
      field.input.value = "";
      field.input.inputMode = context.table.has_symbols ? "text" : "numeric";
    }
    this.fields.forEach((field, i) => (field.input.placeholder = context.table.has_symbols ? examples[0][i] : String(i)));
    this.out.replaceChildren(...(context.table.has_symbols ? [this.ideas()] : []));
  }

  private ideas(): HTMLElement {
    const buttons = examples.map((triple) =>
      h("button", { type: "button", class: "idea", onclick: () => this.fill(triple) }, triple.join(" · ")),
    );
    return h("p", { class: "ideas" }, "For instance ", ...buttons);
  }

  private fill(triple: string[]): void {
    triple.forEach((word, i) => (this.fields[i].input.value = word));
    void this.ask();
  }

  // Enter goes on to the next empty field, and asks after the last.
  private next(i: number): void {
    const gap = [...this.fields.slice(i + 1), ...this.fields.slice(0, i)].find((field) => !field.input.value.trim());
    if (gap) gap.input.focus();
    else void this.ask();
  }

  private async ask(): Promise<void> {
    const { context, fields } = this;
    if (!context) return;
    const gap = fields.find((field) => !field.input.value.trim());
    if (gap) return gap.input.focus();
    const turn = ++this.turn;
    const { api, table, signal } = context;
    const words = fields.map((field) => field.input.value.trim());
    this.out.setAttribute("aria-busy", "true");
    let shown: HTMLElement;
    try {
      if (!table.has_symbols && !words.every((word) => /^#?\d+$/.test(word)))
        throw new ApiError("bad_request", "This table has no symbols: give three ids.");
      const triple = table.has_symbols ? { symbols: words } : { ids: words.map((word) => Number(word.replace("#", ""))) };
      const [near, original] = await Promise.all([
        api.analogy(table.name, triple, answers, "codes", signal),
        table.has_original ? api.analogy(table.name, triple, answers, "original", signal).catch(orError) : null,
      ]);
      const both = inBoth(near, original);
      shown = pair(
        rankedList(table.name, near, "From the codes", both),
        beside(table.name, original, both),
      );
    } catch (err) {
      if (signal.aborted) return;
      shown = this.complaint(err);
    }
    if (turn !== this.turn) return;
    this.out.removeAttribute("aria-busy");
    this.out.replaceChildren(shown);
  }

  private complaint(err: unknown): HTMLElement {
    if (err instanceof ApiError && err.code === "network") dispatchEvent(new Event("kd-gone"));
    const said = empty(err instanceof Error ? err.message : String(err));
    if (err instanceof ApiError && err.suggestions.length && this.context) {
      const { name } = this.context.table;
      said.append(" Near spellings: ");
      err.suggestions.slice(0, 5).forEach((symbol, i) => {
        said.append(i ? ", " : "", h("a", { href: hrefOf(name, { id: 0, symbol }) }, symbol));
      });
      said.append(".");
    }
    return said;
  }
}
