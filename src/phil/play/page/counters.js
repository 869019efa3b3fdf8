// The counts of all panes, as a table and as bars that grow with the race.

import { choice, count, figure, h } from "./dom.js";

export const LETTERS = ["A", "B", "C", "D"];
const COUNTERS = [
  ["expansions", "Expansions"],
  ["calls", "Calls"],
  ["evaluations", "Evaluations"],
  ["over", "Cost / least"],
  ["milliseconds", "ms"],
];

export class Counters {
  constructor(session, plotChanged) {
    this.session = session;
    this.plot = "expansions";
    this.body = h("tbody");
    this.table = h(
      "table",
      {},
      h("caption", { class: "unseen" }, "Counts of the finished searches"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "Method"),
          h("th", { scope: "col" }, "Outcome"),
          COUNTERS.map(([, title]) => h("th", { scope: "col" }, title)),
        ),
      ),
      this.body,
    );
    this.bars = h("div", { class: "bars", role: "img" });
    this.plotChoice = choice("Plot of", COUNTERS, this.plot, (name) => {
      this.plot = name;
      this.fill();
      plotChanged(name);
    });
    this.element = h(
      "section",
      { class: "counters", "aria-label": "Counters" },
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of counters" },
        this.table,
      ),
      h("figure", { class: "plot" }, h("figcaption", {}, this.plotChoice), this.bars),
    );
  }

  #value(trace, name) {
    if (!trace?.result) return undefined;
    return name === "over" ? this.session.over(trace) : trace.result[name];
  }

  #text(trace, name) {
    const value = this.#value(trace, name);
    if (value === undefined || value === null) return "–";
    if (name === "over") return value.toFixed(3);
    return name === "milliseconds" ? figure(value, 3) : count(value);
  }

  // The least number as it is written, if there is one to compare it with.
  #best(name) {
    const known = this.session.panes
      .map(({ trace }) => trace)
      .filter((trace) => Number.isFinite(this.#value(trace, name)))
      .sort((one, other) => this.#value(one, name) - this.#value(other, name));
    return known.length > 1 ? this.#text(known[0], name) : null;
  }

  fill() {
    const { panes } = this.session;
    const best = Object.fromEntries(COUNTERS.map(([name]) => [name, this.#best(name)]));
    this.body.replaceChildren(
      ...panes.map(({ method, bound, trace, error, busy }, index) => {
        const outcome = error ? "error" : (trace?.result?.outcome ?? (busy ? "searching…" : "–"));
        const name = bound === null ? method : `${method}, bound ${bound}`;
        return h(
          "tr",
          {},
          h("th", { scope: "row" }, h("span", { class: "letter" }, LETTERS[index]), ` ${name}`),
          h("td", {}, outcome),
          COUNTERS.map(([counter]) =>
            h(
              "td",
              {
                class: this.#text(trace, counter) === best[counter] ? "best" : null,
              },
              this.#text(trace, counter),
            ),
          ),
        );
      }),
    );
    const most = Math.max(...panes.map(({ trace }) => this.#value(trace, this.plot) ?? 0), 0);
    this.bars.setAttribute(
      "aria-label",
      `Bars: ${panes
        .map(({ trace }, index) => `${LETTERS[index]} ${this.#text(trace, this.plot)}`)
        .join(", ")}`,
    );
    this.rows = panes.map(({ trace }, index) => {
      const bar = h("i");
      const whole = h("span", { class: "whole" }, bar);
      whole.style.width = `${most ? (100 * (this.#value(trace, this.plot) ?? 0)) / most : 0}%`;
      return {
        bar,
        row: h(
          "div",
          { class: "bar" },
          h("span", { class: "letter" }, LETTERS[index]),
          h("span", { class: "rail" }, whole),
          h("span", {}, this.#text(trace, this.plot)),
        ),
      };
    });
    this.bars.replaceChildren(...this.rows.map(({ row }) => row));
  }

  // How far each search is, from 0 to 1.
  progress(parts) {
    this.rows?.forEach(({ bar }, index) => {
      bar.style.width = `${100 * (parts[index] ?? 1)}%`;
    });
  }
}
