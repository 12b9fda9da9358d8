// The nearest of many points on the plane from −1 to 1, by cells.

const side = 64;

export class PointGrid {
  private cells: number[][] = Array.from({ length: side * side }, () => []);

  constructor(
    private x: ArrayLike<number>,
    private y: ArrayLike<number>,
  ) {
    for (let i = 0; i < x.length; i++) this.cells[cell(y[i]) * side + cell(x[i])].push(i);
  }

  /**
   * The point nearest to (x, y) on the screen, sx and sy pixels a unit, at most
   * reach pixels away; −1 if there is none. Of equals the first wins.
   */
  nearest(x: number, y: number, reach: number, sx: number, sy: number, allowed: (i: number) => boolean): number {
    let best = -1;
    let least = reach * reach;
    const [left, right] = [cell(x - reach / sx), cell(x + reach / sx)];
    const [low, high] = [cell(y - reach / sy), cell(y + reach / sy)];
    for (let row = low; row <= high; row++) {
      for (let column = left; column <= right; column++) {
        for (const i of this.cells[row * side + column]) {
          const d = ((this.x[i] - x) * sx) ** 2 + ((this.y[i] - y) * sy) ** 2;
          if (d < least && allowed(i)) {
            least = d;
            best = i;
          }
        }
      }
    }
    return best;
  }
}

function cell(x: number): number {
  return Math.min(side - 1, Math.max(0, Math.floor(((x + 1) / 2) * side)));
}
