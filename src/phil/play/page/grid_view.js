// A search on a 2D map: one pixel a cell in a hidden picture, scaled onto the canvas.
//
// From one frame to the next only those cells are painted that change: nodes expanded or discovered
// between the two steps, in either direction. So a frame costs as much as it changes, and only the
// rows of the changed cells are copied.

import { THEMES } from "./colour.js";
import { drawOverlay, fitCanvas } from "./overlay.js";

const GRID_LINES = 9; // pixels a cell from which cells are outlined

export class GridView {
  constructor(canvas, problem, viewport) {
    Object.assign(this, { canvas, problem, viewport });
    const { rows, columns } = problem;
    this.picture = document.createElement("canvas");
    Object.assign(this.picture, { width: columns, height: rows });
    this.ctx = this.picture.getContext("2d");
    this.image = this.ctx.createImageData(columns, rows);
    this.cells = new Uint32Array(this.image.data.buffer);
    this.dirty = null; // the first and the last cell that is painted but not copied
    this.step = 0;
    this.look = null;
  }

  // What is shown: {trace, colours, layers, theme}.
  setLook(look) {
    const before = this.look;
    this.look = look;
    const same =
      before?.theme === look.theme &&
      before.layers.open === look.layers.open &&
      before.layers.close === look.layers.close;
    if (!same) return this.#repaint();
    // The same map in the same style: only the nodes of the two searches can differ.
    for (const trace of new Set([before.trace, look.trace])) {
      for (const nodes of [trace?.nodes, trace?.seen?.nodes]) if (nodes) this.cellsChanged(nodes);
    }
  }

  #repaint() {
    this.#paint(null, 0, this.cells.length);
  }

  // Cells of the map have changed.
  cellsChanged(nodes) {
    this.#paint(nodes, 0, nodes.length);
  }

  // Paint the cells that a part of a list names; without a list, those of these numbers. This is the
  // loop that runs a million times in a frame: nothing in it is looked up twice.
  #paint(nodes, from, to) {
    if (from >= to) return;
    const { trace, colours, layers, theme } = this.look;
    const { free, wall, open } = THEMES[theme];
    const { cells, step } = this;
    const isFree = this.problem.free;
    const firsts = trace?.firsts;
    const seen = layers.open ? trace?.seen?.at : null;
    let [low, high] = this.dirty ?? [Infinity, -1];
    for (let k = from; k < to; k++) {
      const node = nodes ? nodes[k] : k;
      let colour = free;
      if (!isFree[node]) colour = wall;
      else if (firsts) {
        const order = firsts[node];
        if (order && order <= step) colour = layers.close ? colours[order - 1] : free;
        else if (seen && seen[node] && seen[node] - 1 <= step) colour = open;
      }
      cells[node] = colour;
      if (node < low) low = node;
      if (node > high) high = node;
    }
    this.dirty = [low, high];
  }

  #goTo(step) {
    const { trace } = this.look;
    const [low, high] = [Math.min(step, this.step), Math.max(step, this.step)];
    this.step = step;
    if (!trace || low === high) return;
    const { nodes } = trace;
    this.#paint(nodes, low, Math.min(high, nodes.length));
    if (!trace.seen || !this.look.layers.open) return;
    this.#paint(trace.seen.nodes, trace.discoveredBy(low), trace.discoveredBy(high));
  }

  // Copy the rows from the first to the last cell that was painted.
  #copy() {
    if (!this.dirty) return;
    const { columns } = this.problem;
    const [top, bottom] = this.dirty.map((node) => Math.floor(node / columns));
    this.ctx.putImageData(this.image, 0, 0, 0, top, columns, bottom - top + 1);
    this.dirty = null;
  }

  // `scene`: {step, path, start, goal, marks}.
  draw(scene, width, height, ratio = devicePixelRatio || 1) {
    this.#goTo(scene.step);
    this.#copy();
    const palette = THEMES[this.look.theme];
    const view = this.viewport.on(width, height, this.problem.world);
    const ctx = fitCanvas(this.canvas, width, height, ratio);
    ctx.clearRect(0, 0, width, height);
    // Enlarged cells have sharp borders; of cells below a pixel, the browser shows the mean.
    ctx.imageSmoothingEnabled = view.scale * ratio < 1;
    ctx.imageSmoothingQuality = "medium";
    const { rows, columns } = this.problem;
    ctx.drawImage(this.picture, view.x, view.y, columns * view.scale, rows * view.scale);
    if (view.scale >= GRID_LINES) this.#drawLines(ctx, palette, view, width, height);
    const at = (node) => {
      const [x, y] = this.problem.place(node);
      return [x * view.scale + view.x, y * view.scale + view.y];
    };
    drawOverlay(ctx, palette, { ...this.look, ...scene }, at, view.scale);
  }

  #drawLines(ctx, palette, view, width, height) {
    const { rows, columns } = this.problem;
    const bounds = (offset, size, most) => [
      Math.max(0, Math.floor(-offset / view.scale)),
      Math.min(most, Math.ceil((size - offset) / view.scale)),
    ];
    const [left, right] = bounds(view.x, width, columns);
    const [top, bottom] = bounds(view.y, height, rows);
    const px = (column) => view.x + column * view.scale;
    const py = (row) => view.y + row * view.scale;
    ctx.beginPath();
    for (let column = left; column <= right; column++) {
      ctx.moveTo(px(column), py(top));
      ctx.lineTo(px(column), py(bottom));
    }
    for (let row = top; row <= bottom; row++) {
      ctx.moveTo(px(left), py(row));
      ctx.lineTo(px(right), py(row));
    }
    ctx.strokeStyle = palette.quiet;
    ctx.globalAlpha = 0.16;
    ctx.lineWidth = 1;
    ctx.stroke();
    ctx.globalAlpha = 1;
  }

  nodeAt(px, py, width, height) {
    const view = this.viewport.on(width, height, this.problem.world);
    return this.problem.nodeAt((px - view.x) / view.scale, (py - view.y) / view.scale);
  }

  screenOf(node, width, height) {
    const view = this.viewport.on(width, height, this.problem.world);
    const [x, y] = this.problem.place(node);
    return [x * view.scale + view.x, y * view.scale + view.y, view.scale];
  }

  destroy() {}
}
