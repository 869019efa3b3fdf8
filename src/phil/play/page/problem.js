// What is searched: a 2D map, a 3D map or a graph with a place for each node. One vocabulary for all.

class Grid2d {
  constructor(header, columns) {
    [this.rows, this.columns] = header.shape;
    this.free = columns.free.slice();
    this.size = this.free.length;
    this.world = { left: 0, top: 0, width: this.columns, height: this.rows, unit: 1 };
    this.editable = true;
  }

  place(node) {
    return [(node % this.columns) + 0.5, Math.floor(node / this.columns) + 0.5];
  }

  nodeAt(x, y) {
    const [row, column] = [Math.floor(y), Math.floor(x)];
    const inside = row >= 0 && column >= 0 && row < this.rows && column < this.columns;
    return inside ? row * this.columns + column : -1;
  }

  name(node) {
    return `${Math.floor(node / this.columns)}, ${node % this.columns}`;
  }

  // The node that the cursor reaches from another by so many rows and columns.
  step(node, down, right) {
    const row = Math.min(Math.max(Math.floor(node / this.columns) + down, 0), this.rows - 1);
    const column = Math.min(Math.max((node % this.columns) + right, 0), this.columns - 1);
    return row * this.columns + column;
  }

  parse(text) {
    const [row, column] = numbersIn(text, 2);
    return row < this.rows && column < this.columns ? row * this.columns + column : -1;
  }

  get sizeText() {
    return `${this.rows} × ${this.columns} cells`;
  }
}

class Grid3d {
  constructor(header, columns) {
    this.shape = header.shape;
    this.free = columns.free.slice();
    this.size = this.free.length;
    this.world = { left: 0, top: 0, width: 1, height: 1, unit: 1 };
    this.editable = false;
  }

  cell(node) {
    const [, Y, Z] = this.shape;
    return [Math.floor(node / (Y * Z)), Math.floor(node / Z) % Y, node % Z];
  }

  name(node) {
    return this.cell(node).join(", ");
  }

  step(node, down, right, up = 0) {
    const moved = this.cell(node).map((place, axis) =>
      Math.min(Math.max(place + [right, -down, up][axis], 0), this.shape[axis] - 1),
    );
    return this.#node(moved);
  }

  parse(text) {
    const cell = numbersIn(text, 3);
    return cell.every((place, axis) => place < this.shape[axis]) ? this.#node(cell) : -1;
  }

  #node([x, y, z]) {
    return (x * this.shape[1] + y) * this.shape[2] + z;
  }

  get sizeText() {
    return `${this.shape.join(" × ")} cells`;
  }
}

class PlacedGraph {
  constructor(header, columns) {
    this.size = header.nodes;
    this.x = columns.x;
    this.y = columns.y.map((value) => -value); // upwards in the data, downwards on the screen
    this.labels = header.labels ?? null;
    this.directed = header.directed;
    this.editable = false;
    this.world = extent(this.x, this.y);
    this.#connect(columns.from, columns.to);
    this.#index();
  }

  // The neighbours of a node are targets[offsets[node] .. offsets[node + 1]].
  #connect(from, to) {
    this.edges = { from, to };
    const both = !this.directed;
    const offsets = new Int32Array(this.size + 1);
    from.forEach((node, edge) => {
      offsets[node + 1]++;
      if (both) offsets[to[edge] + 1]++;
    });
    for (let node = 0; node < this.size; node++) offsets[node + 1] += offsets[node];
    const next = offsets.slice();
    const targets = new Int32Array(offsets[this.size]);
    from.forEach((node, edge) => {
      targets[next[node]++] = to[edge];
      if (both) targets[next[to[edge]]++] = node;
    });
    Object.assign(this, { offsets, targets });
  }

  // Nodes by squares of the plane, so that the one under the pointer is found at once.
  #index() {
    const { left, top, width, height } = this.world;
    const side = Math.max(1, Math.round(Math.sqrt(this.size / 4)));
    this.cells = { side, lists: new Map() };
    for (let node = 0; node < this.size; node++) {
      const key = this.#square(this.x[node] - left, this.y[node] - top, width, height);
      const list = this.cells.lists.get(key);
      if (list) list.push(node);
      else this.cells.lists.set(key, [node]);
    }
  }

  #square(dx, dy, width, height) {
    const { side } = this.cells;
    const part = (d, length) => Math.min(Math.max(Math.floor((d / length) * side), 0), side - 1);
    return part(dy, height) * side + part(dx, width);
  }

  place(node) {
    return [this.x[node], this.y[node]];
  }

  // The nearest node within `reach`; -1 if there is none.
  nodeAt(x, y, reach) {
    const { left, top, width, height } = this.world;
    const { side, lists } = this.cells;
    const low = this.#square(x - reach - left, y - reach - top, width, height);
    const high = this.#square(x + reach - left, y + reach - top, width, height);
    let [best, least] = [-1, reach];
    for (let row = Math.floor(low / side); row <= Math.floor(high / side); row++) {
      for (let column = low % side; column <= high % side; column++) {
        for (const node of lists.get(row * side + column) ?? []) {
          const far = Math.hypot(this.x[node] - x, this.y[node] - y);
          if (far <= least) [best, least] = [node, far];
        }
      }
    }
    return best;
  }

  neighbours(node) {
    return this.targets.subarray(this.offsets[node], this.offsets[node + 1]);
  }

  name(node) {
    return this.labels?.[node] ?? `node ${node}`;
  }

  // The neighbour that lies most in that direction.
  step(node, down, right) {
    let [best, most] = [node, 0.3];
    for (const next of this.neighbours(node)) {
      const [dx, dy] = [this.x[next] - this.x[node], this.y[next] - this.y[node]];
      const along = (dx * Math.sign(right) + dy * Math.sign(down)) / (Math.hypot(dx, dy) || 1);
      if (along > most) [best, most] = [next, along];
    }
    return best;
  }

  parse(text) {
    const labelled = this.labels?.indexOf(text.trim()) ?? -1;
    if (labelled >= 0) return labelled;
    const [node] = numbersIn(text, 1);
    return node < this.size ? node : -1;
  }

  get sizeText() {
    return `${this.size.toLocaleString("en-US")} nodes`;
  }
}

const PROBLEM_KINDS = { grid2d: Grid2d, grid3d: Grid3d, graph: PlacedGraph };

// From a `problem` frame. `origin` is the PROBLEM by which it is opened again.
export function readProblem(header, columns) {
  const problem = new PROBLEM_KINDS[header.kind](header, columns);
  const { kind, name, text, start, goal, connectivity, corners, methods } = header;
  return Object.assign(problem, {
    kind,
    title: name,
    text,
    start,
    goal,
    connectivity,
    corners,
    methods,
    origin: header.problem,
    edited: false,
  });
}

function numbersIn(text, wanted) {
  const found = (text.match(/\d+/g) ?? []).map(Number);
  return Array.from({ length: wanted }, (_, index) => found[index] ?? Infinity);
}

function extent(x, y) {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let node = 0; node < x.length; node++) {
    left = Math.min(left, x[node]);
    right = Math.max(right, x[node]);
    top = Math.min(top, y[node]);
    bottom = Math.max(bottom, y[node]);
  }
  const least = Math.max(right - left, bottom - top) / 100 || 1;
  const [width, height] = [Math.max(right - left, least), Math.max(bottom - top, least)];
  // The unit: how far nodes are from each other, on average.
  return { left, top, width, height, unit: Math.sqrt((width * height) / x.length) };
}
