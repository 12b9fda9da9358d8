// What every panel knows about the page around it.
import type { Api, Asked, Table, Word } from "./api.ts";
import { h } from "./dom.ts";
import { count } from "./format.ts";
import { formatRoute } from "./route.ts";

export interface Context {
  api: Api;
  table: Table;
  /** Ends when another table is chosen. */
  signal: AbortSignal;
}

/** Bytes that are no UTF-8 come as U+FFFD: such a symbol is asked for by id. */
export function hasName(word: Word): word is Word & { symbol: string } {
  return !!word.symbol && !word.symbol.includes("\ufffd");
}

export function askFor(word: Word): Asked {
  return hasName(word) ? { symbol: word.symbol } : { id: word.id };
}

/** How a word is called: its symbol, or #id in a table without. */
export function nameOf(word: Word): string {
  return word.symbol || `#${word.id}`;
}

export function hrefOf(table: string, word: Word): string {
  return formatRoute(hasName(word) ? { table, word: word.symbol } : { table, id: word.id });
}

export function wordLink(table: string, word: Word, attrs: Record<string, unknown> = {}): HTMLAnchorElement {
  return h("a", { href: hrefOf(table, word), title: `${nameOf(word)}, id ${count(word.id)}`, ...attrs }, nameOf(word));
}

/** What the entries of a table are called, given how many. */
export function entries(table: Table, n: number): string {
  if (table.has_symbols) return n === 1 ? "1 word" : `${count(n)} words`;
  return n === 1 ? "1 entry" : `${count(n)} entries`;
}
