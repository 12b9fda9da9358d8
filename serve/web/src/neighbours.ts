// Nearest words from the codes, beside those of the original vectors.
import { ApiError, type Asked, type Coded, type Metric, type Neighbour } from "./api.ts";
import { askFor, hasName, nameOf, wordLink, type Context } from "./context.ts";
import { agreement } from "./digits.ts";
import { h, vars } from "./dom.ts";
import { plural, score } from "./format.ts";
import { Panel, empty } from "./panel.ts";

const few = 12;
const many = 50;

export class Neighbours {
  private panel = new Panel("neighbours", "Nearest words");
  private k = few;
  private last: [Context, Coded] | null = null;
  private metric = h(
    "select",
    { "aria-label": "What near means", onchange: () => this.again() },
    h("option", { value: "cosine" }, "cosine"),
    h("option", { value: "inner" }, "inner product"),
    h("option", { value: "euclidean" }, "Euclidean distance"),
  );

  /** found is told the neighbours by the codes, for the map to show. */
  constructor(private found: (near: Neighbour[]) => void) {
    this.panel.tools.append(this.metric);
    this.clear();
  }

  clear(): void {
    this.last = null;
    this.found([]);
    this.panel.set(empty("Choose a word to see what is near it."));
  }

  show(context: Context, word: Coded): void {
    this.last = [context, word];
    this.again();
  }

  private again(): void {
    if (!this.last) return;
    const [context, word] = this.last;
    void this.panel.show((signal) => this.make(context, word, signal));
  }

  private async make(context: Context, word: Coded, signal: AbortSignal): Promise<Node[]> {
    const { api, table } = context;
    const metric = this.metric.value as Metric;
    const asked: Asked = askFor(word);
    const [near, original] = await Promise.all([
      api.neighbours(table.name, asked, this.k, metric, "codes", signal),
      table.has_original ? api.neighbours(table.name, asked, this.k, metric, "original", signal).catch(orError) : null,
    ]);
    if (signal.aborted) return [];
    this.found(near.slice(0, few));
    const codes = await codesOf(context, near, signal);
    const same = inBoth(near, original);
    const lists = pair(
      rankedList(table.name, near, "From the codes", same, (n) => {
        const code = codes.get(n.id);
        return code ? agreement(word.code, code) : null;
      }),
      beside(table.name, original, same),
    );
    const note = h("p", { class: "note" });
    if (Array.isArray(original)) note.append(`${same.size} of ${near.length} are the same, marked ●`);
    else if (!original) note.append("To compare with the original vectors, start the server with ", h("code", {}, "--original"), ".");
    const more =
      this.k === few && near.length === few && table.n > few + 1
        ? h("button", { type: "button", class: "small", onclick: () => this.grow(many) }, "Show more")
        : this.k === many
          ? h("button", { type: "button", class: "small", onclick: () => this.grow(few) }, "Show fewer")
          : null;
    return [lists, h("div", { class: "under" }, note, ...(more ? [more] : []))];
  }

  private grow(k: number): void {
    this.k = k;
    this.again();
  }
}

/** The original's list is an extra: where it fails the other one still stands. */
export function orError(err: unknown): ApiError {
  if (err instanceof ApiError && err.code !== "network") return err;
  throw err;
}

export function inBoth(near: Neighbour[], original: Neighbour[] | ApiError | null): Set<string> {
  if (!Array.isArray(original)) return new Set();
  const names = new Set(original.map(nameOf));
  return new Set(near.map(nameOf).filter((name) => names.has(name)));
}

/** The original's list, or why there is none. */
export function beside(table: string, original: Neighbour[] | ApiError | null, both: Set<string>): HTMLElement | null {
  const title = "From the original";
  if (original instanceof ApiError) return h("div", { class: "list" }, h("h3", {}, title), empty(original.message));
  return original && rankedList(table, original, title, both);
}

/** The codes of words, by id; empty where they cannot be had: they only adorn. */
async function codesOf({ api, table }: Context, words: Neighbour[], signal: AbortSignal): Promise<Map<number, number[]>> {
  if (words.length === 0) return new Map();
  try {
    const all = await api.codes(table.name, { ids: words.map((word) => word.id) }, signal);
    return new Map(all.flatMap((word) => (word ? [[word.id, word.code] as const] : [])));
  } catch {
    return new Map();
  }
}

/** One list, or two side by side. */
export function pair(left: HTMLElement, right: HTMLElement | null): HTMLElement {
  return h("div", { class: right ? "pair" : "pair alone" }, left, right);
}

/** Words with their scores; those in both are marked. */
export function rankedList(
  table: string,
  words: Neighbour[],
  title: string,
  both: Set<string>,
  extra: (word: Neighbour) => HTMLElement | null = () => null,
): HTMLElement {
  const scores = words.map((word) => word.score);
  const [hi, lo] = [Math.max(...scores), Math.min(...scores)];
  // Bars start at zero where all scores are positive, else at the least.
  const from = lo >= 0 ? 0 : lo - (hi - lo) * 0.1;
  const items = words.map((word) => {
    const shared = both.has(nameOf(word));
    const link = hasName(word) || !word.symbol ? wordLink(table, word) : h("span", {}, nameOf(word));
    return vars(
      h(
        "li",
        { class: shared ? "both" : "" },
        h("span", { class: "mark", "aria-hidden": "true" }, shared ? "●" : ""),
        h("span", { class: "who" }, link, shared ? h("span", { class: "unseen" }, ", in both lists") : null, extra(word)),
        h("span", { class: "score" }, score(word.score)),
      ),
      { "--part": hi > from ? String((word.score - from) / (hi - from)) : "0" },
    );
  });
  const body = items.length ? h("ol", { class: "ranked" }, ...items) : empty("None.");
  return h("div", { class: "list" }, h("h3", { title: plural(words.length, "word") }, title), body);
}
