// Where a view looks: screen = world * scale + offset. All panes share one, so that they compare.

const LEAST_ZOOM = 0.5; // of the scale at which everything fits
const MOST_UNIT_PIXELS = 96; // of one unit of the world

export class Viewport {
  constructor() {
    this.zoom = 1; // 1: everything fits
    this.x = 0.5; // the world's place in the middle of the screen, as a part of its extent
    this.y = 0.5;
    this.listeners = new Set();
    this.version = 0; // counts the changes
  }

  // The transform of a canvas of this size (in CSS pixels) for a world of this extent.
  on(width, height, world) {
    const margin = Math.min(14, 0.04 * Math.min(width, height));
    const fit = Math.min((width - 2 * margin) / world.width, (height - 2 * margin) / world.height);
    const scale = fit * this.zoom;
    return {
      scale,
      fit,
      x: width / 2 - (world.left + this.x * world.width) * scale,
      y: height / 2 - (world.top + this.y * world.height) * scale,
    };
  }

  zoomAt(factor, px, py, width, height, world) {
    const before = this.on(width, height, world);
    const most = Math.max(4, (MOST_UNIT_PIXELS * world.unit) / before.fit);
    this.zoom = Math.min(Math.max(this.zoom * factor, LEAST_ZOOM), most);
    const after = this.on(width, height, world);
    // What is under the pointer stays there.
    const [wx, wy] = [(px - before.x) / before.scale, (py - before.y) / before.scale];
    this.pan(px - (wx * after.scale + after.x), py - (wy * after.scale + after.y), after, world);
  }

  pan(dx, dy, { scale }, world) {
    this.x = withinWorld(this.x - dx / scale / world.width);
    this.y = withinWorld(this.y - dy / scale / world.height);
    this.changed();
  }

  // Move as little as needed until a place of the world is on the screen.
  reveal(wx, wy, width, height, world) {
    const view = this.on(width, height, world);
    const edge = 24;
    const over = (place, size) => Math.min(place - edge, 0) + Math.max(place - size + edge, 0);
    const dx = over(wx * view.scale + view.x, width);
    const dy = over(wy * view.scale + view.y, height);
    if (dx || dy) this.pan(-dx, -dy, view, world);
  }

  reset() {
    [this.zoom, this.x, this.y] = [1, 0.5, 0.5];
    this.changed();
  }

  changed() {
    this.version++;
    for (const listener of this.listeners) listener();
  }
}

const withinWorld = (part) => Math.min(Math.max(part, -0.1), 1.1);
