// A few lines instead of a framework: the page has no state that outgrows them.

type Child = Node | string | null | undefined | false;
type Attrs = Record<string, unknown>;

function fill<E extends Element>(el: E, attrs: Attrs, children: Child[]): E {
  for (const [key, value] of Object.entries(attrs)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) el.addEventListener(key.slice(2), value as EventListener);
    else el.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children) if (child || child === "") el.append(child);
  return el;
}

/** An HTML element. Attributes named on… are listeners; null and false are left out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attrs: Attrs = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(name), attrs, children);
}

/** An SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attrs: Attrs = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attrs, children);
}

/** The element of the page's own markup with that id. */
export function byId<E extends HTMLElement>(id: string): E {
  const el = document.getElementById(id);
  if (!el) throw new Error(`the page has no #${id}`);
  return el as E;
}

/**
 * Sets custom properties. The content policy forbids style attributes in
 * markup, and allows the object model: hence no h("…", { style }).
 */
export function vars<E extends HTMLElement | SVGElement>(el: E, values: Record<string, string>): E {
  for (const [name, value] of Object.entries(values)) el.style.setProperty(name, value);
  return el;
}

/**
 * Makes a row of many buttons one stop of the tab key, as toolbars are: the
 * arrow keys go on from there.
 */
export function toolbar<E extends HTMLElement>(el: E, label: string): E {
  el.setAttribute("role", "toolbar");
  el.setAttribute("aria-label", label);
  const buttons = () => [...el.querySelectorAll("button")];
  const stop = (at: HTMLElement) => buttons().forEach((b) => (b.tabIndex = b === at ? 0 : -1));
  const first = buttons();
  const pressed = first.find((b) => b.getAttribute("aria-pressed") === "true");
  if (first.length) stop(pressed ?? first[0]);
  el.addEventListener("focusin", (event) => stop(event.target as HTMLElement));
  el.addEventListener("keydown", (event) => {
    const all = buttons();
    const at = all.indexOf(event.target as HTMLButtonElement);
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    all[Math.min(all.length - 1, Math.max(0, to))].focus();
  });
  return el;
}

/** Calls f once things have been quiet for that many milliseconds. */
export function quiet(ms: number, f: () => void): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(f, ms);
  };
}
