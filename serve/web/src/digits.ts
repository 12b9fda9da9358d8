// A code as coloured digits. Both themes' colours go along, so that the style
// sheet alone follows a change of theme.
import { h, toolbar, vars } from "./dom.ts";
import { digitColour, inkOn } from "./palette.ts";

export function coloured<E extends HTMLElement>(el: E, value: number): E {
  const [light, dark] = [digitColour(value, false), digitColour(value, true)];
  return vars(el, { "--light": light, "--light-ink": inkOn(light), "--dark": dark, "--dark-ink": inkOn(dark) });
}

/** A small digit inside a line of text. */
export function chip(value: number): HTMLElement {
  return coloured(h("span", { class: "chip" }, String(value)), value);
}

/**
 * The code with a button for each digit. Choosing one colours the map by it.
 */
export function codeGrid(code: number[], chosen: number, choose: (digit: number) => void): HTMLElement {
  const cells = code.map((value, j) =>
    coloured(
      h(
        "button",
        {
          type: "button",
          class: "digit",
          "data-digit": j,
          "aria-pressed": String(j === chosen),
          "aria-label": `digit ${j + 1} is ${value}`,
          title: `Digit ${j + 1} is ${value}. Colour the map by it.`,
          onclick: () => choose(j),
        },
        h("small", { "aria-hidden": "true" }, String(j + 1)),
        h("span", {}, String(value)),
      ),
      value,
    ),
  );
  const grid = toolbar(h("div", { class: "code" }, ...cells), "The code, digit by digit");
  return vars(grid, { "--wide": String(columns(code.length, 32)), "--middle": String(columns(code.length, 16)), "--narrow": String(columns(code.length, 8)) });
}

// Rows of equal length where that is possible: a last row of one digit looks lost.
export function columns(digits: number, most: number): number {
  const rows = Math.ceil(digits / most);
  return Math.ceil(digits / rows);
}

/** Where two codes agree, as a strip with a tick for each digit. */
export function agreement(a: number[], b: number[]): HTMLElement {
  const same = a.map((value, j) => value === b[j]);
  const n = same.filter(Boolean).length;
  const strip = h("span", { class: a.length > 40 ? "strip fine" : "strip", "aria-hidden": "true" });
  a.forEach((value, j) => strip.append(same[j] ? coloured(h("i", { class: "on" }), value) : h("i")));
  const text = `${n} of ${a.length} digits alike`;
  return h("span", { class: "agree", title: text }, strip, h("span", { class: "hush" }, text));
}
