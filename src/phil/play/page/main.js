// The playground: one problem, up to four searches on it, one timeline. See phil/play/protocol.py.

import { Comparing } from "./comparing.js";
import { Counters, LETTERS } from "./counters.js";
import { count, h, iconButton } from "./dom.js";
import { Drawing } from "./drawing.js";
import { helpDialog } from "./help.js";
import { History } from "./history.js";
import { Inspector } from "./inspector.js";
import { Keeping } from "./keeping.js";
import { Opening } from "./opening.js";
import { PaneView } from "./pane.js";
import { keepPanel, lookPanel, problemPanel, spanOf, toolPanel, whyPanel } from "./panels.js";
import { RoomCamera } from "./room_view.js";
import { MOST_PANES, Session, newPane } from "./session.js";
import { pressKey } from "./shortcuts.js";
import { DEFAULT_VIEW } from "./state.js";
import { Timeline } from "./timeline.js";
import { Viewport } from "./viewport.js";

const MESSAGE_TIME = 7000; // milliseconds

class Playground {
  // `address`: the page's fragment, if the playground is the whole page; see keeping.js.
  constructor(root, transport, address) {
    Object.assign(this, {
      root,
      view: structuredClone(DEFAULT_VIEW),
      paneViews: [],
      chosen: 0,
      cursor: -1,
      span: null,
      asked: false,
      dark: matchMedia("(prefers-color-scheme: dark)"),
    });
    this.session = new Session(transport);
    this.drawing = new Drawing(this);
    this.opening = new Opening(this);
    this.comparing = new Comparing(this);
    this.keeping = new Keeping(this, address);
    this.history = new History(() => this.showHistory());
    this.viewport = new Viewport();
    this.camera = new RoomCamera();
    this.#build();
    for (const looking of [this.viewport, this.camera]) looking.listeners.add(() => this.redraw());
    this.#listen();
    this.applyTheme();
    this.session.start();
  }

  // ---- The page ------------------------------------------------------------------------------

  #build() {
    this.timeline = new Timeline(() => this.redraw());
    this.timeline.unitChanged = () => {
      this.view.steps = this.timeline.unit;
      this.showEnds();
    };
    this.counters = new Counters(this.session, (plot) => {
      this.view.plot = plot;
      this.keeping.changed();
    });
    this.inspector = new Inspector(this);
    this.panels = {
      problem: problemPanel(this),
      tools: toolPanel(this),
      look: lookPanel(this),
      why: whyPanel(this, this.inspector),
      keep: keepPanel(this),
    };
    this.help = helpDialog();
    this.undoButton = iconButton("undo", "Undo", () => this.history.undo());
    this.redoButton = iconButton("redo", "Redo", () => this.history.redo());
    this.message = h("p", { class: "message", role: "status", "aria-live": "polite" });
    this.outcome = h("p", { class: "unseen", "aria-live": "polite" });
    this.paneGrid = h("div", { class: "panes" });
    this.addButton = h(
      "button",
      { type: "button", class: "add", onclick: () => this.addPane() },
      "Add a pane",
    );
    this.heading = h("span", { class: "problem-name" });
    this.root.classList.add("phil-play");
    this.root.replaceChildren(
      h(
        "header",
        { class: "top" },
        h("h1", {}, "PHIL ", h("span", {}, "playground")),
        this.heading,
        h(
          "div",
          { class: "top-buttons" },
          this.undoButton,
          this.redoButton,
          this.addButton,
          iconButton("fit", "Show everything", () => this.resetView()),
          iconButton("theme", "Light or dark", () => this.switchTheme()),
          iconButton("help", "Help (?)", () => this.help.showModal()),
        ),
      ),
      h(
        "main",
        {},
        h(
          "div",
          { class: "stage-column" },
          this.paneGrid,
          this.timeline.element,
          this.counters.element,
        ),
        h(
          "aside",
          { "aria-label": "Settings" },
          Object.values(this.panels).map(({ element }) => element),
        ),
      ),
      this.message,
      this.outcome,
      this.help,
    );
  }

  #listen() {
    const { session, root } = this;
    session.on("welcome", (header) => this.#welcome(header));
    session.on("problem", (header) => this.#problemOpened(header));
    session.on("trace", (index) => this.#traceChanged(index));
    session.on("done", () => this.#searchDone());
    session.on("busy", (index) => this.paneViews[index]?.showBusy());
    session.on("least", () => this.#showLeast());
    session.on("distances", () => this.recolour());
    session.on("fault", (text) => this.say(text, true));
    session.on("progress", (share) => this.say(`Making the film: ${Math.round(100 * share)} %`));
    session.on("lost", ({ attempts }) =>
      this.say(
        attempts > 2
          ? "The server does not answer. It may have been stopped; start phil play again."
          : "The connection was lost; trying again…",
        true,
        true,
      ),
    );
    this.themeChanged = () => this.applyTheme();
    this.dark.addEventListener("change", this.themeChanged);
    // Where the playground is the whole page, keys work wherever the focus is.
    this.keyTarget = root.parentElement === document.body ? document : root;
    this.keyPressed = (event) => pressKey(this, event);
    this.keyTarget.addEventListener("keydown", this.keyPressed);
    root.addEventListener("dragover", (event) => {
      event.preventDefault();
      root.classList.add("dropping");
    });
    root.addEventListener("dragleave", () => root.classList.remove("dropping"));
    root.addEventListener("drop", (event) => {
      event.preventDefault();
      root.classList.remove("dropping");
      if (session.live) this.opening.openFiles([...event.dataTransfer.files]);
    });
  }

  say(text, bad = false, lasting = false) {
    clearTimeout(this.messageTimer);
    this.message.textContent = text;
    this.message.classList.toggle("bad", bad);
    this.message.classList.toggle("shown", text !== "");
    if (!lasting) this.messageTimer = setTimeout(() => this.say("", false, true), MESSAGE_TIME);
  }

  // ---- Drawing: at most once a frame ---------------------------------------------------------

  redraw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      if (!this.session.problem) return;
      for (const pane of this.paneViews) pane.draw();
      this.counters.progress(
        this.session.panes.map((pane) =>
          pane.trace?.length ? this.stepOf(pane) / pane.trace.length : 0,
        ),
      );
      this.keeping.changed();
    });
  }

  // How many expansions of a pane are over at the timeline's position.
  stepOf({ trace }) {
    if (!trace) return 0;
    const position = Math.floor(this.timeline.position);
    return this.timeline.unit === "calls"
      ? trace.expansionsAt(position)
      : Math.min(position, trace.length);
  }

  marksOf(index) {
    const marks = this.comparing.marks.has(index)
      ? [[this.comparing.marks.get(index), "found"]]
      : [];
    return this.cursor >= 0 ? [...marks, [this.cursor, "cursor"]] : marks;
  }

  showEnds() {
    this.timeline.setEnds(
      this.session.panes.map(({ trace }, index) => [
        LETTERS[index],
        trace ? (this.timeline.unit === "calls" ? trace.totalCalls : trace.length) : 0,
      ]),
    );
  }

  showCounts() {
    this.counters.fill();
    this.redraw();
  }

  #showLeast() {
    for (const pane of this.paneViews) pane.showCaption();
    this.showCounts();
  }

  showHistory() {
    this.undoButton.disabled = !this.history.done.length;
    this.redoButton.disabled = !this.history.undone.length;
  }

  recolour() {
    this.span = spanOf(this);
    for (const pane of this.paneViews) pane.refresh();
    this.panels.look.update();
    this.inspector.update();
  }

  // ---- What happens --------------------------------------------------------------------------

  async #welcome(header) {
    const again = this.session.problem !== null;
    if (!this.session.live) {
      this.opening.adopt(header.state);
      return;
    }
    if (again) this.say("Connected again.");
    const state = again ? await this.keeping.state() : await this.opening.firstState(header);
    await this.opening.loadState(state, !again);
  }

  #problemOpened(header) {
    const { problem } = this.session;
    const suggested = header.methods.slice(0, MOST_PANES).map((method) => ({ method }));
    this.session.panes = (this.opening.wantedPanes ?? suggested).map(newPane);
    this.opening.wantedPanes = null;
    Object.assign(this, { chosen: 0, cursor: -1 });
    this.inspector.show(-1);
    this.drawing.anchor = -1;
    this.comparing.compared = [0, Math.min(1, this.session.panes.length - 1)];
    this.comparing.marks.clear();
    this.viewport.reset();
    this.camera.reset();
    this.heading.textContent = problem.title;
    this.layPanes();
    this.updatePanels();
  }

  layPanes() {
    for (const pane of this.paneViews) pane.destroy();
    const { panes, problem, live } = this.session;
    this.paneViews = panes.map((_, index) => new PaneView(this, index));
    this.paneGrid.replaceChildren(...this.paneViews.map(({ element }) => element));
    this.paneGrid.dataset.panes = panes.length;
    this.addButton.hidden = !live || panes.length >= MOST_PANES;
    this.undoButton.hidden = this.redoButton.hidden = !live;
    for (const pane of this.paneViews) {
      pane.showMethod();
      if (problem) pane.setProblem(problem);
    }
    this.chosen = Math.min(this.chosen, panes.length - 1);
    this.comparing.compared = this.comparing.compared.map((index) =>
      Math.min(index, panes.length - 1),
    );
    this.choosePane(this.chosen);
    this.showEnds();
    this.showCounts();
  }

  updatePanels() {
    this.span = spanOf(this);
    for (const { update } of Object.values(this.panels)) update();
    this.paneGrid.dataset.tool = this.drawing.canDraw() ? this.view.tool : "hand";
    this.inspector.update();
    this.showHistory();
  }

  #traceChanged(index) {
    if (this.view.colour === "order") this.paneViews[index]?.refresh();
    else this.recolour();
    this.showEnds();
    this.showCounts();
    this.inspector.update();
    if (this.view.colour === "error") this.session.needDistances();
  }

  #searchDone() {
    const { panes } = this.session;
    if (panes.some(({ trace, error }) => !trace?.result && !error)) return;
    if (!this.session.dragging) this.outcome.textContent = this.#outcomes();
    if (this.opening.race) this.#startRace();
    else if (this.opening.wantedPosition) this.timeline.goTo(this.opening.wantedPosition);
    this.opening.wantedPosition = null;
  }

  // How all searches ended, for those who hear the page.
  #outcomes() {
    const sentences = this.session.panes.map(({ trace, method, error }, index) => {
      if (error) return `${LETTERS[index]}, ${method}: ${error}`;
      const over = this.session.over(trace);
      const cost = over === undefined ? "" : `, ${over.toFixed(2)} times the least cost`;
      const { outcome, expansions } = trace.result;
      return `${LETTERS[index]}, ${method}: ${outcome}, ${count(expansions)} expansions${cost}.`;
    });
    return sentences.join(" ");
  }

  #startRace() {
    this.opening.race = false;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.timeline.goTo(0);
    this.timeline.play();
  }

  // ---- The cursor ----------------------------------------------------------------------------

  point(node) {
    if (node === this.cursor) return;
    this.cursor = node;
    // What was last pointed at is still read when the pointer has left.
    if (node >= 0) {
      this.session.needDistances();
      this.inspector.show(node);
    }
    this.redraw();
  }

  moveCursor(down, right, pane) {
    const { problem } = this.session;
    this.point(this.cursor < 0 ? problem.start : problem.step(this.cursor, down, right));
    pane.reveal(this.cursor);
    this.outcome.textContent = this.inspector.title.textContent;
  }

  resetView() {
    this.viewport.reset();
    this.camera.reset();
  }

  // ---- Methods and panes ---------------------------------------------------------------------

  methodGroups() {
    const { welcome, problem } = this.session;
    const known = welcome.methods ?? [];
    const helps = new Map(known.map(({ text, help }) => [text, help]));
    const suggested = (problem?.methods ?? []).map((text) => [text, helps.get(text) ?? ""]);
    const taken = new Set(suggested.map(([text]) => text));
    const rest = known.filter(({ text }) => !taken.has(text)).map(({ text, help }) => [text, help]);
    const heuristics = (welcome.heuristics ?? [])
      .filter(({ name }) => !taken.has(name) && !helps.has(name))
      .map(({ name, help }) => [name, help]);
    return [
      ["For this problem", suggested],
      ["Methods", rest],
      ["Heuristics", heuristics],
    ].filter(([, texts]) => texts.length);
  }

  // Whether a method takes a bound, or finds better and better paths.
  traitsOf(method) {
    const { methods = [], heuristics = [] } = this.session.welcome ?? {};
    const head = (text) => text.split("(")[0];
    const found =
      methods.find(({ text }) => text === method) ??
      methods.find(({ text }) => head(text) === head(method));
    return found ?? { bound: heuristics.some(({ name }) => name === method), anytime: false };
  }

  setMethod(index, change) {
    Object.assign(this.session.panes[index], change);
    this.paneViews[index].showMethod();
    this.session.search(index);
    this.showCounts();
  }

  addPane() {
    const used = new Set(this.session.panes.map(({ method }) => method));
    const next = this.methodGroups()
      .flatMap(([, texts]) => texts)
      .find(([text]) => !used.has(text));
    this.session.addPane({ method: next?.[0] ?? "astar" });
    this.layPanes();
    this.updatePanels();
    this.paneViews.at(-1).select.focus();
  }

  removePane(index) {
    this.session.removePane(index);
    this.comparing.marks.clear();
    this.layPanes();
    this.updatePanels();
    this.paneViews[Math.max(0, index - 1)].select.focus();
  }

  choosePane(index) {
    this.chosen = index;
    this.paneViews.forEach((pane, each) => pane.element.classList.toggle("chosen", each === index));
    this.panels.why.update();
  }

  // ---- Colours and layers --------------------------------------------------------------------

  setColour(mode) {
    this.view.colour = mode;
    if (mode === "error") this.session.needDistances();
    this.recolour();
  }

  setLayer(name, on) {
    this.view.layers[name] = on;
    this.recolour();
  }

  get theme() {
    return this.view.theme ?? (this.dark.matches ? "dark" : "light");
  }

  switchTheme() {
    this.view.theme = this.theme === "dark" ? "light" : "dark";
    this.applyTheme();
  }

  applyTheme() {
    this.root.dataset.theme = this.theme;
    for (const pane of this.paneViews) pane.refresh();
  }

  destroy() {
    this.timeline.pause();
    this.keeping.stop();
    clearTimeout(this.messageTimer);
    this.dark.removeEventListener("change", this.themeChanged);
    this.keyTarget.removeEventListener("keydown", this.keyPressed);
    for (const pane of this.paneViews) pane.destroy();
    this.session.transport.close();
    this.root.replaceChildren();
  }
}

export function startPlayground(root, transport, address = null) {
  const playground = new Playground(root, transport, address);
  return () => playground.destroy();
}
