// The word itself: its code, and what to do where there is none.
import { ApiError, type Coded, type Word } from "./api.ts";
import { entries, nameOf, wordLink, type Context } from "./context.ts";
import { codeGrid } from "./digits.ts";
import { byId, h } from "./dom.ts";
import { count } from "./format.ts";
import { failed } from "./panel.ts";

export class WordCard {
  private root = byId("word");
  private digit = 0;

  constructor(private choose: (digit: number) => void) {}

  show(context: Context, word: Coded): void {
    const { table } = context;
    this.fill(
      h(
        "div",
        { class: "title" },
        h("h1", { id: "word-title", tabindex: "-1" }, nameOf(word)),
        h("p", { class: "facts" }, word.symbol ? `id ${count(word.id)}` : "", about(context)),
      ),
      codeGrid(word.code, this.digit, this.choose),
      h("p", { class: "note" }, `${table.code_length} digits from 0 to ${table.ways - 1}. Choose one to colour the map by it.`),
    );
  }

  /** No word yet: say what this is, and offer some. */
  start(context: Context, ideas: Word[], surprise: () => void): void {
    const { table } = context;
    this.fill(
      h(
        "div",
        { class: "title" },
        h("h1", { id: "word-title", tabindex: "-1" }, table.name),
        h("p", { class: "facts" }, `${entries(table, table.n)}`, about(context)),
      ),
      h(
        "p",
        { class: "empty" },
        table.has_symbols
          ? "Each word is stored as a short code, and its vector is put together from the code. Type a word to see its code, or take one of these."
          : "Each entry is stored as a short code, and its vector is put together from the code. This table has no symbols: type an id, or take one of these.",
      ),
      h(
        "p",
        { class: "offers" },
        ...ideas.map((word) => wordLink(table.name, word)),
        h("button", { type: "button", class: "small", onclick: surprise }, "Any other"),
      ),
    );
  }

  unknown(context: Context, text: string, err: unknown, again: () => void): void {
    const { table } = context;
    if (!(err instanceof ApiError) || !["unknown_symbol", "unknown_id", "no_symbols", "bad_request"].includes(err.code)) {
      this.fill(h("h1", { id: "word-title", tabindex: "-1" }, text), failed(err, again));
      return;
    }
    const near = err.suggestions.map((symbol) => wordLink(table.name, { id: -1, symbol }, { title: symbol }));
    this.fill(
      h("div", { class: "title" }, h("h1", { id: "word-title", tabindex: "-1" }, text), h("p", { class: "facts" }, `not in ${table.name}`)),
      h("p", { class: "empty" }, near.length ? "The table does not have this word. It has some that are spelled nearly so:" : err.message),
      near.length ? h("p", { class: "offers" }, ...near) : h("span"),
    );
  }

  setDigit(digit: number): void {
    this.digit = digit;
    for (const cell of this.root.querySelectorAll<HTMLElement>(".digit"))
      cell.setAttribute("aria-pressed", String(Number(cell.dataset.digit) === digit));
  }

  private fill(...nodes: Node[]): void {
    this.root.replaceChildren(...nodes);
  }
}

function about({ table }: Context): HTMLElement {
  return h(
    "span",
    { class: "about" },
    `K ${table.ways} · D ${table.code_length} · d ${table.dim} · ${table.composition} · ${table.dtype}`,
  );
}
