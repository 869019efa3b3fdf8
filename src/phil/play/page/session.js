// What the page and the server say to each other, and what is known: no element of the page here.

import { readProblem } from "./problem.js";
import { Trace } from "./trace.js";

const PATIENCE = 250; // milliseconds that a search may take before a newer one cancels it
const STREAM_AFTER = 150; // milliseconds after which an unfinished search is shown
const DETAILS = ["parent", "g", "h", "key", "calls"];
export const MOST_PANES = 4;

export function newPane(given = {}) {
  return {
    method: given.method ?? "astar",
    bound: given.bound ?? null,
    anytime: given.anytime ?? false,
    trace: null,
    incoming: null,
    request: 0,
    busy: false,
    waiting: false,
    error: null,
    sent: 0,
  };
}

export class Session {
  constructor(transport) {
    Object.assign(this, {
      transport,
      live: transport.live,
      welcome: null,
      problem: null,
      panes: [],
      distances: null,
      least: undefined,
      dragging: false,
    });
    this.requests = 0;
    this.answers = new Map(); // of questions, by request
    this.details = new Map(); // traces whose further columns were asked for, by request
    this.handlers = {};
  }

  start() {
    this.transport.listen((header, columns) => this.#receive(header, columns));
  }

  on(name, handler) {
    this.handlers[name] = handler;
  }

  #emit(name, ...given) {
    this.handlers[name]?.(...given);
  }

  // A question with one answer. The promise fails with the server's sentence.
  ask(type, body = {}, columns = null) {
    const request = ++this.requests;
    this.transport.send({ type, request, ...body }, columns);
    return new Promise((resolve, reject) => this.answers.set(request, { resolve, reject }));
  }

  // ---- The problem ----------------------------------------------------------------------------

  open(problem, ends = {}, columns = null) {
    return this.ask("open", { problem, ...ends }, columns);
  }

  openFile(name, bytes) {
    return this.ask("file", { name }, { bytes });
  }

  #adopt(header, columns) {
    this.problem = readProblem(header, columns);
    this.least = header.least;
    this.#forgetDistances();
    this.#emit("problem", header);
  }

  #forgetDistances() {
    this.distances = null;
    this.distancesAsked = false;
  }

  // Paint cells: `values` are the edit's `after`, or `before` to undo it.
  paint({ cells }, values) {
    const { problem } = this;
    cells.forEach((node, index) => {
      problem.free[node] = values[index];
    });
    problem.edited = true;
    this.transport.send({ type: "edit", request: ++this.requests }, { cell: cells, free: values });
    this.#changed();
  }

  setRules(rules) {
    Object.assign(this.problem, rules, { edited: true });
    this.transport.send(
      { type: "edit", request: ++this.requests, ...rules },
      { cell: new Int32Array(0), free: new Uint8Array(0) },
    );
    this.#changed();
  }

  moveEnds(start, goal) {
    Object.assign(this.problem, { start, goal });
    this.transport.send({ type: "ends", request: ++this.requests, start, goal });
    this.#changed();
  }

  #changed() {
    this.least = undefined;
    this.#forgetDistances();
    this.searchAll();
  }

  // ---- Searches -------------------------------------------------------------------------------

  searchAll() {
    this.panes.forEach((_, index) => this.search(index));
  }

  // While something is dragged, a search that will soon be over is waited for, so that pictures
  // keep coming; one that takes long is cancelled by the newer one.
  search(index) {
    const pane = this.panes[index];
    if (!this.live || !this.problem) return;
    if (this.dragging && pane.busy && performance.now() - pane.sent < PATIENCE) {
      pane.waiting = true;
      return;
    }
    Object.assign(pane, {
      waiting: false,
      busy: true,
      error: null,
      sent: performance.now(),
      request: ++this.requests,
      incoming: null,
    });
    const { method, bound, anytime, request } = pane;
    this.transport.send({
      type: "search",
      pane: index,
      request,
      method,
      anytime,
      ...(bound === null ? {} : { bound }),
    });
    this.#emit("busy", index);
  }

  // The dragging is over: what it left out is asked for now.
  settle() {
    this.dragging = false;
    this.panes.forEach((pane, index) => {
      if (pane.waiting) this.search(index);
      else if (!pane.busy) this.#askDetails(index);
    });
  }

  addPane(given) {
    this.panes.push(newPane(given));
    this.search(this.panes.length - 1);
  }

  // Panes after the removed one move up, and so are searched again under their new number.
  removePane(index) {
    this.transport.send({ type: "cancel", pane: this.panes.length - 1 });
    this.panes.splice(index, 1);
    for (let moved = index; moved < this.panes.length; moved++) this.search(moved);
  }

  #askDetails(index) {
    const { trace } = this.panes[index];
    if (!this.live || this.dragging || !trace?.result || trace.asked) return;
    trace.asked = true;
    const request = ++this.requests;
    this.details.set(request, { trace, index });
    this.transport.send({ type: "details", pane: index, request, columns: DETAILS });
    this.ask("discovered", { pane: index }).then(
      ([, columns]) => {
        trace.discover(columns.node, columns.step);
        this.#emit("trace", index);
      },
      () => {},
    );
  }

  needDistances() {
    if (!this.live || this.distances || this.distancesAsked || !this.problem) return;
    this.distancesAsked = true;
    this.ask("distances").catch(() => {});
  }

  // ---- What the server says -------------------------------------------------------------------

  #receive(header, columns) {
    const answer = this.answers.get(header.request);
    if (header.type === "error" && header.pane !== undefined) this.#fail(header);
    else if (header.type === "error" && !answer) this.#emit("fault", header.text);
    this.#take(header, columns);
    if (!answer || header.type === "progress") return;
    this.answers.delete(header.request);
    if (header.type === "error") answer.reject(new Error(header.text));
    else answer.resolve([header, columns]);
  }

  #take(header, columns) {
    switch (header.type) {
      case "welcome":
        this.welcome = header;
        return this.#emit("welcome", header);
      case "lost":
        for (const { reject } of this.answers.values())
          reject(new Error("The connection was lost."));
        this.answers.clear();
        return this.#emit("lost", header);
      case "problem":
        return this.#adopt(header, columns);
      case "least":
        if (header.start !== this.problem?.start || header.goal !== this.problem?.goal) return;
        this.least = header.cost;
        return this.#emit("least");
      case "distances":
        this.distances = columns.distance;
        return this.#emit("distances");
      case "progress":
        return this.#emit("progress", header.share);
      case "discovered":
        if (!this.live) this.panes[header.pane]?.trace?.discover(columns.node, columns.step);
        return;
      case "begin":
      case "trace":
      case "better":
      case "done":
      case "cancelled":
        return this.#takeOfPane(header, columns);
    }
  }

  #takeOfPane(header, columns) {
    const pane = this.panes[header.pane];
    const detail = header.type === "trace" && this.details.get(header.request);
    if (detail) return this.#takeDetail(detail, header, columns);
    if (!this.live && pane && header.type === "begin") pane.request = header.request;
    if (!pane || header.request !== pane.request) return;
    if (header.type === "begin") {
      pane.incoming = new Trace(this.problem.size, header.method);
    } else if (header.type === "trace") {
      pane.incoming.append(header.first, columns);
      if (this.live && performance.now() - pane.sent > STREAM_AFTER) this.#show(header.pane);
    } else if (header.type === "better") {
      pane.incoming.better.push({ ...header, path: columns.path });
    } else {
      pane.busy = false;
      if (header.type === "done") this.#finish(header, columns);
      if (pane.waiting) this.search(header.pane);
      this.#emit("busy", header.pane);
    }
  }

  #finish(header, columns) {
    const { incoming } = this.panes[header.pane];
    Object.assign(incoming, { result: header, path: columns.path });
    if (header.least !== null && header.least !== undefined) this.least = header.least;
    this.#show(header.pane);
    this.#emit("done", header.pane);
    this.#askDetails(header.pane);
  }

  #show(index) {
    this.panes[index].trace = this.panes[index].incoming;
    this.#emit("trace", index);
  }

  #takeDetail({ trace, index }, header, columns) {
    trace.append(header.first, columns);
    if (trace.column(DETAILS[0])) this.details.delete(header.request);
    if (this.panes[index]?.trace === trace) this.#emit("trace", index);
  }

  #fail({ pane: index, request, text }) {
    const pane = this.panes[index];
    if (!pane || (request !== undefined && request !== pane.request)) return;
    Object.assign(pane, { busy: false, error: text, trace: null, incoming: null });
    this.#emit("trace", index);
    if (pane.waiting) this.search(index);
    this.#emit("busy", index);
  }

  // Cost over least cost; undefined as long as it is not known.
  over(trace) {
    const cost = trace?.result?.cost;
    if (cost === null || cost === undefined || !(this.least > 0)) {
      return cost !== undefined && cost !== null && this.least === 0 ? 1 : undefined;
    }
    return cost / this.least;
  }
}
