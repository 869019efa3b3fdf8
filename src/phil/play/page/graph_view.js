// A search on a graph whose nodes have places, such as the roads of a city.
//
// All edges are drawn once into a layer, and those of expanded nodes into a second one, which grows
// with the search. To go back, the second layer is restored from snapshots made on the way.

import { THEMES, cssColour } from "./colour.js";
import { drawOverlay, fitCanvas } from "./overlay.js";

const SNAPSHOTS = 24; // per search: so many parts of it must be drawn again at most when going back
const MOST_PIXELS = 4e7; // of all snapshots of a view together
const LEAST_NODE = 5; // pixels between nodes from which the nodes themselves are drawn

export class GraphView {
  constructor(canvas, problem, viewport) {
    Object.assign(this, { canvas, problem, viewport, look: null });
    this.roads = document.createElement("canvas");
    this.lit = document.createElement("canvas");
    this.forget();
  }

  forget() {
    this.roadsKey = "";
    this.#restart();
  }

  #restart() {
    this.step = 0;
    this.litKey = "";
    this.snapshots = [];
  }

  setLook(look) {
    const restyled = !this.look || this.look.theme !== look.theme;
    this.look = look;
    if (restyled) this.forget();
    else this.#restart();
  }

  draw(scene, width, height, ratio = devicePixelRatio || 1) {
    const view = this.viewport.on(width, height, this.problem.world);
    const key = [width, height, ratio, view.scale, view.x, view.y].join();
    const palette = THEMES[this.look.theme];
    if (key !== this.roadsKey) this.#drawRoads(view, palette, width, height, ratio);
    if (key !== this.litKey) {
      this.#restart();
      fitCanvas(this.lit, width, height, ratio).clearRect(0, 0, width, height);
    }
    this.roadsKey = this.litKey = key;
    this.#goTo(scene.step, view, width, height, ratio);
    const ctx = fitCanvas(this.canvas, width, height, ratio);
    ctx.clearRect(0, 0, width, height);
    ctx.drawImage(this.roads, 0, 0, width, height);
    ctx.drawImage(this.lit, 0, 0, width, height);
    const at = (node) => [
      this.problem.x[node] * view.scale + view.x,
      this.problem.y[node] * view.scale + view.y,
    ];
    const cell = view.scale * this.problem.world.unit;
    if (this.look.layers.open) this.#drawOpen(ctx, palette, scene.step, at, cell);
    drawOverlay(ctx, palette, { ...this.look, ...scene }, at, Math.max(cell, 3));
  }

  #lineWidth(view) {
    return Math.min(Math.max(0.12 * view.scale * this.problem.world.unit, 0.7), 4);
  }

  #drawRoads(view, palette, width, height, ratio) {
    const ctx = fitCanvas(this.roads, width, height, ratio);
    const {
      x,
      y,
      edges: { from, to },
    } = this.problem;
    ctx.clearRect(0, 0, width, height);
    ctx.beginPath();
    for (let edge = 0; edge < from.length; edge++) {
      const [x1, y1] = [x[from[edge]] * view.scale + view.x, y[from[edge]] * view.scale + view.y];
      const [x2, y2] = [x[to[edge]] * view.scale + view.x, y[to[edge]] * view.scale + view.y];
      if (Math.max(x1, x2) < 0 || Math.max(y1, y2) < 0) continue;
      if (Math.min(x1, x2) > width || Math.min(y1, y2) > height) continue;
      ctx.moveTo(x1, y1);
      ctx.lineTo(x2, y2);
    }
    ctx.strokeStyle = palette.road;
    ctx.lineWidth = this.#lineWidth(view);
    ctx.stroke();
  }

  #goTo(step, view, width, height, ratio) {
    const { trace, layers } = this.look;
    if (!trace || !layers.close) step = 0;
    if (step < this.step) {
      const ctx = fitCanvas(this.lit, width, height, ratio);
      ctx.clearRect(0, 0, width, height);
      const snapshot = this.snapshots.findLast((each) => each.step <= step);
      if (snapshot) ctx.drawImage(snapshot.picture, 0, 0, width, height);
      this.step = snapshot?.step ?? 0;
    }
    if (step === this.step) return;
    const pixels = this.lit.width * this.lit.height;
    const kept = Math.max(2, Math.min(SNAPSHOTS, Math.floor(MOST_PIXELS / Math.max(pixels, 1))));
    const stride = Math.max(64, Math.ceil(trace.length / kept));
    while (this.step < step) {
      const end = Math.min(step, (Math.floor(this.step / stride) + 1) * stride);
      this.#light(this.step, end, view, width, height, ratio);
      this.step = end;
      if (end % stride === 0 && end > (this.snapshots.at(-1)?.step ?? 0)) this.#keep(end);
    }
  }

  #keep(step) {
    const picture = document.createElement("canvas");
    Object.assign(picture, { width: this.lit.width, height: this.lit.height });
    picture.getContext("2d").drawImage(this.lit, 0, 0);
    this.snapshots.push({ step, picture });
  }

  // Draw the edges of the nodes expanded from one step to another. Neighbouring steps of one colour
  // are one stroke.
  #light(from, to, view, width, height, ratio) {
    const { trace, colours } = this.look;
    const { x, y, offsets, targets } = this.problem;
    const ctx = fitCanvas(this.lit, width, height, ratio);
    const line = this.#lineWidth(view) + 0.9;
    const nodeSize = view.scale * this.problem.world.unit >= LEAST_NODE ? 1.6 * line : 0;
    ctx.lineCap = "round";
    ctx.lineWidth = line;
    const { nodes } = trace;
    let k = from;
    while (k < to) {
      const colour = colours[k];
      const discs = [];
      ctx.beginPath();
      for (; k < to && colours[k] === colour; k++) {
        const node = nodes[k];
        const [px, py] = [x[node] * view.scale + view.x, y[node] * view.scale + view.y];
        if (nodeSize) discs.push(px, py);
        for (let edge = offsets[node]; edge < offsets[node + 1]; edge++) {
          const other = targets[edge];
          ctx.moveTo(px, py);
          // An edge whose other end was expanded before keeps that end's colour on its half.
          const part = trace.firsts[other] && trace.firsts[other] <= k ? 0.5 : 1;
          ctx.lineTo(
            px + part * (x[other] * view.scale + view.x - px),
            py + part * (y[other] * view.scale + view.y - py),
          );
        }
      }
      ctx.strokeStyle = ctx.fillStyle = cssColour(colour);
      ctx.stroke();
      if (!nodeSize) continue;
      ctx.beginPath();
      for (let d = 0; d < discs.length; d += 2) {
        ctx.moveTo(discs[d], discs[d + 1]);
        ctx.arc(discs[d], discs[d + 1], nodeSize, 0, 2 * Math.PI);
      }
      ctx.fill();
    }
  }

  #drawOpen(ctx, palette, step, at, cell) {
    const { trace } = this.look;
    if (!trace?.seen) return;
    const reach = Math.min(Math.max(0.16 * cell, 1.3), 4);
    ctx.beginPath();
    const end = trace.discoveredBy(step);
    for (let k = 0; k < end; k++) {
      const node = trace.seen.nodes[k];
      if (trace.firsts[node] && trace.firsts[node] <= step) continue;
      const [px, py] = at(node);
      ctx.moveTo(px + reach, py);
      ctx.arc(px, py, reach, 0, 2 * Math.PI);
    }
    ctx.fillStyle = palette.quiet;
    ctx.fill();
  }

  nodeAt(px, py, width, height) {
    const view = this.viewport.on(width, height, this.problem.world);
    return this.problem.nodeAt(
      (px - view.x) / view.scale,
      (py - view.y) / view.scale,
      18 / view.scale,
    );
  }

  screenOf(node, width, height) {
    const view = this.viewport.on(width, height, this.problem.world);
    const [x, y] = this.problem.place(node);
    return [x * view.scale + view.x, y * view.scale + view.y, view.scale * this.problem.world.unit];
  }

  destroy() {
    this.snapshots = [];
  }
}
