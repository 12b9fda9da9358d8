import assert from "node:assert/strict";
import { test } from "node:test";
import { contrast, digitColour, distinct, inkOn } from "./palette.ts";

const values = Array.from({ length: distinct }, (_, v) => v);

test("a digit is readable on its colour", () => {
  for (const dark of [false, true])
    for (const v of values) {
      const colour = digitColour(v, dark);
      assert.ok(contrast(colour, inkOn(colour)) >= 4.5, `${colour} of ${v}`);
    }
});

test("dots are seen on the map's ground", () => {
  for (const v of values) {
    assert.ok(contrast(digitColour(v, false), "#f1f1ee") >= 1.6, `${v}, light`);
    assert.ok(contrast(digitColour(v, true), "#232529") >= 2.5, `${v}, dark`);
  }
});

test("no two values look the same, also to those who see no green or no red", () => {
  for (const dark of [false, true])
    for (const see of [(c: number[]) => c, deuteranope, protanope]) {
      const seen = values.map((v) => see(linear(digitColour(v, dark))).map((x) => Math.cbrt(Math.max(0, x))));
      for (const a of values) for (let b = 0; b < a; b++) assert.ok(distance(seen[a], seen[b]) > 0.05, `${a} and ${b}`);
      // The first eight are the ones that small codes have: they are well apart.
      for (let a = 0; a < 8; a++) for (let b = 0; b < a; b++) assert.ok(distance(seen[a], seen[b]) > 0.16, `${a} and ${b}`);
    }
});

test("colours start over", () => assert.equal(digitColour(distinct + 3, true), digitColour(3, true)));

function linear(hex: string): number[] {
  return [1, 3, 5].map((at) => (parseInt(hex.slice(at, at + 2), 16) / 255) ** 2.2);
}

// Viénot, Brettel and Mollon 1999.
function deuteranope([r, g, b]: number[]): number[] {
  return [0.29275 * r + 0.70725 * g, 0.29275 * r + 0.70725 * g, -0.02234 * r + 0.02234 * g + b];
}

function protanope([r, g, b]: number[]): number[] {
  return [0.11238 * r + 0.88762 * g, 0.11238 * r + 0.88762 * g, 0.00401 * r - 0.00401 * g + b];
}

function distance(a: number[], b: number[]): number {
  return Math.hypot(...a.map((x, i) => x - b[i]));
}
