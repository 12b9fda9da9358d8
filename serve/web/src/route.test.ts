import assert from "node:assert/strict";
import { test } from "node:test";
import { formatRoute, parseRoute } from "./route.ts";

test("routes read back", () => {
  const all = [
    {},
    { table: "glove" },
    { table: "glove", word: "cat" },
    { table: "glove", word: "#/a b+c%20?&ü/" },
    { table: "a/b", id: 0 },
    { table: "t", id: 12 },
  ];
  for (const route of all) assert.deepEqual(parseRoute(formatRoute(route)), route);
});

test("a mistyped address is no error", () => {
  assert.deepEqual(parseRoute("#/t/w/%zz"), { table: "t", word: "%zz" });
  assert.deepEqual(parseRoute("#/t/i/x1"), { table: "t" });
  assert.deepEqual(parseRoute("#//w/cat"), { word: "cat" });
  assert.deepEqual(parseRoute(""), {});
});
