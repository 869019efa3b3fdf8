// The help: what can be done, and every key.

import { h, iconButton } from "./dom.js";

const KEYS = [
  ["Space", "play or pause"],
  [", and .", "one step back or forward"],
  ["Home, End", "beginning or end of the race"],
  ["[ and ]", "slower or faster"],
  ["d", "first difference of the two chosen panes"],
  ["n, p", "next or previous node of the solution"],
  ["c", "next colouring"],
  ["Ctrl Z, Ctrl Y", "undo or redo"],
  ["1 to 6", "tools: draw, erase, line, rectangle, fill, move"],
  ["?", "this help"],
];
const VIEW_KEYS = [
  ["Arrow keys", "move the cursor (with Shift: ten cells); turn a 3D map"],
  ["Enter", "use the tool at the cursor; a line or rectangle needs two"],
  ["s, g", "put the start or the goal at the cursor"],
  ["+, −, 0", "zoom in, zoom out, show everything"],
  ["Esc", "take the cursor away"],
];

const list = (keys) =>
  h(
    "dl",
    {},
    keys.flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)]),
  );

export function helpDialog() {
  const close = iconButton("close", "Close the help", () => dialog.close());
  const dialog = h(
    "dialog",
    { class: "help", "aria-label": "Help" },
    h("header", {}, h("h2", {}, "How to use the playground"), close),
    h(
      "p",
      {},
      "Every pane searches the same problem with a method of its own. Draw walls, drag the " +
        "ring (start) and the disc (goal), drop a map, a graph, a heuristic or a saved playground on " +
        "the page. Every node shown was expanded by PHIL’s own search.",
    ),
    h(
      "p",
      {},
      "Drag with the middle mouse button, with Alt, or with the tool “Move the map” to " +
        "move the view; the wheel or two fingers zoom.",
    ),
    h("h3", {}, "Keys"),
    list(KEYS),
    h("h3", {}, "Keys in a view that has the focus"),
    list(VIEW_KEYS),
  );
  return dialog;
}
