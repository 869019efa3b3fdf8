// Mouse, pen and fingers on a view: draw, drag an end, move, turn, pinch and point.

import { markRadius } from "./overlay.js";

const WHEEL_LINE = 30; // pixels of a line, for mice that report lines
const TURN_PIXELS = 150; // per radian

// `host`: size(), view(), zoomAt(factor, x, y), moveBy(dx, dy), turnBy(right, down), ends(), and of
// what the user may change, canDraw() and canMoveEnds(); draw(phase, node), moveEnd(which, node),
// settle(), point(node).
export function attachPointer(canvas, host) {
  const fingers = new Map();
  let doing = null; // {kind: "draw" | "end" | "move" | "turn", which}

  const nodeUnder = (event) => host.nodeAt(event.offsetX, event.offsetY);
  const spread = () => {
    const [p, q] = [...fingers.values()];
    return { size: Math.hypot(p.x - q.x, p.y - q.y), x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 };
  };

  function endUnder(event) {
    if (!host.canMoveEnds()) return null;
    const slack = event.pointerType === "touch" ? 14 : 4;
    for (const which of ["goal", "start"]) {
      const [x, y, cell] = host.screenOf(host.ends()[which]);
      if (Math.hypot(x - event.offsetX, y - event.offsetY) <= markRadius(cell) + slack)
        return which;
    }
    return null;
  }

  function begin(event) {
    const which = event.button === 0 ? endUnder(event) : null;
    if (which) return { kind: "end", which };
    const node = nodeUnder(event);
    if (event.button === 0 && !event.altKey && host.canDraw() && node >= 0) {
      host.draw("begin", node);
      return { kind: "draw" };
    }
    host.point(node); // a finger cannot point without touching
    return { kind: host.turns() && event.button === 0 ? "turn" : "move" };
  }

  function finish() {
    if (doing?.kind === "draw") host.draw("end");
    else if (doing?.kind === "end") host.settle(doing.which);
    doing = null;
    canvas.classList.remove("grabbing");
  }

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    fingers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (fingers.size === 2) {
      // What the first finger has drawn was the beginning of a pinch.
      if (doing?.kind === "draw") host.draw("cancel");
      else finish();
      doing = { kind: "pinch" };
    } else if (fingers.size === 1) {
      doing = begin(event);
      if (doing.kind !== "draw") canvas.classList.add("grabbing");
    }
    if (event.button === 1) event.preventDefault();
  });

  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) {
      canvas.classList.toggle("over-end", endUnder(event) !== null);
      return host.point(nodeUnder(event));
    }
    const now = { x: event.offsetX, y: event.offsetY };
    const old = fingers.size === 2 ? spread() : null;
    fingers.set(event.pointerId, now);
    if (doing?.kind === "pinch" && old) {
      const { size, x, y } = spread();
      host.moveBy(x - old.x, y - old.y);
      if (old.size > 0) host.zoomAt(size / old.size, x, y);
    } else if (doing?.kind === "move") {
      host.moveBy(now.x - before.x, now.y - before.y);
    } else if (doing?.kind === "turn") {
      host.turnBy((now.x - before.x) / TURN_PIXELS, (now.y - before.y) / TURN_PIXELS);
    } else if (doing) {
      const node = nodeUnder(event);
      host.point(node);
      if (node < 0) return;
      if (doing.kind === "draw") host.draw("go", node);
      else host.moveEnd(doing.which, node);
    }
  });

  for (const name of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(name, (event) => {
      fingers.delete(event.pointerId);
      if (fingers.size === 0) finish();
      else doing = null;
    });
  }
  canvas.addEventListener("pointerleave", () => {
    if (!fingers.size) host.point(-1);
  });
  canvas.addEventListener("dblclick", () => {
    if (!host.canDraw()) host.resetView();
  });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());

  // The wheel zooms where it has nothing to scroll, or once the view has the focus.
  canvas.addEventListener(
    "wheel",
    (event) => {
      const scroller = document.scrollingElement;
      const scrolls = scroller.scrollHeight > scroller.clientHeight + 1;
      const focused = canvas.getRootNode().activeElement === canvas;
      if (scrolls && !focused && !event.ctrlKey) return;
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode === 1 ? WHEEL_LINE : 1);
      host.zoomAt(
        Math.exp(-Math.min(Math.max(pixels, -300), 300) / 400),
        event.offsetX,
        event.offsetY,
      );
    },
    { passive: false },
  );
}
