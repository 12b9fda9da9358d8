// A text field that completes words: the ARIA combobox pattern with a list.
import type { Completion } from "./api.ts";
import { h, quiet } from "./dom.ts";

export interface ComboOptions {
  id: string;
  label: string;
  placeholder?: string;
  complete: (q: string, signal: AbortSignal) => Promise<Completion[]>;
  /** Called with a chosen word, or with the text where none was chosen. */
  done: (text: string) => void;
}

export class Combo {
  readonly input: HTMLInputElement;
  readonly root: HTMLElement;
  private list: HTMLElement;
  private found: Completion[] = [];
  private active = -1;
  private abort = new AbortController();

  constructor(private options: ComboOptions) {
    const { id, label, placeholder } = options;
    this.list = h("ul", { role: "listbox", id: `${id}-list`, class: "options", "aria-label": label, hidden: true });
    this.input = h("input", {
      id,
      type: "text",
      role: "combobox",
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      enterkeyhint: "search",
      placeholder,
      "aria-label": label,
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": `${id}-list`,
    });
    this.root = h("div", { class: "combo" }, this.input, this.list);
    const look = quiet(80, () => void this.look());
    this.input.addEventListener("input", look);
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("blur", () => this.close());
    // The field keeps the focus: pointerdown would take it before the click comes.
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => {
      const option = (event.target as Element).closest<HTMLElement>("[role=option]");
      if (option) this.choose(Number(option.dataset.at));
    });
  }

  close(): void {
    this.abort.abort();
    this.found = [];
    this.active = -1;
    this.list.hidden = true;
    this.list.replaceChildren();
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  private async look(): Promise<void> {
    this.abort.abort();
    this.abort = new AbortController();
    const q = this.input.value.trim();
    if (!q) return this.close();
    try {
      this.found = await this.options.complete(q, this.abort.signal);
    } catch {
      return; // completion only helps: Enter still asks, and says what is wrong
    }
    if (document.activeElement !== this.input || q !== this.input.value.trim()) return;
    this.active = -1;
    this.draw();
  }

  private draw(): void {
    const { id } = this.options;
    const firstNear = this.found.findIndex((word) => word.match === "near");
    this.list.replaceChildren(
      ...this.found.map((word, i) =>
        h(
          "li",
          { role: "option", id: `${id}-${i}`, "data-at": i, "aria-selected": i === this.active ? "true" : "false" },
          h("span", {}, word.symbol),
          i === firstNear ? h("small", {}, "spelled nearly so") : null,
        ),
      ),
    );
    this.list.hidden = this.found.length === 0;
    this.input.setAttribute("aria-expanded", String(this.found.length > 0));
    if (this.active < 0) this.input.removeAttribute("aria-activedescendant");
    else {
      this.input.setAttribute("aria-activedescendant", `${id}-${this.active}`);
      this.list.children[this.active].scrollIntoView({ block: "nearest" });
    }
  }

  private key(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const n = this.found.length;
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp": {
        event.preventDefault();
        if (!n) return void this.look();
        // −1 is the text as typed, between the last and the first.
        const step = event.key === "ArrowDown" ? 1 : n;
        this.active = ((this.active + 1 + step) % (n + 1)) - 1;
        return this.draw();
      }
      case "Enter":
        event.preventDefault();
        return this.choose(this.active);
      case "Escape":
        if (n) {
          event.preventDefault();
          this.close();
        }
        return;
    }
  }

  private choose(at: number): void {
    const text = at >= 0 ? this.found[at].symbol : this.input.value.trim();
    this.input.value = text;
    this.close();
    if (text) this.options.done(text);
  }
}
