// What is known of one node, in every pane.

import { LETTERS } from "./counters.js";
import { count, figure, h } from "./dom.js";

export class Inspector {
  constructor(app) {
    this.app = app;
    this.title = h("p", { class: "node-name" });
    this.body = h("tbody");
    this.table = h(
      "table",
      { class: "facts" },
      h("caption", { class: "unseen" }, "The node in each pane"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["Pane", "Order", "g", "h", "Key", "Parent"].map((title) =>
            h("th", { scope: "col" }, title),
          ),
        ),
      ),
      this.body,
    );
    this.element = h(
      "div",
      { class: "inspector" },
      this.title,
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Facts of the node" },
        this.table,
      ),
    );
    this.show(-1);
  }

  // The facts as words, for screen readers and tests: [[letter, order, g, h, key, parent], ..].
  facts(node) {
    const { session } = this.app;
    return session.panes.map(({ trace }, index) => {
      const order = trace ? trace.orderOf(node) : -1;
      const of = (name) => (order >= 0 ? trace.column(name)?.[order] : undefined);
      const parent = of("parent");
      return [
        LETTERS[index],
        order >= 0 ? count(order + 1) : this.#unexpanded(trace, node),
        figure(of("g")),
        figure(of("h")),
        figure(of("key")),
        parent === undefined || parent < 0 ? "–" : session.problem.name(parent),
      ];
    });
  }

  #unexpanded(trace, node) {
    return trace?.seen?.at[node] ? "open" : "–";
  }

  // What is known of the same node now.
  update() {
    this.show(this.node);
  }

  show(node) {
    const { session } = this.app;
    this.node = node;
    const none = node < 0 || !session.problem;
    this.table.parentElement.hidden = none;
    if (none) {
      this.title.textContent = "Point at a node, or move the cursor with the arrow keys.";
      return;
    }
    const { problem, distances } = session;
    const distance = distances?.[node];
    const wall = problem.free && !problem.free[node];
    this.table.parentElement.hidden = wall;
    const far =
      distance === undefined
        ? ""
        : Number.isFinite(distance)
          ? `true distance ${figure(distance, 5)}`
          : "no path to the goal";
    this.title.replaceChildren(h("b", {}, problem.name(node)), ` ${wall ? "wall" : far}`);
    this.body.replaceChildren(
      ...this.facts(node).map(([letter, ...rest]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, letter),
          rest.map((text) => h("td", {}, text)),
        ),
      ),
    );
  }
}
