// Puts the panels together: what the address says is what they show.
import { Analogy } from "./analogy.ts";
import { Api, ApiError, type Asked, type TableEntry, type Word } from "./api.ts";
import { Combo } from "./combo.ts";
import { hasName, hrefOf, nameOf, type Context } from "./context.ts";
import { byId, h } from "./dom.ts";
import { MapPanel } from "./mappanel.ts";
import { Neighbours } from "./neighbours.ts";
import { formatRoute, parseRoute } from "./route.ts";
import { Sizes } from "./sizes.ts";
import { askToken } from "./token.ts";
import { Tree } from "./tree.ts";
import { UsagePanel } from "./usage.ts";
import { WordCard } from "./wordcard.ts";

class App {
  private api = new Api(askToken);
  private tables: TableEntry[] = [];
  private context: Context | null = null;
  private abort = new AbortController(); // of the table shown
  private turn = 0;
  private followed = false; // the route changed after the page had opened

  private choice = byId<HTMLSelectElement>("table");
  private banner = byId("banner");
  private map = new MapPanel((digit) => this.setDigit(digit));
  private usage = new UsagePanel((digit) => this.map.choose(digit));
  private card = new WordCard((digit) => this.map.choose(digit));
  private neighbours = new Neighbours((near) => this.map.setNear(near));
  private tree = new Tree();
  private analogy = new Analogy();
  private sizes = new Sizes();
  private search: Combo;

  constructor() {
    this.search = new Combo({
      id: "q",
      label: "Search a word",
      placeholder: "Type a word",
      complete: async (q, signal) =>
        this.context?.table.has_symbols ? this.api.complete(this.context.table.name, q, 10, signal) : [],
      done: (text) => this.find(text),
    });
    const form = byId("search");
    form.append(this.search.root, h("kbd", { "aria-hidden": "true" }, "/"));
    form.addEventListener("submit", (event) => event.preventDefault());
    this.choice.addEventListener("change", () => (location.hash = formatRoute({ table: this.choice.value })));
    byId("skip").addEventListener("click", (event) => {
      event.preventDefault(); // the address is not for anchors here
      byId("main").focus();
    });
    addEventListener("hashchange", () => {
      this.followed = true;
      void this.route();
    });
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("kd-gone", () => this.gone());
    new ThemeButton(byId<HTMLButtonElement>("theme"));
  }

  async start(): Promise<void> {
    try {
      this.tables = await this.api.tables();
    } catch (err) {
      return this.say(err instanceof Error ? err.message : String(err));
    }
    this.banner.hidden = true;
    this.choice.replaceChildren(...this.tables.map(({ name }) => h("option", { value: name }, name)));
    this.choice.disabled = this.tables.length < 2;
    await this.route();
  }

  private async route(): Promise<void> {
    const turn = ++this.turn;
    const route = parseRoute(location.hash);
    const name = route.table ?? this.tables[0]?.name;
    if (!name) return this.say("The server has no tables.");
    if (!(await this.open(name)) || turn !== this.turn || !this.context) return;
    if (route.word !== undefined) await this.show({ symbol: route.word }, route.word, turn);
    else if (route.id !== undefined) await this.show({ id: route.id }, `#${route.id}`, turn);
    else await this.begin(turn);
    if (this.followed && turn === this.turn) this.arrive();
  }

  /** Opens a table, unless it is open. */
  private async open(name: string): Promise<boolean> {
    if (this.context?.table.name === name) return true;
    const abort = new AbortController();
    try {
      const table = await this.api.table(name, abort.signal);
      this.banner.hidden = true;
      this.abort.abort();
      this.abort = abort;
      this.context = { api: this.api, table, signal: abort.signal };
    } catch (err) {
      if (err instanceof ApiError && err.code === "unknown_table") this.noTable(name);
      else this.say(err instanceof Error ? err.message : String(err));
      return false;
    }
    const { context } = this;
    this.choice.value = name;
    this.search.input.value = "";
    this.search.input.inputMode = context.table.has_symbols ? "search" : "numeric";
    this.search.input.placeholder = context.table.has_symbols ? "Type a word" : `An id, 0 to ${context.table.n - 1}`;
    this.sizes.setTable(context.table);
    this.map.setTable(context);
    this.tree.setTable(context);
    this.usage.setTable(context);
    this.analogy.setTable(context);
    this.setDigit(0);
    return true;
  }

  private async show(asked: Asked, text: string, turn: number): Promise<void> {
    const context = this.context!;
    try {
      const word = await this.api.code(context.table.name, asked, context.signal);
      if (turn !== this.turn) return;
      this.banner.hidden = true;
      this.title(nameOf(word));
      this.search.input.value = hasName(word) ? word.symbol : String(word.id);
      this.card.show(context, word);
      this.map.setWord(word);
      this.neighbours.show(context, word);
      void this.tree.reveal(word);
    } catch (err) {
      if (turn !== this.turn || context.signal.aborted) return;
      this.title(text);
      this.search.input.value = text;
      this.map.setWord(null);
      this.neighbours.clear();
      this.card.unknown(context, text, err, () => void this.route());
    }
  }

  private async begin(turn: number): Promise<void> {
    const context = this.context!;
    const { name, n } = context.table;
    this.title(name);
    this.search.input.value = "";
    this.map.setWord(null);
    this.neighbours.clear();
    const ids = [...new Set([0.02, 0.031, 0.05, 0.08, 0.12, 0.2, 0.3, 0.5].map((part) => Math.floor(part * n)))];
    let ideas: Word[] = ids.map((id) => ({ id }));
    try {
      ideas = (await this.api.codes(name, { ids }, context.signal)).filter((word) => word !== null);
    } catch {
      // Ids do as well.
    }
    if (turn === this.turn) this.card.start(context, ideas, () => void this.surprise());
  }

  private async surprise(): Promise<void> {
    const { name, n } = this.context!.table;
    const id = Math.floor(Math.random() * n);
    try {
      location.hash = hrefOf(name, await this.api.code(name, { id }, this.context!.signal));
    } catch {
      location.hash = formatRoute({ table: name, id });
    }
  }

  private find(text: string): void {
    if (!this.context) return;
    const { name, has_symbols } = this.context.table;
    const id = /^#?(\d+)$/.exec(text);
    const to = !has_symbols && id ? { table: name, id: Number(id[1]) } : { table: name, word: text };
    const hash = formatRoute(to);
    if (location.hash === hash) void this.route();
    else location.hash = hash;
    this.search.input.blur();
  }

  // After a link was followed the reader is at the word, wherever the link was.
  private arrive(): void {
    const title = document.getElementById("word-title");
    if (!title) return;
    title.focus({ preventScroll: true });
    const behaviour = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
    scrollTo({ top: 0, behavior: behaviour });
  }

  private setDigit(digit: number): void {
    this.card.setDigit(digit);
    this.usage.setDigit(digit);
  }

  private title(text: string): void {
    document.title = `${text} · kd explorer`;
  }

  private key(event: KeyboardEvent): void {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = event.target as HTMLElement;
    if (at.matches?.("input, textarea, select") || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    this.search.input.focus();
    this.search.input.select();
  }

  private gone(): void {
    if (this.banner.hidden) this.say("The server does not answer.");
  }

  private say(text: string): void {
    const again = () => {
      this.banner.hidden = true;
      this.context = null;
      void this.start();
    };
    this.banner.replaceChildren(h("span", {}, text), h("button", { type: "button", class: "small", onclick: again }, "Try again"));
    this.banner.hidden = false;
  }

  private noTable(name: string): void {
    const links = this.tables.map((table) => h("a", { href: formatRoute({ table: table.name }) }, table.name));
    this.banner.replaceChildren(h("span", {}, `There is no table ${name}. There is: `), ...links);
    this.banner.hidden = false;
  }
}

/** Goes through the system's theme, light and dark. */
class ThemeButton {
  private themes = ["system", "light", "dark"];

  constructor(private button: HTMLButtonElement) {
    button.addEventListener("click", () => {
      const next = this.themes[(this.themes.indexOf(this.now()) + 1) % this.themes.length];
      if (next === "system") {
        localStorage.removeItem("kd-theme");
        delete document.documentElement.dataset.theme;
      } else {
        localStorage.setItem("kd-theme", next);
        document.documentElement.dataset.theme = next;
      }
      this.draw();
      dispatchEvent(new Event("kd-theme"));
    });
    this.draw();
  }

  private now(): string {
    return document.documentElement.dataset.theme ?? "system";
  }

  private draw(): void {
    const now = this.now();
    this.button.textContent = { system: "◐", light: "☀\ufe0e", dark: "☾" }[now] ?? "◐";
    this.button.setAttribute("aria-label", `Theme: ${now}. Change it.`);
    this.button.title = `Theme: ${now}`;
  }
}

void new App().start();
