import assert from "node:assert/strict";
import { test } from "node:test";
import { PointGrid } from "./grid.ts";

test("the nearest point is that of a plain search", () => {
  let seed = 1;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const x = Array.from({ length: 500 }, () => 2 * random() - 1);
  const y = Array.from({ length: 500 }, () => 2 * random() - 1);
  const grid = new PointGrid(x, y);
  for (let trial = 0; trial < 300; trial++) {
    const [px, py, sx, sy, reach] = [2.4 * random() - 1.2, 2.4 * random() - 1.2, 300, 200 + 100 * random(), 30 * random()];
    const even = (i: number) => trial % 2 === 0 || i % 2 === 0;
    let want = -1;
    let least = reach * reach;
    for (let i = 0; i < 500; i++) {
      const d = ((x[i] - px) * sx) ** 2 + ((y[i] - py) * sy) ** 2;
      if (d < least && even(i)) [least, want] = [d, i];
    }
    assert.equal(grid.nearest(px, py, reach, sx, sy, even), want);
  }
});
