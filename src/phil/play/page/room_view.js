// A search on a 3D map that can be turned: expanded cells are cubes, obstacles are translucent.
//
// WebGL draws as many cubes as nodes are expanded; the order of expansion is the order of the cubes,
// so that a step of the timeline only changes how many of them are drawn.

import { THEMES } from "./colour.js";
import { drawOverlay, fitCanvas } from "./overlay.js";

const HOME = { turn: 0.6, tilt: 0.6, zoom: 1, panX: 0, panY: 0 };
const TILT_LIMIT = Math.PI / 2;
const SHRINK = 0.84; // of a cube, so that neighbouring ones can be told apart
const OBSTACLE_OPACITY = 0.28;

// The sides of a unit cube as (axis, end, brightness), and the corners of each as a strip.
const SIDES = [
  [0, 1, 0.82],
  [0, 0, 0.9],
  [1, 1, 0.74],
  [1, 0, 0.86],
  [2, 1, 1.06],
  [2, 0, 0.6],
];
const CORNERS = new Float32Array(
  SIDES.flatMap(([axis, end, light]) =>
    [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ].flatMap((across) => [...across.toSpliced(axis, 0, end), light]),
  ),
);

const VERTEX = `#version 300 es
in vec4 corner; in vec3 cell; in vec4 colour;
uniform mat4 camera; uniform float size;
out vec4 shade;
void main() {
  vec3 place = cell + 0.5 + (corner.xyz - 0.5) * size;
  gl_Position = camera * vec4(place, 1.0);
  vec3 lit = corner.w > 1.0 ? mix(colour.rgb, vec3(1.0), corner.w - 1.0) : colour.rgb * corner.w;
  shade = vec4(lit, colour.a);
}`;
const FRAGMENT = `#version 300 es
precision mediump float;
in vec4 shade; out vec4 pixel;
void main() { pixel = vec4(shade.rgb * shade.a, shade.a); }`;

export class RoomCamera {
  constructor() {
    Object.assign(this, HOME);
    this.listeners = new Set();
    this.version = 0; // counts the changes
  }

  turnBy(right, down) {
    this.turn -= right;
    this.tilt = Math.min(Math.max(this.tilt + down, 0), TILT_LIMIT);
    this.changed();
  }

  zoomAt(factor, px, py, width, height) {
    const wanted = Math.min(Math.max(this.zoom * factor, 0.5), 20);
    const by = wanted / this.zoom;
    const [fromX, fromY] = [px / width - 0.5, (py - height / 2) / width];
    this.panX = fromX - (fromX - this.panX) * by;
    this.panY = fromY - (fromY - this.panY) * by;
    this.zoom = wanted;
    this.changed();
  }

  pan(dx, dy, width) {
    this.panX += dx / width;
    this.panY += dy / width;
    this.changed();
  }

  reset() {
    Object.assign(this, HOME);
    this.changed();
  }

  changed() {
    this.version++;
    for (const listener of this.listeners) listener();
  }

  // Where a point of the room is on a canvas of this size: x, y and depth are linear in it.
  projection(width, height, [X, Y, Z]) {
    const [cos, sin] = [Math.cos(this.turn), Math.sin(this.turn)];
    const [up, flat] = [Math.cos(this.tilt), Math.sin(this.tilt)];
    const across = Math.hypot(X, Y);
    const scale = 0.94 * Math.min(width / across, height / (across * flat + Z * up)) * this.zoom;
    const rows = [
      [scale * cos, scale * sin, 0],
      [scale * sin * flat, -scale * cos * flat, -scale * up],
      [-sin * up, cos * up, -flat],
    ]; // right, down, away from the viewer
    const middle = [X / 2, Y / 2, Z / 2];
    const offset = (row) => row.reduce((sum, part, axis) => sum - part * middle[axis], 0);
    const shift = [
      offset(rows[0]) + width * (0.5 + this.panX),
      offset(rows[1]) + height / 2 + width * this.panY,
      offset(rows[2]),
    ];
    const screen = (point) =>
      [0, 1].map(
        (k) => rows[k][0] * point[0] + rows[k][1] * point[1] + rows[k][2] * point[2] + shift[k],
      );
    return { rows, shift, scale, screen, depth: X + Y + Z };
  }
}

export class RoomView {
  constructor(canvas, problem, camera) {
    Object.assign(this, { canvas, problem, camera, look: null });
    this.solid = document.createElement("canvas");
    // Where a processor must do the work of a graphics card, lines are not smoothed.
    this.gl =
      this.solid.getContext("webgl2", { failIfMajorPerformanceCaveat: true }) ??
      this.solid.getContext("webgl2", { antialias: false });
    if (this.gl) this.#prepare();
  }

  #prepare() {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [kind, source] of [
      [gl.VERTEX_SHADER, VERTEX],
      [gl.FRAGMENT_SHADER, FRAGMENT],
    ]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    gl.useProgram(program);
    this.places = Object.fromEntries(
      ["corner", "cell", "colour"].map((name) => [name, gl.getAttribLocation(program, name)]),
    );
    this.uniforms = Object.fromEntries(
      ["camera", "size"].map((name) => [name, gl.getUniformLocation(program, name)]),
    );
    this.corners = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.corners);
    gl.bufferData(gl.ARRAY_BUFFER, CORNERS, gl.STATIC_DRAW);
    this.obstacles = SIDES.map(() => this.#cubes());
    this.nodes = this.#cubes();
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  #cubes() {
    return { cells: this.gl.createBuffer(), colours: this.gl.createBuffer(), count: 0 };
  }

  #fill(cubes, nodes, colours) {
    const { gl } = this;
    const cells = new Float32Array(3 * nodes.length);
    nodes.forEach((node, index) => cells.set(this.problem.cell(node), 3 * index));
    gl.bindBuffer(gl.ARRAY_BUFFER, cubes.cells);
    gl.bufferData(gl.ARRAY_BUFFER, cells, gl.STATIC_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, cubes.colours);
    gl.bufferData(gl.ARRAY_BUFFER, colours, gl.STATIC_DRAW);
    cubes.count = nodes.length;
  }

  setLook(look) {
    const restyled = this.look?.theme !== look.theme;
    this.look = look;
    if (!this.gl) return;
    if (restyled) this.#fillObstacles();
    const { trace, colours } = look;
    if (trace) this.#fill(this.nodes, trace.nodes, colours);
    else this.nodes.count = 0;
  }

  // For each side, the obstacles that have it to a free cell.
  #fillObstacles() {
    const { free, shape } = this.problem;
    const step = [shape[1] * shape[2], shape[2], 1];
    const [r, g, b] = [1, 3, 5].map((k) =>
      parseInt(THEMES[this.look.theme].solid.slice(k, k + 2), 16),
    );
    const colour = ((Math.round(255 * OBSTACLE_OPACITY) << 24) | (b << 16) | (g << 8) | r) >>> 0;
    SIDES.forEach(([axis, end], side) => {
      const shown = [];
      for (let node = 0; node < free.length; node++) {
        if (free[node]) continue;
        const place = this.problem.cell(node)[axis];
        const last = place === (end ? shape[axis] - 1 : 0);
        if (last || free[node + (end ? step[axis] : -step[axis])]) shown.push(node);
      }
      this.#fill(
        this.obstacles[side],
        Int32Array.from(shown),
        new Uint32Array(shown.length).fill(colour),
      );
    });
  }

  draw(scene, width, height, ratio = devicePixelRatio || 1) {
    const palette = THEMES[this.look.theme];
    const ctx = fitCanvas(this.canvas, width, height, ratio);
    ctx.clearRect(0, 0, width, height);
    const projection = this.camera.projection(width, height, this.problem.shape);
    this.#drawFloor(ctx, palette, projection);
    if (this.gl) {
      this.#drawCubes(scene, projection, width, height, ratio);
      ctx.drawImage(this.solid, 0, 0, width, height);
    } else {
      ctx.fillStyle = palette.text;
      ctx.font = "14px system-ui, sans-serif";
      ctx.fillText("This browser has no WebGL 2, which 3D maps need.", 16, 28);
    }
    const at = (node) => projection.screen(this.problem.cell(node).map((place) => place + 0.5));
    this.#drawPosts(ctx, palette, scene, projection);
    drawOverlay(ctx, palette, { ...this.look, ...scene }, at, projection.scale);
  }

  #drawFloor(ctx, palette, { screen }) {
    const [X, Y, Z] = this.problem.shape;
    const line = (...points) => {
      ctx.beginPath();
      for (const point of points) ctx.lineTo(...screen(point));
      ctx.stroke();
    };
    ctx.strokeStyle = palette.line;
    ctx.lineWidth = 1;
    const step = [1, 2, 5, 10, 20, 50, 100].find((s) => Math.max(X, Y) / s <= 12) ?? 200;
    for (let x = 0; x <= X; x += step) line([x, 0, 0], [x, Y, 0]);
    for (let y = 0; y <= Y; y += step) line([0, y, 0], [X, y, 0]);
    const [farX, farY] = [
      Math.sin(this.camera.turn) > 0 ? 0 : X,
      Math.cos(this.camera.turn) < 0 ? 0 : Y,
    ];
    line(
      [X - farX, farY, 0],
      [X - farX, farY, Z],
      [farX, farY, Z],
      [farX, Y - farY, Z],
      [farX, Y - farY, 0],
    );
    line([farX, farY, 0], [farX, farY, Z]);
    ctx.strokeStyle = palette.quiet;
    line([0, 0, 0], [X, 0, 0], [X, Y, 0], [0, Y, 0], [0, 0, 0]);
  }

  // Without a line to the floor, the place of a point above it cannot be seen.
  #drawPosts(ctx, palette, { start, goal, path }, { screen }) {
    ctx.strokeStyle = palette.text;
    ctx.setLineDash([3, 4]);
    ctx.lineWidth = 1;
    for (const node of [start, goal]) {
      const [x, y, z] = this.problem.cell(node);
      ctx.beginPath();
      ctx.moveTo(...screen([x + 0.5, y + 0.5, z + 0.5]));
      ctx.lineTo(...screen([x + 0.5, y + 0.5, 0]));
      ctx.stroke();
    }
    ctx.setLineDash([]);
    if (!path.length || !this.look.layers.path) return;
    ctx.beginPath();
    for (const node of path) {
      const [x, y] = this.problem.cell(node);
      ctx.lineTo(...screen([x + 0.5, y + 0.5, 0]));
    }
    ctx.globalAlpha = 0.28;
    ctx.lineWidth = 2;
    ctx.stroke();
    ctx.globalAlpha = 1;
  }

  #drawCubes(scene, { rows, shift, depth }, width, height, ratio) {
    const { gl } = this;
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.solid.width !== w || this.solid.height !== h) {
      Object.assign(this.solid, { width: w, height: h });
    }
    gl.viewport(0, 0, w, h);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const [right, down, away] = rows;
    const [sx, sy] = [2 / width, -2 / height];
    gl.uniformMatrix4fv(
      this.uniforms.camera,
      false,
      new Float32Array([
        sx * right[0],
        sy * down[0],
        away[0] / depth,
        0,
        sx * right[1],
        sy * down[1],
        away[1] / depth,
        0,
        sx * right[2],
        sy * down[2],
        away[2] / depth,
        0,
        sx * shift[0] - 1,
        sy * shift[1] + 1,
        shift[2] / depth,
        1,
      ]),
    );
    // Views are parallel, so of each direction either all sides are seen or none.
    const seen = SIDES.flatMap(([axis, end], side) =>
      (end ? 1 : -1) * away[axis] < 0 ? [side] : [],
    );
    if (this.look.layers.close) {
      gl.uniform1f(this.uniforms.size, SHRINK);
      for (const side of seen)
        this.#drawSides(this.nodes, side, Math.min(scene.step, this.nodes.count));
    }
    // Of obstacles, only the nearest surface is seen, and through it the search: first their depth is
    // drawn, then the colour of what is nearest.
    gl.uniform1f(this.uniforms.size, 1);
    gl.depthFunc(gl.LEQUAL);
    for (const shown of [false, true]) {
      gl.colorMask(shown, shown, shown, shown);
      for (const side of seen)
        this.#drawSides(this.obstacles[side], side, this.obstacles[side].count);
    }
    gl.depthFunc(gl.LESS);
  }

  #drawSides(cubes, side, count) {
    if (!count) return;
    const { gl, places } = this;
    const attribute = (place, buffer, size, type, normalised, each) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, type, normalised, 0, 0);
      gl.vertexAttribDivisor(place, each);
    };
    attribute(places.corner, this.corners, 4, gl.FLOAT, false, 0);
    attribute(places.cell, cubes.cells, 3, gl.FLOAT, false, 1);
    attribute(places.colour, cubes.colours, 4, gl.UNSIGNED_BYTE, true, 1);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 4 * side, 4, count);
  }

  // The expanded node in front at a place of the canvas; -1 if there is none.
  nodeAt(px, py, width, height, step) {
    const projection = this.camera.projection(width, height, this.problem.shape);
    const [, , away] = projection.rows;
    const reach = Math.max(0.6 * projection.scale, 6);
    let [best, nearest] = [-1, Infinity];
    const consider = (node) => {
      const centre = this.problem.cell(node).map((place) => place + 0.5);
      const [x, y] = projection.screen(centre);
      if (Math.hypot(x - px, y - py) > reach) return;
      const far = away[0] * centre[0] + away[1] * centre[1] + away[2] * centre[2];
      if (far < nearest) [best, nearest] = [node, far];
    };
    const nodes = this.look?.trace?.nodes ?? [];
    for (let k = 0; k < Math.min(step, nodes.length); k++) consider(nodes[k]);
    return best;
  }

  screenOf(node, width, height) {
    const projection = this.camera.projection(width, height, this.problem.shape);
    return [
      ...projection.screen(this.problem.cell(node).map((place) => place + 0.5)),
      projection.scale,
    ];
  }

  destroy() {
    this.gl?.getExtension("WEBGL_lose_context")?.loseContext();
  }
}
