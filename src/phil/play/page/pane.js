// One method on the problem: its name, its view and its counts.

import { stepColours } from "./colour.js";
import { LETTERS } from "./counters.js";
import { count, h, iconButton } from "./dom.js";
import { GraphView } from "./graph_view.js";
import { GridView } from "./grid_view.js";
import { attachPointer } from "./pointer.js";
import { RoomView } from "./room_view.js";

const OWN = " own"; // the choice of writing a method by hand
const NO_BOUND = 3.05; // the right end of the slider
const BOUNDED = /^bounded\((.*), *([\d.]+)\)$/; // a method whose name has a bound
const KEY_TURN = Math.PI / 36;

export class PaneView {
  // `app` is the playground; see main.js.
  constructor(app, index) {
    Object.assign(this, { app, index, view: null, width: 0, height: 0 });
    this.#build();
    this.watcher = new ResizeObserver(() => {
      [this.width, this.height] = [this.stage.clientWidth, this.stage.clientHeight];
      app.redraw();
    });
    this.watcher.observe(this.stage);
    attachPointer(this.canvas, this.#pointerHost());
    this.canvas.addEventListener("keydown", (event) => this.#key(event));
    this.canvas.addEventListener("focus", () => app.choosePane(this.index));
  }

  get pane() {
    return this.app.session.panes[this.index];
  }

  get letter() {
    return LETTERS[this.index];
  }

  #build() {
    const { app } = this;
    this.select = h("select", { class: "method", onchange: () => this.#chosen() });
    this.own = h("input", {
      class: "own",
      type: "text",
      spellcheck: "false",
      hidden: true,
      "aria-label": `Method ${this.letter} in your own words`,
      placeholder: "greedy(euclidean)",
      onchange: () => this.#setMethod(this.own.value.trim()),
    });
    this.boundText = h("output");
    this.bound = h("input", {
      type: "range",
      min: 1,
      max: NO_BOUND,
      step: 0.05,
      "aria-label": `Bound of ${this.letter}`,
      oninput: () => this.#showBound(),
      onchange: () => this.#setBound(this.#boundValue()),
    });
    this.boundRow = h(
      "label",
      { class: "bound", hidden: true },
      h("span", {}, "Bound"),
      this.bound,
      this.boundText,
    );
    this.anytime = h("input", {
      type: "checkbox",
      onchange: () => app.setMethod(this.index, { anytime: this.anytime.checked }),
    });
    this.anytimeRow = h(
      "label",
      { class: "tick", hidden: true },
      this.anytime,
      h("span", {}, "Anytime"),
    );
    this.remove = iconButton("close", `Close pane ${this.letter}`, () =>
      app.removePane(this.index),
    );
    this.canvas = h("canvas", {
      tabindex: 0,
      role: "application",
      "aria-roledescription": "search view",
    });
    this.note = h("p", { class: "note", hidden: true });
    this.stage = h("div", { class: "stage" }, this.canvas, this.note);
    this.caption = h("p", { class: "caption" });
    this.name = h("span", { class: "method-name" });
    this.element = h(
      "section",
      { class: "pane", "aria-label": `Pane ${this.letter}` },
      h(
        "header",
        {},
        h("span", { class: "letter" }, this.letter),
        this.name,
        this.select,
        this.own,
        this.remove,
      ),
      this.stage,
      this.caption,
      h("div", { class: "options" }, this.boundRow, this.anytimeRow),
    );
  }

  // ---- The method ----------------------------------------------------------------------------

  #chosen() {
    if (this.select.value === OWN) {
      this.own.hidden = false;
      this.own.value = this.pane.method;
      this.own.focus();
      this.own.select();
    } else {
      this.#setMethod(this.select.value);
    }
  }

  // What another method does not take is forgotten.
  #setMethod(method) {
    const { bound, anytime } = this.app.traitsOf(method);
    this.app.setMethod(this.index, {
      method,
      ...(bound ? {} : { bound: null }),
      ...(anytime ? {} : { anytime: false }),
    });
  }

  // The slider also moves the bound that is part of a method's name.
  #setBound(bound) {
    const named = BOUNDED.exec(this.pane.method);
    if (!named) return this.app.setMethod(this.index, { bound });
    this.#setMethod(bound === null ? named[1] : `bounded(${named[1]}, ${bound})`);
  }

  #boundValue() {
    const value = Number(this.bound.value);
    return value >= NO_BOUND - 0.001 ? null : value;
  }

  #showBound() {
    const value = this.#boundValue();
    this.boundText.textContent = value === null ? "none" : `${value.toFixed(2)} ×`;
    this.bound.setAttribute("aria-valuetext", this.boundText.textContent);
  }

  showMethod() {
    const { pane, app } = this;
    const live = app.session.live;
    const groups = app.methodGroups();
    const known = groups.some(([, texts]) => texts.some(([text]) => text === pane.method));
    this.select.setAttribute("aria-label", `Method ${this.letter}`);
    this.select.replaceChildren(
      known ? "" : h("option", { value: pane.method, selected: true }, pane.method),
      ...groups.map(([label, texts]) =>
        h(
          "optgroup",
          { label },
          texts.map(([text, help]) =>
            h("option", { value: text, selected: text === pane.method, title: help }, text),
          ),
        ),
      ),
      live ? h("option", { value: OWN }, "Write your own…") : "",
    );
    this.select.value = pane.method;
    this.own.hidden = true;
    this.name.textContent = this.select.title = pane.method;
    this.name.hidden = live;
    this.select.hidden = !live;
    const traits = app.traitsOf(pane.method);
    const named = BOUNDED.exec(pane.method);
    this.boundRow.hidden = !(live && (traits.bound || pane.bound !== null || named));
    this.anytimeRow.hidden = !(live && (traits.anytime || pane.anytime));
    this.bound.value = named ? Number(named[2]) : (pane.bound ?? NO_BOUND);
    this.anytime.checked = pane.anytime;
    this.remove.hidden = !live || app.session.panes.length === 1;
    this.#showBound();
    this.showBusy();
  }

  showBusy() {
    this.element.setAttribute("aria-busy", String(this.pane.busy));
    this.app.redraw();
  }

  // ---- The view ------------------------------------------------------------------------------

  setProblem(problem) {
    this.view?.destroy();
    const kinds = { grid2d: GridView, graph: GraphView, grid3d: RoomView };
    const looking = problem.kind === "grid3d" ? this.app.camera : this.app.viewport;
    // A canvas cannot change its kind of context, but all views draw their last layer in 2D.
    this.view = new kinds[problem.kind](this.canvas, problem, looking);
    this.refresh();
  }

  refresh() {
    if (!this.view) return;
    const { app, pane } = this;
    const { trace } = pane;
    const { view, theme, session } = app;
    const others = session.panes
      .filter((other) => other !== pane && other.trace)
      .map((other) => other.trace);
    const colours =
      trace &&
      stepColours(view.colour, trace, {
        span: app.span,
        distances: session.distances,
        theme,
        others,
      });
    this.view.setLook({ trace, colours, layers: { ...view.layers }, theme });
    this.drawn = null;
    this.note.textContent = pane.error ?? "";
    this.note.hidden = !pane.error;
    this.showCaption();
    app.redraw();
  }

  showCaption() {
    const { app, pane } = this;
    const { trace } = pane;
    const step = app.stepOf(pane);
    const result = trace?.result;
    const over = app.session.over(trace);
    const strong = (text) => h("b", {}, text);
    const finished = step >= (trace?.length ?? 0);
    const running = finished ? "" : ` of ${count(trace.length)}`;
    const cost = over === undefined || !finished ? "" : ` · ${over.toFixed(2)}\u00a0×\u00a0least`;
    const outcome = !finished
      ? ""
      : ({ unreachable: " · no path", limit: " · gave up" }[result?.outcome] ?? "");
    this.caption.replaceChildren(
      ...(trace
        ? [strong(count(step)), running, " expansions", cost, outcome]
        : [pane.busy ? "Searching…" : "–"]),
    );
    if (!result && trace) this.caption.append(" · searching…");
  }

  scene() {
    const { app, pane } = this;
    const step = app.stepOf(pane);
    const { start, goal } = app.session.problem;
    return {
      step,
      start,
      goal,
      path: pane.trace?.pathAt(step) ?? new Int32Array(0),
      marks: app.marksOf(this.index),
    };
  }

  draw() {
    if (!this.view || !this.width || !this.height) return;
    // A pane whose search is over has nothing new while others go on.
    const scene = this.scene();
    const { viewport, camera } = this.app;
    const key = [
      scene.step,
      scene.start,
      scene.goal,
      scene.marks,
      this.width,
      this.height,
      devicePixelRatio,
      viewport.version,
      camera.version,
    ].join();
    if (key === this.drawn && !this.view.dirty) return;
    this.drawn = key;
    this.view.draw(scene, this.width, this.height);
    this.showCaption();
    const problem = this.app.session.problem;
    this.canvas.setAttribute(
      "aria-label",
      `Search ${this.letter}, ${this.pane.method}, on ` +
        `${problem.title}: ${this.caption.textContent}`,
    );
  }

  // ---- Pointer and keys ----------------------------------------------------------------------

  #pointerHost() {
    const { app } = this;
    return {
      nodeAt: (x, y) =>
        this.view ? this.view.nodeAt(x, y, this.width, this.height, app.stepOf(this.pane)) : -1,
      screenOf: (node) => this.view.screenOf(node, this.width, this.height),
      ends: () => app.session.problem,
      turns: () => app.session.problem?.kind === "grid3d",
      canDraw: () => app.drawing.canDraw() && app.view.tool !== "hand",
      canMoveEnds: () =>
        app.session.live && this.view !== null && app.session.problem.kind !== "grid3d",
      draw: (phase, node) => app.drawing.draw(phase, node),
      moveEnd: (which, node) => app.drawing.moveEnd(which, node),
      settle: () => app.drawing.settleEnds(),
      point: (node) => app.point(node),
      turnBy: (right, down) => app.camera.turnBy(right, down),
      moveBy: (dx, dy) => this.#moveBy(dx, dy),
      zoomAt: (factor, x, y) => this.#zoomAt(factor, x, y),
      resetView: () => app.resetView(),
    };
  }

  #moveBy(dx, dy) {
    const {
      viewport,
      camera,
      session: { problem },
    } = this.app;
    if (problem.kind === "grid3d") return camera.pan(dx, dy, this.width);
    viewport.pan(dx, dy, viewport.on(this.width, this.height, problem.world), problem.world);
  }

  #zoomAt(factor, x, y) {
    const {
      viewport,
      camera,
      session: { problem },
    } = this.app;
    if (problem.kind === "grid3d") return camera.zoomAt(factor, x, y, this.width, this.height);
    viewport.zoomAt(factor, x, y, this.width, this.height, problem.world);
  }

  #key(event) {
    const { app } = this;
    const { problem } = app.session;
    if (!problem || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrows = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    const arrow = arrows[event.key];
    const middle = (factor) => this.#zoomAt(factor, this.width / 2, this.height / 2);
    const actions = {
      "+": () => middle(1.25),
      "=": () => middle(1.25),
      "-": () => middle(0.8),
      0: () => app.resetView(),
      Enter: () => app.drawing.drawAtCursor(),
      s: () => app.drawing.endAtCursor("start"),
      g: () => app.drawing.endAtCursor("goal"),
      Escape: () => app.point(-1),
    };
    if (arrow && problem.kind === "grid3d") {
      app.camera.turnBy(arrow[1] * KEY_TURN, arrow[0] * KEY_TURN);
    } else if (arrow) {
      const far = event.shiftKey ? 10 : 1;
      app.moveCursor(arrow[0] * far, arrow[1] * far, this);
    } else if (actions[event.key]) {
      actions[event.key]();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  reveal(node) {
    const {
      viewport,
      session: { problem },
    } = this.app;
    if (problem.kind === "grid3d") return;
    viewport.reveal(...problem.place(node), this.width, this.height, problem.world);
  }

  destroy() {
    this.watcher.disconnect();
    this.view?.destroy();
    this.element.remove();
  }
}
