// The words on a plane, drawn on a canvas: zoom, pan, hover, click, touch, keys.
import { digitColour } from "./palette.ts";
import { PointGrid } from "./grid.ts";

export interface Points {
  x: Float32Array;
  y: Float32Array;
  labels: string[];
}

interface View {
  cx: number;
  cy: number;
  zoom: number; // 1 shows everything
}

const maxZoom = 200;

export class MapView {
  private ctx: CanvasRenderingContext2D;
  private points: Points = { x: new Float32Array(0), y: new Float32Array(0), labels: [] };
  private grid = new PointGrid(this.points.x, this.points.y);
  private values: ArrayLike<number> = [];
  private byValue: Uint32Array[] = [];
  private view: View = { cx: 0, cy: 0, zoom: 1 };
  private chosen = -1;
  private near: number[] = [];
  private only = -1; // the one value shown in colour
  private hover = -1;
  private width = 1;
  private height = 1;
  private frame = 0;
  private moving = 0;
  private pointers = new Map<number, { x: number; y: number }>();
  private moved = 0;

  constructor(
    private canvas: HTMLCanvasElement,
    private tip: HTMLElement,
    private on: { go: (i: number) => void; moved: () => void; wheel: () => void },
  ) {
    this.ctx = canvas.getContext("2d")!;
    new ResizeObserver(() => this.resize()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    addEventListener("kd-theme", () => this.draw());
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event, true));
    canvas.addEventListener("pointercancel", (event) => this.up(event, false));
    canvas.addEventListener("pointerleave", () => this.setHover(-1));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("dblclick", (event) => this.zoomAt(2, event.offsetX, event.offsetY));
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("focus", () => this.draw());
    canvas.addEventListener("blur", () => this.draw());
  }

  setPoints(points: Points): void {
    this.points = points;
    this.grid = new PointGrid(points.x, points.y);
    this.view = { cx: 0, cy: 0, zoom: 1 };
    this.near = [];
    this.chosen = this.hover = this.only = -1;
    this.setValues([]);
    this.touch();
  }

  /** The digit's value of each point. */
  setValues(values: ArrayLike<number>): void {
    this.values = values;
    const lists: number[][] = [];
    for (let i = 0; i < this.points.x.length; i++) (lists[values[i] ?? 0] ??= []).push(i);
    this.byValue = Array.from(lists, (list) => Uint32Array.from(list ?? []));
    this.draw();
  }

  /** Shows one value in colour and the others in grey; −1 shows all. */
  setOnly(value: number): void {
    this.only = value;
    this.draw();
  }

  setChosen(i: number): void {
    this.chosen = i;
    this.near = [];
    if (i >= 0) this.bring(i);
    this.draw();
  }

  setNear(near: number[]): void {
    this.near = near;
    this.draw();
  }

  reset(): void {
    this.glide({ cx: 0, cy: 0, zoom: 1 });
  }

  /** Shows the chosen point and its neighbours as large as they go. */
  closeUp(): void {
    const all = [this.chosen, ...this.near].filter((i) => i >= 0);
    if (all.length === 0) return this.reset();
    const [xs, ys] = [all.map((i) => this.points.x[i]), all.map((i) => this.points.y[i])];
    const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const zoom = Math.min(2 / (x1 - x0 + 0.02), 2 / (y1 - y0 + 0.02)) * 0.75;
    this.glide({ cx: (x0 + x1) / 2, cy: (y0 + y1) / 2, zoom: clamp(zoom, 1, maxZoom) });
  }

  zoomBy(factor: number): void {
    const { cx, cy, zoom } = this.view;
    this.glide({ cx, cy, zoom: clamp(zoom * factor, 1, maxZoom) });
  }

  /** The first points in view: the most frequent. */
  inView(most: number): number[] {
    const seen: number[] = [];
    for (let i = 0; i < this.points.x.length && seen.length < most; i++) if (this.within(i)) seen.push(i);
    return seen;
  }

  /** Where a point is on the canvas, for tests to click on. */
  at(i: number): { x: number; y: number } {
    return { x: this.px(this.points.x[i]), y: this.py(this.points.y[i]) };
  }

  private get scale(): number {
    return (Math.min(this.width, this.height) / 2 - 12) * this.view.zoom;
  }
  // Wide canvases stretch the plane: a projection's axes have no common unit.
  private get stretch(): number {
    return Math.min(1.8, Math.max(1, (this.width - 24) / (this.height - 24)));
  }
  private px(x: number): number {
    return this.width / 2 + (x - this.view.cx) * this.scale * this.stretch;
  }
  private py(y: number): number {
    return this.height / 2 - (y - this.view.cy) * this.scale;
  }
  private wx(px: number): number {
    return this.view.cx + (px - this.width / 2) / (this.scale * this.stretch);
  }
  private wy(py: number): number {
    return this.view.cy - (py - this.height / 2) / this.scale;
  }

  private within(i: number): boolean {
    const { x, y } = this.at(i);
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  private bring(i: number): void {
    const { x, y } = this.at(i);
    const edge = 40;
    if (x > edge && y > edge && x < this.width - edge && y < this.height - edge) return;
    this.glide({ ...this.view, cx: this.points.x[i], cy: this.points.y[i] });
  }

  private glide(to: View): void {
    cancelAnimationFrame(this.moving);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
    if (still) return this.setView(to);
    const from = this.view;
    const start = performance.now();
    const step = (now: number) => {
      const t = clamp((now - start) / 220, 0, 1);
      const e = 1 - (1 - t) ** 3;
      const mix = (a: number, b: number) => a + (b - a) * e;
      this.setView({ cx: mix(from.cx, to.cx), cy: mix(from.cy, to.cy), zoom: from.zoom * (to.zoom / from.zoom) ** e });
      if (t < 1) this.moving = requestAnimationFrame(step);
    };
    this.moving = requestAnimationFrame(step);
  }

  private setView(view: View): void {
    this.view = { cx: clamp(view.cx, -1, 1), cy: clamp(view.cy, -1, 1), zoom: view.zoom };
    this.touch();
    this.draw();
    this.on.moved();
  }

  // One finger scrolls the page until the map is zoomed: then it pans.
  private touch(): void {
    this.canvas.style.touchAction = this.view.zoom > 1.05 ? "none" : "pan-y";
  }

  private zoomAt(factor: number, px: number, py: number): void {
    cancelAnimationFrame(this.moving);
    const [x, y] = [this.wx(px), this.wy(py)];
    const zoom = clamp(this.view.zoom * factor, 1, maxZoom);
    this.view = { ...this.view, zoom };
    const [nx, ny] = [this.wx(px), this.wy(py)];
    this.setView({ cx: this.view.cx + x - nx, cy: this.view.cy + y - ny, zoom });
  }

  private pan(dx: number, dy: number): void {
    cancelAnimationFrame(this.moving);
    const { cx, cy, zoom } = this.view;
    this.setView({ cx: cx - dx / (this.scale * this.stretch), cy: cy + dy / this.scale, zoom });
  }

  private down(event: PointerEvent): void {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (this.pointers.size === 1) this.moved = 0;
  }

  private move(event: PointerEvent): void {
    const was = this.pointers.get(event.pointerId);
    const now = { x: event.offsetX, y: event.offsetY };
    if (!was) return this.setHover(this.find(now.x, now.y, 10));
    if (this.pointers.size === 1) {
      this.moved += Math.hypot(now.x - was.x, now.y - was.y);
      if (this.moved > 4) {
        this.setHover(-1);
        this.pan(now.x - was.x, now.y - was.y);
      }
    } else {
      const other = [...this.pointers].find(([id]) => id !== event.pointerId)![1];
      const before = Math.hypot(was.x - other.x, was.y - other.y);
      const after = Math.hypot(now.x - other.x, now.y - other.y);
      this.moved = Infinity;
      this.pan((now.x - was.x) / 2, (now.y - was.y) / 2);
      if (before > 0) this.zoomAt(after / before, (now.x + other.x) / 2, (now.y + other.y) / 2);
    }
    this.pointers.set(event.pointerId, now);
  }

  private up(event: PointerEvent, done: boolean): void {
    if (!this.pointers.delete(event.pointerId)) return;
    if (!done || this.moved > 4 || this.pointers.size > 0) return;
    const i = this.find(event.offsetX, event.offsetY, event.pointerType === "mouse" ? 10 : 22);
    if (i >= 0) this.on.go(i);
  }

  private wheel(event: WheelEvent): void {
    // A wheel over the map scrolls the page, unless the map was asked for.
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== this.canvas) return this.on.wheel();
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    this.zoomAt(Math.exp((-event.deltaY * lines) / 300), event.offsetX, event.offsetY);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = 60;
    const keys: Record<string, () => void> = {
      ArrowLeft: () => this.pan(step, 0),
      ArrowRight: () => this.pan(-step, 0),
      ArrowUp: () => this.pan(0, step),
      ArrowDown: () => this.pan(0, -step),
      "+": () => this.zoomBy(1.6),
      "=": () => this.zoomBy(1.6),
      "-": () => this.zoomBy(1 / 1.6),
      "0": () => this.reset(),
      Enter: () => {
        const i = this.find(this.width / 2, this.height / 2, Infinity);
        if (i >= 0) this.on.go(i);
      },
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  private find(px: number, py: number, reach: number): number {
    const [sx, sy] = [this.scale * this.stretch, this.scale];
    const r = Math.min(reach, 1e6);
    return this.grid.nearest(this.wx(px), this.wy(py), r, sx, sy, (i) => this.only < 0 || this.values[i] === this.only);
  }

  private setHover(i: number): void {
    if (i === this.hover) return;
    this.hover = i;
    this.canvas.style.cursor = i >= 0 ? "pointer" : "";
    this.tip.hidden = i < 0;
    if (i >= 0) {
      const { x, y } = this.at(i);
      const value = this.values[i];
      this.tip.textContent = this.points.labels[i] + (value === undefined ? "" : `  ${value}`);
      const left = clamp(x, 50, this.width - 50);
      this.tip.style.transform = `translate(${left}px, ${y < 40 ? y + 14 : y - 34}px) translateX(-50%)`;
    }
    this.draw();
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    const ratio = Math.min(devicePixelRatio || 1, 3);
    this.width = Math.max(1, clientWidth);
    this.height = Math.max(1, clientHeight);
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.paint();
  }

  private draw(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.paint());
  }

  private paint(): void {
    const { ctx, width, height } = this;
    const style = getComputedStyle(this.canvas);
    const colours = { ground: style.backgroundColor, ink: style.color, grey: style.borderColor, accent: style.outlineColor };
    const dark = isDark();
    ctx.clearRect(0, 0, width, height);
    this.dots(dark, colours.grey);
    const taken: Box[] = [{ x0: width - 46, y0: 0, x1: width, y1: 156 }]; // the buttons
    const strong = [this.chosen, ...this.near].filter((i) => i >= 0);
    for (const i of strong) this.ring(i, i === this.chosen, colours);
    if (this.hover >= 0) this.ring(this.hover, false, colours);
    ctx.textBaseline = "middle";
    ctx.lineJoin = "round";
    for (const i of strong) this.label(i, taken, colours, i === this.chosen ? 2 : 1);
    this.labels(taken, new Set(strong), colours);
    if (document.activeElement === this.canvas && this.canvas.matches(":focus-visible")) this.cross(colours.ink);
  }

  private dots(dark: boolean, grey: string): void {
    const { ctx, points } = this;
    // Few points are drawn larger: they have the room.
    const n = points.x.length;
    const size = clamp(1.6 * this.view.zoom ** 0.35, 1.8, 5) * (n > 20000 ? 0.8 : n > 6000 ? 1 : n > 2000 ? 1.3 : 1.8);
    const [ax, ay] = [this.scale * this.stretch, -this.scale];
    const bx = this.width / 2 - this.view.cx * ax;
    const by = this.height / 2 - this.view.cy * ay;
    const order = [...this.byValue.keys()];
    if (this.only >= 0) order.sort((a, b) => Number(a === this.only) - Number(b === this.only));
    for (const value of order) {
      const lit = this.only < 0 || value === this.only;
      const wide = lit && this.only >= 0 ? 2 * size : size; // one value alone may stand out
      const half = wide / 2;
      ctx.fillStyle = this.values.length && lit ? digitColour(value, dark) : grey;
      ctx.globalAlpha = lit ? (this.only >= 0 ? 1 : this.near.length ? 0.55 : 0.8) : 0.5;
      for (const i of this.byValue[value]) {
        const x = points.x[i] * ax + bx;
        const y = points.y[i] * ay + by;
        if (x > -size && y > -size && x < this.width + size && y < this.height + size) ctx.fillRect(x - half, y - half, wide, wide);
      }
    }
    ctx.globalAlpha = 1;
  }

  private ring(i: number, big: boolean, colours: Colours): void {
    const { ctx } = this;
    const { x, y } = this.at(i);
    ctx.beginPath();
    ctx.arc(x, y, big ? 6 : 4, 0, 2 * Math.PI);
    ctx.fillStyle = this.values.length ? digitColour(this.values[i], isDark()) : colours.ink;
    ctx.fill();
    ctx.lineWidth = big ? 2.5 : 1.5;
    ctx.strokeStyle = big ? colours.accent : colours.ink;
    ctx.stroke();
  }

  // Frequent words first, where there is room.
  private labels(taken: Box[], done: Set<number>, colours: Colours): void {
    const room = Math.floor((this.width * this.height) / 7000);
    let tries = 0;
    for (let i = 0; i < this.points.x.length && tries < 1500 && taken.length < room; i++) {
      if (done.has(i) || !this.within(i) || (this.only >= 0 && this.values[i] !== this.only)) continue;
      tries++;
      this.label(i, taken, colours, 0);
    }
  }

  private label(i: number, taken: Box[], colours: Colours, weight: 0 | 1 | 2): void {
    const { ctx } = this;
    const { x, y } = this.at(i);
    const text = this.points.labels[i];
    ctx.font = `${weight ? 600 : 400} ${[11, 12, 14][weight]}px system-ui, sans-serif`;
    const w = ctx.measureText(text).width;
    const gap = weight === 2 ? 10 : 7;
    const pad = weight ? 1 : 5;
    // Beside the point; what matters also goes above or below it.
    const places = [[x + gap, y], [x - gap - w, y], [x - w / 2, y - 14], [x - w / 2, y + 14]].slice(0, weight ? 4 : 2);
    const free = ([left, mid]: number[]): boolean => {
      const box = { x0: left - pad, y0: mid - 7 - pad, x1: left + w + pad, y1: mid + 7 + pad };
      if (box.x0 < 0 || box.x1 > this.width || box.y0 < 0 || box.y1 > this.height) return false;
      if (taken.some((b) => b.x0 < box.x1 && box.x0 < b.x1 && b.y0 < box.y1 && box.y0 < b.y1)) return false;
      taken.push(box);
      return true;
    };
    const at = places.find(free) ?? (weight === 2 ? places[0] : null);
    if (!at) return;
    ctx.lineWidth = 3.5;
    ctx.strokeStyle = colours.ground;
    ctx.strokeText(text, at[0], at[1]);
    ctx.fillStyle = weight === 2 ? colours.accent : colours.ink;
    ctx.globalAlpha = weight || !this.near.length ? 1 : 0.65;
    ctx.fillText(text, at[0], at[1]);
    ctx.globalAlpha = 1;
  }

  // What Enter goes to is nearest to the middle: show the middle.
  private cross(ink: string): void {
    const { ctx } = this;
    const [x, y] = [this.width / 2, this.height / 2];
    ctx.strokeStyle = ink;
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    ctx.moveTo(x - 8, y);
    ctx.lineTo(x + 8, y);
    ctx.moveTo(x, y - 8);
    ctx.lineTo(x, y + 8);
    ctx.stroke();
  }
}

interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

interface Colours {
  ground: string;
  ink: string;
  grey: string;
  accent: string;
}

export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function clamp(x: number, lo: number, hi: number): number {
  return Math.min(hi, Math.max(lo, x));
}
