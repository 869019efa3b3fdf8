// Changing the problem: walls, start and goal, the rules; with the mouse or at the cursor.

import { clearing, joined, strokeOf } from "./tools.js";

export class Drawing {
  // `app` is the playground; see main.js.
  constructor(app) {
    Object.assign(this, { app, stroke: null, anchor: -1, endsBefore: null });
  }

  canDraw() {
    return this.app.session.live && this.app.session.problem?.kind === "grid2d";
  }

  #paint(edit, values) {
    this.app.session.paint(edit, values);
    for (const pane of this.app.paneViews) pane.view.cellsChanged(edit.cells);
    this.app.redraw();
  }

  // `phase`: begin, go, end or cancel of a drag.
  draw(phase, node) {
    const { tool, brush } = this.app.view;
    const { problem } = this.app.session;
    if (phase === "begin") {
      this.stroke = { from: node, last: node, edits: [] };
      this.app.session.dragging = true;
      this.app.timeline.goTo(Infinity);
    }
    if (phase === "end") return this.#endStroke();
    if (phase === "cancel") return this.#cancelStroke();
    const { stroke } = this;
    const shape = tool === "line" || tool === "rectangle";
    // A line or rectangle is drawn anew from where it began; a brush goes on from where it is.
    if (shape) for (const edit of stroke.edits.splice(0)) this.#paint(edit, edit.before);
    if (tool !== "fill" || phase === "begin") {
      const edit = strokeOf(problem, tool, shape ? stroke.from : stroke.last, node, brush);
      if (edit) {
        stroke.edits.push(edit);
        this.#paint(edit, edit.after);
      }
    }
    stroke.last = node;
  }

  #endStroke() {
    const { edits } = this.stroke ?? { edits: [] };
    this.stroke = null;
    this.app.session.settle();
    if (edits.length) this.#remember(joined(edits));
    this.app.panels.problem.update();
  }

  #cancelStroke() {
    for (const edit of this.stroke.edits.reverse()) this.#paint(edit, edit.before);
    this.stroke = null;
    this.app.session.settle();
  }

  #remember(edit) {
    this.app.history.add({
      undo: () => this.#paint(edit, edit.before),
      redo: () => this.#paint(edit, edit.after),
    });
  }

  clearMap() {
    const edit = clearing(this.app.session.problem);
    if (!edit) return;
    this.#paint(edit, edit.after);
    this.#remember(edit);
    this.app.panels.problem.update();
  }

  moveEnd(which, node) {
    const { problem } = this.app.session;
    if (problem[which] === node || (problem.free && !problem.free[node])) return;
    this.endsBefore ??= [problem.start, problem.goal];
    if (!this.app.session.dragging) this.app.timeline.goTo(Infinity);
    this.app.session.dragging = true;
    const ends = { start: problem.start, goal: problem.goal, [which]: node };
    this.app.session.moveEnds(ends.start, ends.goal);
    this.app.redraw();
  }

  settleEnds() {
    const { problem } = this.app.session;
    const before = this.endsBefore;
    this.endsBefore = null;
    this.app.session.settle();
    this.app.panels.problem.update();
    if (!before) return;
    const after = [problem.start, problem.goal];
    const move = (ends) => {
      this.app.session.moveEnds(...ends);
      this.app.panels.problem.update();
      this.app.redraw();
    };
    this.app.history.add({ undo: () => move(before), redo: () => move(after) });
  }

  typeEnd(which, input) {
    const { problem } = this.app.session;
    const node = problem.parse(input.value);
    if (node < 0 || (problem.free && !problem.free[node])) {
      this.app.say(
        node < 0 ? `There is no node “${input.value}”.` : `${problem.name(node)} is a wall.`,
        true,
      );
      input.value = problem.name(problem[which]);
      return;
    }
    this.moveEnd(which, node);
    this.settleEnds();
  }

  setRules(rules) {
    const { problem } = this.app.session;
    const before = Object.fromEntries(Object.keys(rules).map((name) => [name, problem[name]]));
    const set = (given) => {
      this.app.session.setRules(given);
      this.app.panels.problem.update();
    };
    set(rules);
    this.app.history.add({ undo: () => set(before), redo: () => set(rules) });
  }

  setTool(tool) {
    this.app.view.tool = tool;
    this.anchor = -1;
    this.app.panels.tools.update();
    this.app.paneGrid.dataset.tool = tool;
    this.app.keeping.changed();
  }

  setBrush(width) {
    this.app.view.brush = width;
    this.app.panels.tools.update();
    this.app.keeping.changed();
  }

  drawAtCursor() {
    const { tool } = this.app.view;
    if (this.app.cursor < 0 || !this.canDraw() || tool === "hand") return;
    if ((tool === "line" || tool === "rectangle") && this.anchor < 0) {
      this.anchor = this.app.cursor;
      return this.app.say("Move the cursor to the other end and press Enter again.");
    }
    const from = this.anchor < 0 ? this.app.cursor : this.anchor;
    this.anchor = -1;
    this.draw("begin", from);
    if (from !== this.app.cursor) this.draw("go", this.app.cursor);
    this.draw("end");
    this.app.inspector.update();
  }

  endAtCursor(which) {
    if (this.app.cursor < 0 || !this.app.session.live) return;
    this.moveEnd(which, this.app.cursor);
    this.settleEnds();
  }
}
