// Lines and marks over a view: parents, the path, start and goal, and nodes that are pointed at.

const MOST_PARENTS = 60000; // lines in one frame
const LEAST_CELL = 3; // pixels a cell; lines between smaller cells cannot be told apart

// `at(node)` is a node's place on the canvas in CSS pixels; `cell` how many pixels a cell has.
export function drawOverlay(ctx, palette, scene, at, cell) {
  ctx.lineJoin = ctx.lineCap = "round";
  if (scene.layers.parents) drawParents(ctx, palette, scene, at, cell);
  if (scene.layers.path) drawPath(ctx, palette, scene.path, at, cell);
  drawEnds(ctx, palette, scene, at, cell);
  for (const [node, kind] of scene.marks) drawMark(ctx, palette, at(node), kind, cell);
}

function drawParents(ctx, palette, { trace, step }, at, cell) {
  const parents = trace?.column("parent");
  if (!parents || cell < LEAST_CELL) return;
  const { nodes } = trace;
  ctx.beginPath();
  for (let k = Math.max(0, step - MOST_PARENTS); k < step; k++) {
    if (parents[k] < 0) continue;
    ctx.moveTo(...at(parents[k]));
    ctx.lineTo(...at(nodes[k]));
  }
  ctx.strokeStyle = palette.text;
  ctx.globalAlpha = 0.55;
  ctx.lineWidth = Math.min(1.2, 0.16 * cell);
  ctx.stroke();
  ctx.globalAlpha = 1;
}

function drawPath(ctx, palette, path, at, cell) {
  if (path.length < 2) return;
  ctx.beginPath();
  for (const node of path) ctx.lineTo(...at(node));
  const width = Math.min(Math.max(0.28 * cell, 1.7), 6);
  for (const [colour, more] of [
    [palette.halo, Math.min(1.5, width)],
    [palette.path, 0],
  ]) {
    ctx.strokeStyle = colour;
    ctx.lineWidth = width + more;
    ctx.stroke();
  }
}

export function markRadius(cell) {
  return Math.min(Math.max(0.7 * cell, 6.5), 14);
}

// The start is a ring, the goal a disc.
function drawEnds(ctx, palette, { start, goal }, at, cell) {
  const radius = markRadius(cell);
  const discs = [
    [
      goal,
      [
        [1, palette.halo],
        [0.78, palette.path],
      ],
    ],
    [
      start,
      [
        [1, palette.halo],
        [0.78, palette.path],
        [0.4, palette.halo],
      ],
    ],
  ];
  for (const [node, rings] of discs) {
    if (node === null || node < 0) continue;
    for (const [part, colour] of rings) {
      ctx.beginPath();
      ctx.arc(...at(node), part * radius, 0, 2 * Math.PI);
      ctx.fillStyle = colour;
      ctx.fill();
    }
  }
}

// A cross-hair for the cursor, a square for a node that a comparison found.
function drawMark(ctx, palette, [x, y], kind, cell) {
  const reach = Math.max(0.5 * cell, 4) + 2.5;
  ctx.beginPath();
  if (kind === "cursor") {
    ctx.arc(x, y, reach, 0, 2 * Math.PI);
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ]) {
      ctx.moveTo(x + dx * reach, y + dy * reach);
      ctx.lineTo(x + dx * (reach + 4), y + dy * (reach + 4));
    }
  } else {
    ctx.rect(x - reach, y - reach, 2 * reach, 2 * reach);
  }
  for (const [colour, width] of [
    [palette.halo, 4],
    [palette.text, 1.8],
  ]) {
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.stroke();
  }
}

// A canvas for this many CSS pixels, sharp on the screen; the context is scaled to CSS pixels.
export function fitCanvas(canvas, width, height, ratio) {
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  const ctx = canvas.getContext("2d");
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  return ctx;
}
