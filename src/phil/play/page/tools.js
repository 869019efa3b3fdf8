// Drawing on a 2D map: which cells a tool changes. Nothing here knows the screen.

export const TOOLS = [
  ["brush", "Draw walls"],
  ["erase", "Erase walls"],
  ["line", "Line of walls"],
  ["rectangle", "Rectangle of walls"],
  ["fill", "Fill an area"],
  ["hand", "Move the map"],
];

function* lineCells(problem, from, to) {
  const { columns } = problem;
  let [row, column] = [Math.floor(from / columns), from % columns];
  const [toRow, toColumn] = [Math.floor(to / columns), to % columns];
  const [high, wide] = [Math.abs(toRow - row), Math.abs(toColumn - column)];
  const [down, right] = [Math.sign(toRow - row), Math.sign(toColumn - column)];
  let error = wide - high;
  for (;;) {
    yield row * columns + column;
    if (row === toRow && column === toColumn) return;
    const twice = 2 * error;
    // One step at a time along both axes: a wall without gaps for diagonal moves.
    if (twice > -high) {
      error -= high;
      column += right;
      if (twice < wide) yield row * columns + column;
    }
    if (twice < wide) {
      error += wide;
      row += down;
    }
  }
}

function* discCells(problem, centre, width) {
  const { rows, columns } = problem;
  const [row, column] = [Math.floor(centre / columns), centre % columns];
  const reach = (width - 1) / 2;
  const [low, high] = [-Math.floor(reach), Math.ceil(reach)];
  for (let r = Math.max(0, row + low); r <= Math.min(row + high, rows - 1); r++) {
    for (let c = Math.max(0, column + low); c <= Math.min(column + high, columns - 1); c++) {
      yield r * columns + c;
    }
  }
}

function* rectangleCells({ columns }, from, to) {
  const [r1, r2] = [from, to].map((node) => Math.floor(node / columns)).sort((a, b) => a - b);
  const [c1, c2] = [from % columns, to % columns].sort((a, b) => a - b);
  for (let row = r1; row <= r2; row++) {
    for (let column = c1; column <= c2; column++) yield row * columns + column;
  }
}

// The area of equal cells around one, by rows: the usual flood fill over four neighbours.
function floodCells({ free, rows, columns }, from) {
  const wanted = free[from];
  const found = [];
  const seen = new Uint8Array(free.length);
  const stack = [from];
  seen[from] = 1;
  while (stack.length) {
    const node = stack.pop();
    found.push(node);
    const [row, column] = [Math.floor(node / columns), node % columns];
    const next = [
      row > 0 && node - columns,
      row < rows - 1 && node + columns,
      column > 0 && node - 1,
      column < columns - 1 && node + 1,
    ];
    for (const other of next) {
      if (other === false || seen[other] || free[other] !== wanted) continue;
      seen[other] = 1;
      stack.push(other);
    }
  }
  return found;
}

// The cells that a tool covers when it is dragged from one cell to another, as it is now.
function* toolCells(problem, tool, from, to, width) {
  if (tool === "fill") yield* floodCells(problem, from);
  else if (tool === "rectangle") yield* rectangleCells(problem, from, to);
  else for (const node of lineCells(problem, from, to)) yield* discCells(problem, node, width);
}

// What changes: {cells, before, after}; null if nothing does. The ends of the problem stay free.
export function strokeOf(problem, tool, from, to, width) {
  const after = tool === "erase" || (tool === "fill" && !problem.free[from]) ? 1 : 0;
  const changed = new Set();
  for (const node of toolCells(problem, tool, from, to, width)) {
    const end = node === problem.start || node === problem.goal;
    if (problem.free[node] !== after && !end) changed.add(node);
  }
  return changed.size ? editOf(problem, [...changed], after) : null;
}

function editOf(problem, nodes, after) {
  const cells = Int32Array.from(nodes);
  return {
    cells,
    before: cells.map((node) => problem.free[node]),
    after: new Uint8Array(cells.length).fill(after),
  };
}

export function clearing(problem) {
  const nodes = [];
  problem.free.forEach((free, node) => {
    if (!free) nodes.push(node);
  });
  return nodes.length ? editOf(problem, nodes, 1) : null;
}

// Join the strokes of one drag: of each cell, what it was first and what it is last.
export function joined(edits) {
  const [before, after] = [new Map(), new Map()];
  for (const edit of edits) {
    edit.cells.forEach((node, index) => {
      if (!before.has(node)) before.set(node, edit.before[index]);
      after.set(node, edit.after[index]);
    });
  }
  return {
    cells: Int32Array.from(before.keys()),
    before: Uint8Array.from(before.values()),
    after: Uint8Array.from(before.keys(), (node) => after.get(node)),
  };
}
