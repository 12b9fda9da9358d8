// Words by shared prefix: a tree that opens digit by digit, after the ARIA tree
// pattern. Branches are loaded when they open.
import type { Coded, Prefix } from "./api.ts";
import { entries, hrefOf, nameOf, type Context } from "./context.ts";
import { chip } from "./digits.ts";
import { h, vars } from "./dom.ts";
import { count } from "./format.ts";
import { Panel, failed } from "./panel.ts";

// Enough to name every word of a branch before it has more digits than names.
const listed = 200;
const listedFirst = 1000; // the first level has many branches to give examples of
// Opening a word's branches stops here: codes of two ways are deep.
const deepest = 16;

interface Item {
  el: HTMLElement; // the treeitem
  row: HTMLElement;
  group: HTMLElement | null; // of a branch
  digits: number[];
  word?: Coded; // of a leaf
  loaded?: Promise<void>;
}

export class Tree {
  private panel = new Panel("tree", "Words by prefix", "Codes that begin alike. Each level is one more digit.");
  private items = new WeakMap<HTMLElement, Item>();
  private tree = h("ul", { role: "tree", class: "tree", "aria-labelledby": "tree-title" });
  private note = h("p", { class: "note" });
  private context: Context | null = null;
  private current: Coded | null = null;
  private turn = 0;
  private ready: Promise<void> = Promise.resolve(); // the first level is there

  constructor() {
    this.panel.tools.append(
      h("button", { type: "button", class: "small", onclick: () => this.reset() }, "Close all"),
    );
    this.tree.addEventListener("keydown", (event) => this.key(event));
    this.tree.addEventListener("click", (event) => this.click(event));
  }

  setTable(context: Context): void {
    this.context = context;
    this.current = null;
    this.tree.replaceChildren();
    this.note.textContent = "";
    this.reset();
  }

  private reset(): void {
    const { context } = this;
    if (!context) return;
    this.turn++;
    this.ready = this.panel.show(async () => {
      const top = await context.api.prefix(context.table.name, [], 0, listedFirst, context.signal);
      this.tree.replaceChildren(...this.children(top));
      this.mark();
      this.entry();
      return [this.note, this.tree];
    });
  }

  /** Opens the branches that lead to a word, and marks it. */
  async reveal(word: Coded): Promise<void> {
    this.current = word;
    const turn = ++this.turn;
    await this.ready;
    if (turn !== this.turn) return;
    this.mark();
    this.note.textContent = "";
    let items = this.topItems();
    for (let depth = 0; depth < deepest; depth++) {
      const on = items.find((item) => !item.word && begins(word.code, item.digits));
      if (!on) break;
      await this.open(on);
      if (turn !== this.turn) return;
      items = this.below(on);
    }
    this.mark();
    this.note.textContent = this.company(items, word);
    const leaf = this.tree.querySelector<HTMLElement>('[aria-selected="true"]');
    if (leaf) {
      this.focusable(leaf);
      // Only the tree scrolls: the page stays where its reader is.
      const row = this.items.get(leaf)!.row;
      this.tree.scrollTop += row.getBoundingClientRect().top - this.tree.getBoundingClientRect().top - this.tree.clientHeight / 2;
    }
  }

  // Who else has the code. The items are those around the word.
  private company(items: Item[], word: Coded): string {
    const at = items.findIndex((item) => item.word?.id === word.id);
    if (at < 0) return "";
    const level = Number(items[at].el.getAttribute("aria-level"));
    if (level <= word.code.length) return `No other has the code of ${nameOf(word)}: it is alone after ${level === 1 ? "one digit" : `${level} digits`}.`;
    const others = Number(items[at].el.getAttribute("aria-setsize")) - 1;
    return others ? `${entries(this.context!.table, others)} more ${others === 1 ? "has" : "have"} the whole code of ${nameOf(word)}.` : `No other has the code of ${nameOf(word)}.`;
  }

  private mark(): void {
    for (const el of this.tree.querySelectorAll<HTMLElement>("[role=treeitem]")) {
      const item = this.items.get(el)!;
      const here = !!this.current && item.word?.id === this.current.id;
      if (item.word) el.setAttribute("aria-selected", String(here));
      el.classList.toggle("path", !!this.current && !item.word && begins(this.current.code, item.digits));
    }
  }

  // A branch's children: a branch for each digit in use, or the word itself
  // where the digit leaves only one; below a whole code, its words.
  private children(prefix: Prefix): HTMLElement[] {
    const { digits, next, symbols } = prefix;
    if (next.length === 0) return this.words(prefix);
    const byNext = new Map<number, Coded[]>();
    for (const word of symbols) {
      const value = word.code[digits.length];
      byNext.set(value, [...(byNext.get(value) ?? []), word]);
    }
    const used = [...next.keys()].filter((value) => next[value] > 0);
    return used.map((value, i) => {
      const known = byNext.get(value) ?? [];
      const at = { level: digits.length + 1, pos: i + 1, of: used.length };
      if (next[value] === 1 && known.length === 1) return this.leaf(known[0], at, value);
      return this.branch([...digits, value], next[value], known, at);
    });
  }

  private words(prefix: Prefix): HTMLElement[] {
    const level = prefix.digits.length + 1;
    const all = prefix.symbols.map((word, i) => this.leaf(word, { level, pos: prefix.offset + i + 1, of: prefix.count }));
    if (prefix.more) all.push(this.more(prefix, level));
    return all;
  }

  private branch(digits: number[], n: number, known: Coded[], at: Place): HTMLElement {
    const value = digits[digits.length - 1];
    const some = known.slice(0, 5).map(nameOf).join(", ");
    const row = h(
      "div",
      { class: "row" },
      h("span", { class: "twist", "aria-hidden": "true" }),
      chip(value),
      h("span", { class: "n" }, count(n)),
      h("span", { class: "some" }, some + (some && n > 5 ? " …" : "")),
    );
    const group = h("ul", { role: "group", hidden: true });
    const label = `digit ${digits.length} is ${value}, ${entries(this.context!.table, n)}${some ? ": " + some : ""}`;
    const el = h("li", { ...place(at), "aria-expanded": "false", "aria-label": label, "data-prefix": digits.join("-") }, row, group);
    return this.add({ el, row, group, digits });
  }

  private leaf(word: Coded, at: Place, value?: number): HTMLElement {
    const row = h(
      "div",
      { class: "row leaf" },
      h("span", { class: "twist", "aria-hidden": "true" }),
      value === undefined ? null : chip(value),
      // The item takes the focus, so the link is left out of the tab order.
      h("a", { href: hrefOf(this.context!.table.name, word), tabindex: "-1" }, nameOf(word)),
      value === undefined ? null : rest(word.code.slice(at.level)),
    );
    const here = word.id === this.current?.id;
    const label = nameOf(word) + (value === undefined ? "" : `, digit ${at.level} is ${value}`);
    const el = h("li", { ...place(at), "aria-selected": String(here), "aria-label": label, "data-word": nameOf(word) }, row);
    return this.add({ el, row, group: null, digits: word.code, word });
  }

  private more(prefix: Prefix, level: number): HTMLElement {
    const { context } = this;
    const from = prefix.offset + prefix.symbols.length;
    const row = h("div", { class: "row leaf" }, h("button", { type: "button", class: "small", tabindex: "-1" }, `${count(prefix.count - from)} more`));
    const el = h("li", { ...place({ level, pos: from + 1, of: prefix.count }), "aria-label": "more words" }, row);
    const item = this.add({ el, row, group: null, digits: prefix.digits });
    const load = async () => {
      try {
        const further = await context!.api.prefix(context!.table.name, prefix.digits, from, listed, context!.signal);
        const made = this.words(further);
        el.replaceWith(...made);
        this.focus(made[0]);
      } catch (err) {
        row.replaceChildren(failed(err, () => void load()));
      }
    };
    row.querySelector("button")!.addEventListener("click", () => void load());
    return item;
  }

  private add(item: Item): HTMLElement {
    vars(item.row, { "--level": String(Number(item.el.getAttribute("aria-level")) - 1) });
    this.items.set(item.el, item);
    return item.el;
  }

  private open(item: Item): Promise<void> {
    const { context } = this;
    if (!item.group || !context) return Promise.resolve();
    item.el.setAttribute("aria-expanded", "true");
    item.group.hidden = false;
    item.loaded ??= (async () => {
      item.el.setAttribute("aria-busy", "true");
      try {
        const prefix = await context.api.prefix(context.table.name, item.digits, 0, listed, context.signal);
        item.group!.replaceChildren(...this.children(prefix));
        this.mark();
      } catch (err) {
        item.loaded = undefined;
        item.group!.replaceChildren(h("li", { role: "none" }, failed(err, () => void this.open(item))));
      } finally {
        item.el.removeAttribute("aria-busy");
      }
    })();
    return item.loaded;
  }

  private shut(item: Item): void {
    item.el.setAttribute("aria-expanded", "false");
    item.group!.hidden = true;
  }

  private toggle(item: Item): void {
    if (!item.group) item.row.querySelector<HTMLElement>("a, button")?.click();
    else if (item.el.getAttribute("aria-expanded") === "true") this.shut(item);
    else void this.open(item);
  }

  private click(event: MouseEvent): void {
    const target = event.target as Element;
    const el = target.closest<HTMLElement>("[role=treeitem]");
    const item = el && this.items.get(el);
    if (!item) return;
    this.focus(el);
    if (item.group && target.closest(".row")) this.toggle(item);
  }

  private key(event: KeyboardEvent): void {
    const el = (event.target as Element).closest<HTMLElement>("[role=treeitem]");
    const item = el && this.items.get(el);
    if (!el || !item || event.altKey || event.ctrlKey || event.metaKey) return;
    const seen = this.visible();
    const at = seen.indexOf(el);
    const expanded = el.getAttribute("aria-expanded");
    switch (event.key) {
      case "ArrowDown":
        this.focus(seen[at + 1]);
        break;
      case "ArrowUp":
        this.focus(seen[at - 1]);
        break;
      case "Home":
        this.focus(seen[0]);
        break;
      case "End":
        this.focus(seen[seen.length - 1]);
        break;
      case "ArrowRight":
        if (expanded === "false") void this.open(item);
        else if (expanded === "true") this.focus(this.below(item)[0]?.el);
        break;
      case "ArrowLeft":
        if (expanded === "true") this.shut(item);
        else this.focus(el.parentElement!.closest<HTMLElement>("[role=treeitem]"));
        break;
      case "Enter":
      case " ":
        this.toggle(item);
        break;
      default:
        if (event.key.length !== 1 || event.key === "/") return;
        this.typeAhead(event.key, seen, at);
    }
    event.preventDefault();
  }

  // A letter or digit goes to the next item that begins with it.
  private typeAhead(key: string, seen: HTMLElement[], at: number): void {
    const starts = (el: HTMLElement) => {
      const item = this.items.get(el)!;
      const text = item.word ? nameOf(item.word) : String(item.digits[item.digits.length - 1]);
      return text.toLowerCase().startsWith(key.toLowerCase());
    };
    this.focus([...seen.slice(at + 1), ...seen.slice(0, at)].find(starts));
  }

  private visible(): HTMLElement[] {
    return [...this.tree.querySelectorAll<HTMLElement>("[role=treeitem]")].filter((el) => !el.parentElement!.closest("[hidden]"));
  }

  private topItems(): Item[] {
    return this.itemsOf(this.tree);
  }

  private below(item: Item): Item[] {
    return item.group ? this.itemsOf(item.group) : [];
  }

  private itemsOf(list: HTMLElement): Item[] {
    return [...list.children].map((el) => this.items.get(el as HTMLElement)).filter((item) => item !== undefined);
  }

  // One item at a time is in the tab order.
  private focusable(el: HTMLElement): void {
    for (const old of this.tree.querySelectorAll('[tabindex="0"]')) old.setAttribute("tabindex", "-1");
    el.setAttribute("tabindex", "0");
  }

  private focus(el: HTMLElement | null | undefined): void {
    if (!el) return;
    this.focusable(el);
    el.focus({ preventScroll: true });
    this.items.get(el)!.row.scrollIntoView({ block: "nearest" });
  }

  private entry(): void {
    const first = this.tree.querySelector<HTMLElement>("[role=treeitem]");
    if (first) this.focusable(first);
  }
}

interface Place {
  level: number;
  pos: number;
  of: number;
}

function place({ level, pos, of }: Place): Record<string, unknown> {
  return { role: "treeitem", tabindex: "-1", "aria-level": level, "aria-posinset": pos, "aria-setsize": of };
}

// The digits that are left, small: they tell nobody apart any more.
function rest(code: number[]): HTMLElement {
  const shown = code.slice(0, 12).join(" ");
  return h("span", { class: "some mono" }, shown + (code.length > 12 ? " …" : ""));
}

export function begins(code: number[], prefix: number[]): boolean {
  return prefix.length <= code.length && prefix.every((value, j) => value === code[j]);
}
