// Pictures of the panes: PNG as they are on the screen, SVG with lines and text that stay sharp.

import { THEMES, cssColour } from "./colour.js";
import { svg } from "./dom.js";

const TITLE = 46; // pixels above each view for its method and counts
const GAP = 16;
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const PNG_RATIO = 2;

export function download(name, blob) {
  const link = Object.assign(document.createElement("a"), {
    download: name,
    href: URL.createObjectURL(blob),
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Where each pane is on the sheet: as many columns as on the screen.
function sheet(panes) {
  const columns = panes.length > 1 ? 2 : 1;
  const [width, height] = [panes[0].width, panes[0].height + TITLE];
  const boxes = panes.map((pane, index) => ({
    pane,
    x: GAP + (index % columns) * (width + GAP),
    y: GAP + Math.floor(index / columns) * (height + GAP),
  }));
  const rows = Math.ceil(panes.length / columns);
  return { boxes, width: columns * (width + GAP) + GAP, height: rows * (height + GAP) + GAP };
}

export async function pngOf(panes, theme) {
  const { boxes, width, height } = sheet(panes);
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: width * PNG_RATIO, height: height * PNG_RATIO });
  const ctx = canvas.getContext("2d");
  const palette = THEMES[theme];
  ctx.scale(PNG_RATIO, PNG_RATIO);
  ctx.fillStyle = palette.ground;
  ctx.fillRect(0, 0, width, height);
  ctx.fillStyle = palette.text;
  for (const { pane, x, y } of boxes) {
    ctx.font = `600 15px ${FONT}`;
    ctx.fillText(`${pane.letter}  ${pane.pane.method}`, x, y + 16);
    ctx.font = `13px ${FONT}`;
    ctx.fillText(pane.caption.textContent, x, y + 36);
    pane.view.draw(pane.scene(), pane.width, pane.height, PNG_RATIO);
    ctx.drawImage(pane.canvas, x, y + TITLE, pane.width, pane.height);
    pane.drawn = null;
    pane.draw();
  }
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

export function svgOf(panes, theme) {
  const { boxes, width, height } = sheet(panes);
  const palette = THEMES[theme];
  const root = svg("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    "font-family": FONT,
  });
  root.append(svg("rect", { width, height, fill: palette.ground }));
  boxes.forEach(({ pane, x, y }, index) => {
    const text = (size, weight, down, words) => {
      const line = svg("text", {
        x,
        y: y + down,
        "font-size": size,
        "font-weight": weight,
        fill: palette.text,
      });
      line.textContent = words;
      return line;
    };
    const clip = svg(
      "clipPath",
      { id: `pane${index}` },
      svg("rect", { width: pane.width, height: pane.height }),
    );
    const group = svg(
      "g",
      { transform: `translate(${x} ${y + TITLE})`, "clip-path": `url(#pane${index})` },
      ...viewParts(pane, palette),
      ...lineParts(pane, palette),
    );
    root.append(
      text(15, 600, 16, `${pane.letter}  ${pane.pane.method}`),
      text(13, 400, 36, pane.caption.textContent),
      clip,
      group,
    );
  });
  return new Blob([new XMLSerializer().serializeToString(root)], { type: "image/svg+xml" });
}

function viewParts(pane, palette) {
  const { view, width, height } = pane;
  const { problem } = view;
  if (problem.kind === "graph") return graphParts(pane, palette);
  if (problem.kind === "grid3d") {
    return [svg("image", { width, height, href: pane.canvas.toDataURL() })];
  }
  const at = view.viewport.on(width, height, problem.world);
  return [
    svg("image", {
      x: at.x,
      y: at.y,
      width: problem.columns * at.scale,
      height: problem.rows * at.scale,
      href: view.picture.toDataURL(),
      preserveAspectRatio: "none",
      "image-rendering": "pixelated",
    }),
  ];
}

const short = (number) => Number(number.toFixed(1));

function graphParts({ view, width, height, pane, app }, palette) {
  const { problem, look } = view;
  const { scale, x, y } = view.viewport.on(width, height, problem.world);
  const px = (node) => short(problem.x[node] * scale + x);
  const py = (node) => short(problem.y[node] * scale + y);
  const line = (from, to) => `M${px(from)} ${py(from)}L${px(to)} ${py(to)}`;
  const { from, to } = problem.edges;
  const roads = Array.from(from, (node, edge) => line(node, to[edge])).join("");
  const parts = [svg("path", { d: roads, stroke: palette.road, fill: "none" })];
  const lit = new Map();
  const nodes = look.trace?.nodes;
  const step = look.layers.close ? app.stepOf(pane) : 0;
  for (let k = 0; k < step; k++) {
    const node = nodes[k];
    const lines = lit.get(look.colours[k]) ?? [];
    for (const other of problem.neighbours(node)) lines.push(line(node, other));
    lit.set(look.colours[k], lines);
  }
  for (const [colour, lines] of lit) {
    parts.push(
      svg("path", {
        d: lines.join(""),
        stroke: cssColour(colour),
        "stroke-width": 1.6,
        fill: "none",
      }),
    );
  }
  return parts;
}

function lineParts(pane, palette) {
  const { view, width, height } = pane;
  const scene = pane.scene();
  const at = (node) => view.screenOf(node, width, height).slice(0, 2).map(short);
  const parts = [];
  if (view.look.layers.path && scene.path.length > 1) {
    const points = Array.from(scene.path, (node) => at(node).join()).join(" ");
    for (const [stroke, thick] of [
      [palette.halo, 5],
      [palette.path, 2.6],
    ]) {
      parts.push(
        svg("polyline", {
          points,
          stroke,
          "stroke-width": thick,
          fill: "none",
          "stroke-linejoin": "round",
        }),
      );
    }
  }
  const rings = [
    [
      scene.goal,
      [
        [8, palette.halo],
        [6.2, palette.path],
      ],
    ],
    [
      scene.start,
      [
        [8, palette.halo],
        [6.2, palette.path],
        [3.2, palette.halo],
      ],
    ],
  ];
  for (const [node, discs] of rings) {
    const [cx, cy] = at(node);
    for (const [r, fill] of discs) parts.push(svg("circle", { cx, cy, r, fill }));
  }
  return parts;
}
