// The map with its controls, its legend, and the same words as a list.
import { ApiError, type Coded, type Neighbour, type WordMap } from "./api.ts";
import { hrefOf, nameOf, wordLink, type Context } from "./context.ts";
import { coloured } from "./digits.ts";
import { h, quiet, toolbar } from "./dom.ts";
import { count, percent } from "./format.ts";
import { MapView } from "./mapview.ts";
import { Panel } from "./panel.ts";

const listed = 60;
// With more values the legend would be longer than the map; the word's own is added.
const legendMost = 64;

export class MapPanel {
  private panel = new Panel("map", "Map");
  private choice = h("select", { id: "map-digit", onchange: () => this.choose(Number(this.choice.value)) });
  private canvas = h("canvas", {
    class: "plane",
    tabindex: "0",
    role: "application",
    "aria-roledescription": "map",
    "aria-label": "Map of the words. Arrow keys move, plus and minus zoom, 0 shows all, Enter goes to the word in the middle. The list below has the same words.",
  });
  private tip = h("div", { class: "tip", hidden: true });
  private hint = h("div", { class: "hint", hidden: true }, "Ctrl and wheel zoom; or click the map first");
  private legend = h("div");
  private list = h("ul", { class: "inview" });
  private details = h("details", {}, h("summary", {}, "The words in view, as a list"), this.list);
  private note = h("p", { class: "note" });
  private about = h("p", { class: "note" });
  private view: MapView;
  private context: Context | null = null;
  private map: WordMap | null = null;
  private place = new Map<number, number>(); // id → point
  private values = new Map<number, number[]>(); // digit → value of each point
  private digit = 0;
  private word: Coded | null = null;
  private near: Neighbour[] = [];

  constructor(private chosen: (digit: number) => void) {
    const button = (label: string, text: string, act: () => void) =>
      h("button", { type: "button", class: "small square", "aria-label": label, title: label, onclick: act }, text);
    this.panel.tools.append(h("label", { for: "map-digit" }, "Colour by digit "), this.choice);
    this.details.addEventListener("toggle", () => this.fillList());
    const zoom = h(
      "div",
      { class: "zoom" },
      button("Zoom in", "+", () => this.view.zoomBy(1.8)),
      button("Zoom out", "−", () => this.view.zoomBy(1 / 1.8)),
      button("Show all", "⤢", () => this.view.reset()),
      button("Show the word and its neighbours", "◎", () => this.view.closeUp()),
    );
    this.panel.set(h("div", { class: "frame" }, this.canvas, this.tip, this.hint, zoom), this.note, this.legend, this.details, this.about);
    this.view = new MapView(this.canvas, this.tip, {
      go: (i) => (location.hash = hrefOf(this.context!.table.name, this.wordAt(i))),
      moved: quiet(150, () => this.fillList()),
      wheel: () => this.showHint(),
    });
  }

  setTable(context: Context): void {
    this.context = context;
    this.word = null;
    this.near = [];
    this.digit = 0;
    this.map = null;
    this.values.clear();
    this.place.clear();
    this.note.textContent = "";
    this.view.setPoints({ x: new Float32Array(0), y: new Float32Array(0), labels: [] });
    this.choice.replaceChildren(
      ...Array.from({ length: context.table.code_length }, (_, j) => h("option", { value: j }, String(j + 1))),
    );
    this.drawLegend();
    void this.load();
  }

  /** Colours the map by a digit. */
  choose(digit: number): void {
    this.digit = digit;
    this.choice.value = String(digit);
    this.view.setOnly(-1);
    this.drawLegend();
    this.chosen(digit);
    void this.load();
  }

  setWord(word: Coded | null): void {
    this.word = word;
    this.near = [];
    this.mark();
    if (this.context!.table.ways > legendMost) {
      this.view.setOnly(-1);
      this.drawLegend();
    }
  }

  setNear(near: Neighbour[]): void {
    this.near = near;
    this.view.setNear(this.points(near));
  }

  private points(words: Neighbour[]): number[] {
    return words.map((word) => this.place.get(word.id) ?? -1).filter((i) => i >= 0);
  }

  private mark(): void {
    const at = this.word ? (this.place.get(this.word.id) ?? -1) : -1;
    this.view.setChosen(at);
    this.view.setNear(this.points(this.near));
    const absent = this.word && this.map && at < 0;
    this.note.textContent = absent
      ? `${nameOf(this.word!)} is not on the map: it shows the first ${count(this.map!.ids.length)}.`
      : "";
  }

  private async load(): Promise<void> {
    const { context, digit } = this;
    if (!context) return;
    const { api, table, signal } = context;
    try {
      if (!this.values.has(digit)) {
        this.panel.root.setAttribute("aria-busy", "true");
        const map = await api.map(table.name, digit, signal);
        for (const { digit: j, values } of map.digits) this.values.set(j, values);
        if (!this.map) this.setMap(map);
      }
    } catch (err) {
      if (signal.aborted) return;
      this.note.replaceChildren(
        err instanceof Error ? err.message : String(err),
        " ",
        h("button", { type: "button", class: "small", onclick: () => void this.load() }, "Try again"),
      );
      if (err instanceof ApiError && err.code === "network") dispatchEvent(new Event("kd-gone"));
      return;
    } finally {
      if (!signal.aborted) this.panel.root.removeAttribute("aria-busy");
    }
    if (this.context === context && this.digit === digit) this.view.setValues(this.values.get(digit) ?? []);
  }

  private setMap(map: WordMap): void {
    this.map = map;
    map.ids.forEach((id, i) => this.place.set(id, i));
    this.view.setPoints({
      x: Float32Array.from(map.x),
      y: Float32Array.from(map.y),
      labels: map.ids.map((_, i) => nameOf(this.wordAt(i))),
    });
    const { table } = this.context!;
    const all = map.ids.length === table.n ? "All" : "The first";
    const share = map.explained[0] + map.explained[1];
    this.about.textContent =
      `${all} ${count(map.ids.length)} of ${count(table.n)}. ${map.method.toUpperCase()} of the vectors: the plane keeps ${percent(share)} of their variance, ` +
      "so words that are near may look far, and the reverse.";
    this.mark();
    this.fillList();
  }

  private wordAt(i: number): { id: number; symbol?: string } {
    return { id: this.map!.ids[i], symbol: this.map!.symbols[i] };
  }

  private drawLegend(): void {
    const ways = this.context!.table.ways;
    const values = Array.from({ length: Math.min(ways, legendMost) }, (_, value) => value);
    const own = this.word?.code[this.digit] ?? 0;
    if (own >= legendMost) values.push(own);
    const buttons = values.map((value) =>
      coloured(
        h("button", {
          type: "button",
          class: "chip",
          "aria-pressed": "false",
          "aria-label": `value ${value} of digit ${this.digit + 1} alone`,
          title: `Show only the words whose digit ${this.digit + 1} is ${value}`,
          onclick: (event: Event) => this.toggleOnly(event.currentTarget as HTMLElement, value),
        }, String(value)),
        value,
      ),
    );
    const legend = h("div", { class: "values" }, h("span", { class: "hush" }, `Digit ${this.digit + 1}`), ...buttons);
    if (ways > legendMost) legend.append(h("span", { class: "hush" }, `of ${count(ways)}`));
    this.legend.replaceWith(toolbar(legend, "Values of the digit. Choose one to see it alone."));
    this.legend = legend;
  }

  private toggleOnly(button: HTMLElement, value: number): void {
    const on = button.getAttribute("aria-pressed") !== "true";
    for (const other of this.legend.querySelectorAll("button")) other.setAttribute("aria-pressed", "false");
    button.setAttribute("aria-pressed", String(on));
    this.legend.classList.toggle("some-only", on);
    this.view.setOnly(on ? value : -1);
  }

  private fillList(): void {
    if (!this.details.open || !this.map) return;
    const values = this.values.get(this.digit);
    this.list.replaceChildren(
      ...this.view.inView(listed).map((i) => {
        const link = wordLink(this.context!.table.name, this.wordAt(i));
        const value = values?.[i];
        return h("li", {}, value === undefined ? null : coloured(h("span", { class: "chip" }, String(value)), value), link);
      }),
    );
  }

  private hideHint = quiet(1500, () => (this.hint.hidden = true));
  private showHint(): void {
    this.hint.hidden = false;
    this.hideHint();
  }
}
