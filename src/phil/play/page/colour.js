// Colours of cells. All are packed as a Uint32 of ImageData: 0xAABBGGRR.

// Viridis without its darkest fifth, as in PHIL's pictures: lightness rises evenly from the first
// expansion to the last, so that the order can be read in greyscale and by the colour-blind.
const SEQUENTIAL = [
  [65, 68, 135],
  [53, 95, 141],
  [42, 120, 142],
  [33, 145, 140],
  [34, 168, 132],
  [68, 191, 112],
  [122, 209, 81],
  [189, 223, 38],
  [240, 229, 29],
];
// Blue for too low, orange for too high, grey for right: safe for all common colour blindness.
const DIVERGING = [
  [5, 67, 134],
  [42, 112, 178],
  [108, 158, 205],
  [172, 197, 221],
  [205, 205, 203],
  [232, 189, 150],
  [222, 143, 79],
  [188, 95, 31],
  [127, 51, 4],
];

export const LEVELS = 256;
const MOST_SAMPLED = 20000; // numbers of a search, to find their range

const packed = (r, g, b) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;

export function cssColour(colour) {
  return `rgb(${colour & 255},${(colour >> 8) & 255},${(colour >> 16) & 255})`;
}

function spread(stops) {
  return Uint32Array.from({ length: LEVELS }, (_, level) => {
    const place = (level / (LEVELS - 1)) * (stops.length - 1);
    const low = Math.min(Math.floor(place), stops.length - 2);
    const part = place - low;
    const channel = (k) => Math.round(stops[low][k] * (1 - part) + stops[low + 1][k] * part);
    return packed(channel(0), channel(1), channel(2));
  });
}

export const MAPS = { sequential: spread(SEQUENTIAL), diverging: spread(DIVERGING) };

// What is not coloured by a number, for each theme.
export const THEMES = {
  light: {
    free: packed(247, 246, 242),
    wall: packed(40, 44, 54),
    open: packed(196, 199, 206),
    faded: packed(205, 207, 211),
    ground: "#ffffff",
    road: "#d3d6dc",
    text: "#1d2129",
    quiet: "#626a78",
    line: "#dfe1e5",
    solid: "#a9b1c0",
    path: "#d0105a",
    halo: "#ffffff",
    only: packed(208, 16, 90),
  },
  dark: {
    free: packed(27, 32, 40),
    wall: packed(92, 102, 122),
    open: packed(58, 66, 80),
    faded: packed(52, 59, 72),
    ground: "#15181e",
    road: "#3a4250",
    text: "#e6e8ec",
    quiet: "#a3acba",
    line: "#343a46",
    solid: "#6f7b91",
    path: "#ff5c97",
    halo: "#0c0e12",
    only: packed(255, 92, 151),
  },
};

// What the colour of an expanded node can tell: the numbers, which map, and words for its ends.
export const MODES = {
  order: { label: "Order of expansion", map: "sequential" },
  value: { label: "Heuristic value", map: "sequential" },
  error: { label: "Value minus true distance", map: "diverging" },
  only: { label: "Only this method", map: null },
};

// Enough of the numbers to know their range, without sorting a million of them.
function sample(numbers) {
  const every = Math.max(1, Math.floor(numbers.length / MOST_SAMPLED));
  const found = [];
  for (let k = 0; k < numbers.length; k += every) {
    if (Number.isFinite(numbers[k])) found.push(numbers[k]);
  }
  return found;
}

// The range that colours span. Values of several panes share one, so that colours compare.
export function colourSpan(mode, traces, distances) {
  if (mode === "order" || mode === "only") return null;
  let low = Infinity;
  let high = -Infinity;
  for (const trace of traces) {
    const numbers = sample(numbersOf(mode, trace, distances)).sort((a, b) => a - b);
    if (!numbers.length) continue;
    // A few extreme values must not take all colours: the outermost 1 % share the end colours.
    low = Math.min(low, numbers[Math.floor(0.01 * (numbers.length - 1))]);
    high = Math.max(high, numbers[Math.ceil(0.99 * (numbers.length - 1))]);
  }
  if (low > high) return null;
  if (mode === "error") {
    const most = Math.max(Math.abs(low), Math.abs(high), 1e-9);
    return [-most, most];
  }
  return [low, high > low ? high : low + 1];
}

function numbersOf(mode, trace, distances) {
  const { nodes, h } = trace;
  if (!h || (mode === "error" && !distances)) return [];
  return mode === "value" ? h : h.map((value, step) => value - distances[nodes[step]]);
}

// The colour of each step of a trace. `others`: traces of the other panes, for "only this method".
export function stepColours(mode, trace, { span, distances, theme, others }) {
  const { nodes } = trace;
  const steps = nodes.length;
  const colours = new Uint32Array(steps);
  const palette = THEMES[theme];
  if (mode === "only") {
    for (let step = 0; step < steps; step++) {
      const shared = others.some((other) => other.expands(nodes[step]));
      colours[step] = shared ? palette.faded : palette.only;
    }
    return colours;
  }
  const map = MAPS[MODES[mode].map];
  if (mode === "order" || !span) {
    const scale = (LEVELS - 1) / Math.max(1, steps - 1);
    for (let step = 0; step < steps; step++) colours[step] = map[Math.round(step * scale)];
    return colours;
  }
  const [low, high] = span;
  const numbers = numbersOf(mode, trace, distances);
  for (let step = 0; step < steps; step++) {
    const part = (numbers[step] - low) / (high - low);
    colours[step] = Number.isFinite(part)
      ? map[Math.round(Math.min(Math.max(part, 0), 1) * (LEVELS - 1))]
      : palette.faded;
  }
  return colours;
}

export function gradientCss(mode) {
  const stops = MODES[mode].map === "diverging" ? DIVERGING : SEQUENTIAL;
  return `linear-gradient(90deg, ${stops.map((rgb) => `rgb(${rgb})`).join(", ")})`;
}
