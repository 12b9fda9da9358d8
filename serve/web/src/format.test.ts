import assert from "node:assert/strict";
import { test } from "node:test";
import { columns } from "./digits.ts";
import { bytes, percent, plural, score } from "./format.ts";

test("bytes", () => {
  const all: [number, string][] = [
    [0, "0 B"],
    [999, "999 B"],
    [1000, "1 kB"],
    [106496, "106 kB"],
    [60000, "60 kB"],
    [999_600, "1 MB"],
    [4_000_000, "4 MB"],
    [1_234_000_000, "1.23 GB"],
  ];
  for (const [n, want] of all) assert.equal(bytes(n), want);
});

test("other numbers", () => {
  assert.equal(score(-0.5), "−0.500");
  assert.equal(percent(0.1015), "10 %");
  assert.equal(percent(0.031), "3.1 %");
  assert.equal(plural(1, "word"), "1 word");
  assert.equal(plural(12345, "word"), "12,345 words");
});

test("rows of a code are even", () => {
  assert.equal(columns(32, 32), 32);
  assert.equal(columns(33, 32), 17);
  assert.equal(columns(12, 8), 6);
  assert.equal(columns(1, 8), 1);
});
