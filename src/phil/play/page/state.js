// The whole state as an object, in the address and in files: STATE of phil/play/protocol.py.

export const DEFAULT_VIEW = {
  colour: "order",
  steps: "expansions",
  speed: 1,
  position: null,
  theme: null,
  layers: { close: true, open: true, path: true, parents: false },
  tool: "brush",
  brush: 1,
  plot: "expansions",
};

async function piped(bytes, stream) {
  const through = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(through).arrayBuffer());
}

function toBase64url(bytes) {
  let text = "";
  for (let k = 0; k < bytes.length; k += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(k, k + 0x8000));
  }
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64url(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

export const deflated = async (bytes) =>
  toBase64url(await piped(bytes, new CompressionStream("deflate-raw")));
export const inflated = async (text) =>
  piped(fromBase64url(text), new DecompressionStream("deflate-raw"));

function bitsOf(free) {
  const bits = new Uint8Array(Math.ceil(free.length / 8));
  free.forEach((one, k) => {
    if (one) bits[k >> 3] |= 128 >> (k & 7);
  });
  return bits;
}

// The PROBLEM by which a problem is opened again; null if only its file can do that.
export async function portableProblem(problem) {
  const { origin, edited, free } = problem;
  const local = origin.source === "given" || origin.source === "file";
  if (free && (edited || local || origin.source === "map")) {
    const shape = problem.shape ?? [problem.rows, problem.columns];
    return {
      source: "map",
      shape,
      cells: await deflated(bitsOf(free)),
      connectivity: problem.connectivity,
      corners: problem.corners,
    };
  }
  if (local) return null;
  return { ...origin };
}

export function makeState(problem, portable, panes, view) {
  return {
    phil: "playground",
    version: 1,
    problem: portable ?? problem.origin,
    start: problem.start,
    goal: problem.goal,
    panes: panes.map(({ method, bound, anytime }) => ({ method, bound, anytime })),
    view,
  };
}

// A sentence about what is wrong with a state; null if nothing is.
export function faultOf(state) {
  if (state?.phil !== "playground") return "This is not a saved playground.";
  if (state.version !== 1)
    return `This is of version ${state.version} of the playground; this page knows 1.`;
  const panes = state.panes;
  if (!state.problem?.source || !Array.isArray(panes) || panes.length < 1 || panes.length > 4) {
    return "This saved playground is incomplete.";
  }
  return null;
}

export const packState = async (state) => deflated(new TextEncoder().encode(JSON.stringify(state)));

export async function unpackState(text) {
  let state;
  try {
    state = JSON.parse(new TextDecoder().decode(await inflated(text)));
  } catch {
    throw new Error("The address holds a state that cannot be read; perhaps it was cut off.");
  }
  const fault = faultOf(state);
  if (fault) throw new Error(fault);
  return state;
}

// Settings of the view that are known, of the right type; the rest are the usual ones.
export function readView(given) {
  const view = structuredClone(DEFAULT_VIEW);
  for (const [name, value] of Object.entries(given ?? {})) {
    if (!(name in view) || name === "layers") continue;
    const usual = DEFAULT_VIEW[name];
    if (value !== null && (usual === null || typeof value === typeof usual)) view[name] = value;
  }
  for (const name of Object.keys(view.layers)) {
    if (typeof given?.layers?.[name] === "boolean") view.layers[name] = given.layers[name];
  }
  return view;
}
