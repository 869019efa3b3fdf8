// Keys that work everywhere on the page; help.js lists them.

import { MODES } from "./colour.js";
import { TOOLS } from "./tools.js";

const TYPING = "select, textarea, input[type=text], input[type=number]";

export function pressKey(app, event) {
  const { key } = event;
  const command = event.ctrlKey || event.metaKey;
  const origin = event.composedPath()[0];
  if (app.root.querySelector("dialog[open]")) return;
  const typing = origin.matches?.(TYPING);
  if (command && !typing && (key === "z" || key === "y" || key === "Z")) {
    if (key === "z" && !event.shiftKey) app.history.undo();
    else app.history.redo();
    return event.preventDefault();
  }
  // A space presses a button that has the focus.
  const pressing = key === " " && origin.matches?.("button, input[type=checkbox]");
  if (command || event.altKey || typing || pressing) return;
  const modes = Object.keys(MODES);
  const tool = TOOLS[Number(key) - 1]?.[0];
  const actions = {
    " ": () => app.timeline.toggle(),
    ",": () => app.timeline.step(-1),
    ".": () => app.timeline.step(1),
    Home: () => app.timeline.goTo(0),
    End: () => app.timeline.goTo(app.timeline.length),
    "[": () => app.timeline.faster(-1),
    "]": () => app.timeline.faster(1),
    d: () => app.comparing.firstDifference(),
    n: () => app.comparing.alongSolution(1),
    p: () => app.comparing.alongSolution(-1),
    c: () => app.setColour(modes[(modes.indexOf(app.view.colour) + 1) % modes.length]),
    "?": () => app.help.showModal(),
  };
  if (actions[key]) actions[key]();
  else if (tool && app.drawing.canDraw()) app.drawing.setTool(tool);
  else return;
  event.preventDefault();
}
