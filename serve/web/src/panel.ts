// A panel's head and its states: waiting, shown, failed with a way to try again.
import { ApiError } from "./api.ts";
import { byId, h } from "./dom.ts";

export class Panel {
  readonly root: HTMLElement;
  readonly body = h("div", { class: "body" });
  readonly tools = h("div", { class: "tools" });
  private turn = 0;
  private abort = new AbortController();

  constructor(id: string, title: string, lead = "") {
    this.root = byId(id);
    this.root.replaceChildren(
      h(
        "header",
        { class: "head" },
        h("div", {}, h("h2", { id: `${id}-title` }, title), lead ? h("p", { class: "lead" }, lead) : null),
        this.tools,
      ),
      this.body,
    );
  }

  /** Shows what make returns; an answer that was overtaken by a later call is dropped. */
  async show(make: (signal: AbortSignal) => Promise<Node[]>): Promise<void> {
    const turn = ++this.turn;
    this.abort.abort();
    this.abort = new AbortController();
    this.root.setAttribute("aria-busy", "true");
    // What stood there stays until the answer comes, but an invitation would mislead.
    if (!this.body.firstChild || this.body.querySelector(":scope > .empty")) this.body.replaceChildren(empty("One moment …"));
    try {
      const nodes = await make(this.abort.signal);
      if (turn === this.turn) this.body.replaceChildren(...nodes);
    } catch (err) {
      if (turn !== this.turn) return;
      this.body.replaceChildren(failed(err, () => this.show(make)));
    } finally {
      if (turn === this.turn) this.root.removeAttribute("aria-busy");
    }
  }

  /** Shows nodes at once, and drops what is under way. */
  set(...nodes: Node[]): void {
    this.turn++;
    this.abort.abort();
    this.root.removeAttribute("aria-busy");
    this.body.replaceChildren(...nodes);
  }
}

/** A message about an error, with a button that tries again. */
export function failed(err: unknown, again: () => void): HTMLElement {
  if (err instanceof ApiError && err.code === "network") dispatchEvent(new Event("kd-gone"));
  const text = err instanceof Error ? err.message : String(err);
  return h(
    "div",
    { class: "failed" },
    h("p", {}, text),
    h("button", { type: "button", class: "small", onclick: again }, "Try again"),
  );
}

export function empty(...text: (string | Node)[]): HTMLElement {
  return h("p", { class: "empty" }, ...text);
}
