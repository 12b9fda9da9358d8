// What the table takes beside what the ordinary table would take, as bars.
import type { Table } from "./api.ts";
import { h, vars } from "./dom.ts";
import { bytes, count } from "./format.ts";
import { Panel } from "./panel.ts";

export class Sizes {
  private panel = new Panel("sizes", "Size");

  setTable(table: Table): void {
    const { codes, parameters, symbols, full } = table.bits;
    const widest = Math.max(full, codes + parameters) + symbols;
    const rows = [
      row("Full table", `${count(table.n)} × ${count(table.dim)} float32`, [["full", full], ["symbols", symbols]], widest),
      row("Codes", `${count(table.n)} × ${table.code_length} digits of ${table.ways}`, [["codes", codes], ["parameters", parameters], ["symbols", symbols]], widest),
    ];
    const parts: [string, string, number][] = [
      ["full", "full table", full],
      ["codes", "codes", codes],
      ["parameters", "parameters", parameters],
      ["symbols", "symbols", symbols],
    ];
    const legend = h(
      "dl",
      { class: "legend" },
      ...parts.filter(([, , bits]) => bits > 0).map(([kind, name, bits]) =>
        h("div", {}, h("dt", {}, h("i", { class: `swatch ${kind}`, "aria-hidden": "true" }), name), h("dd", { title: `${count(bits)} bits` }, bytes(bits / 8))),
      ),
    );
    this.panel.set(
      h(
        "p",
        { class: "ratio" },
        h("b", {}, `${table.ratio.toFixed(table.ratio < 10 ? 2 : 1)} ×`),
        h("span", {}, ` smaller: ${bytes((codes + parameters) / 8)} of codes and parameters for ${bytes(full / 8)}.`),
      ),
      h("div", { class: "bars", role: "img", "aria-label": `The full table takes ${bytes(full / 8)}; codes ${bytes(codes / 8)}, parameters ${bytes(parameters / 8)}, symbols ${bytes(symbols / 8)}.` }, ...rows),
      legend,
      h("p", { class: "note" }, symbols ? "Symbols are stored either way, and are not in the ratio." : "The table has no symbols: it works by id."),
    );
  }
}

function row(name: string, shape: string, parts: [string, number][], widest: number): HTMLElement {
  const bar = h("div", { class: "bar2" });
  for (const [kind, bits] of parts) {
    if (bits > 0) bar.append(vars(h("i", { class: kind, title: `${kind}: ${bytes(bits / 8)}` }), { "--part": String(bits / widest) }));
  }
  return h("div", { class: "barrow" }, h("span", {}, h("b", {}, name), " ", h("span", { class: "hush" }, shape)), bar);
}
