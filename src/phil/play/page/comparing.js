// Why one method expands what another does not.

import { LETTERS } from "./counters.js";
import { count, figure } from "./dom.js";
import { firstDifference } from "./trace.js";

export class Comparing {
  constructor(app) {
    Object.assign(this, { app, compared: [0, 1], marks: new Map() }); // the node marked in a pane
  }

  compareWith(which, index) {
    this.compared[which] = index;
  }

  firstDifference() {
    const { panes, problem } = this.app.session;
    const [one, other] = this.compared;
    const [a, b] = [panes[one].trace, panes[other].trace];
    if (!a || !b || one === other)
      return this.app.panels.why.say("Choose two panes that have searched.");
    const step = firstDifference(a, b);
    if (step < 0)
      return this.app.panels.why.say(
        `${LETTERS[one]} and ${LETTERS[other]} expand the same nodes in the same order.`,
      );
    this.app.timeline.setUnit("expansions");
    this.app.timeline.goTo(step + 1);
    this.marks.clear();
    const words = [
      [one, a],
      [other, b],
    ].map(([index, trace]) => {
      if (step >= trace.length) return `${LETTERS[index]} is over`;
      const node = trace.nodes[step];
      this.marks.set(index, node);
      const value = trace.h ? ` (h ${figure(trace.h[step])})` : "";
      return `${LETTERS[index]} expands ${problem.name(node)}${value}`;
    });
    this.app.panels.why.say(
      `First difference at expansion ${count(step + 1)}: ${words.join(", ")}.`,
    );
    const mark = this.marks.get(one);
    if (mark !== undefined) this.app.paneViews[one].reveal(mark);
    this.app.redraw();
  }

  // The next node that the chosen pane expands and no other does.
  nextOnly() {
    const { panes, problem } = this.app.session;
    const { trace } = panes[this.app.chosen];
    if (!trace) return;
    const { nodes } = trace;
    const others = panes
      .filter((pane, index) => index !== this.app.chosen && pane.trace)
      .map((pane) => pane.trace);
    const from = this.app.stepOf(panes[this.app.chosen]) % trace.length;
    const order = Array.from({ length: trace.length }, (_, k) => (from + k) % trace.length);
    const step = order.find((k) => !others.some((other) => other.expands(nodes[k])));
    const letter = LETTERS[this.app.chosen];
    if (step === undefined)
      return this.app.panels.why.say(
        `Every node that ${letter} expands is expanded by others too.`,
      );
    const node = nodes[step];
    this.marks = new Map([[this.app.chosen, node]]);
    this.#goToStep(trace, step + 1);
    this.app.paneViews[this.app.chosen].reveal(node);
    this.app.panels.why.say(
      `Only ${letter} expands ${problem.name(node)}, at expansion ${count(step + 1)}.`,
    );
  }

  alongSolution(by) {
    const { trace } = this.app.session.panes[this.app.chosen];
    if (!trace?.path.length) return this.app.panels.why.say("There is no solution to step along.");
    const path = Array.from(trace.path);
    const here = path.indexOf(this.app.cursor);
    const next =
      here < 0 ? (by > 0 ? 0 : path.length - 1) : Math.min(Math.max(here + by, 0), path.length - 1);
    const node = path[next];
    if (trace.expands(node)) this.#goToStep(trace, trace.orderOf(node) + 1);
    this.app.point(node);
    this.app.paneViews[this.app.chosen].reveal(node);
    const order = trace.expands(node)
      ? `expansion ${count(trace.orderOf(node) + 1)}`
      : "never expanded";
    this.app.panels.why.say(
      `Node ${next + 1} of ${path.length} of ${LETTERS[this.app.chosen]}’s path: ${order}.`,
    );
  }

  #goToStep(trace, step) {
    this.app.timeline.goTo(this.app.timeline.unit === "calls" ? trace.callsAt(step) : step);
  }
}
