// Opening problems: presets, new maps, files and whole states; all of it can be undone.

import { LETTERS } from "./counters.js";
import { count } from "./dom.js";
import { faultOf, portableProblem, readView, unpackState } from "./state.js";

export class Opening {
  constructor(app) {
    // What the next problem is opened with: panes, whether it is a race, and a timeline's position.
    Object.assign(this, { app, wantedPanes: null, race: false, wantedPosition: null });
  }

  async firstState(header) {
    const text = this.app.keeping.address?.read();
    if (text) {
      try {
        return await unpackState(text);
      } catch (error) {
        this.app.say(error.message, true);
      }
    }
    return header.state ?? this.fresh({ source: "preset", name: header.presets[0].name });
  }

  fresh(problem) {
    return {
      phil: "playground",
      version: 1,
      problem,
      start: null,
      goal: null,
      panes: null,
      view: { ...this.app.view, position: null },
    };
  }

  // A state without panes gets the methods that the problem suggests.
  adopt(state) {
    const view = readView(state.view);
    Object.assign(this.app.view, view);
    this.wantedPanes = state.panes;
    this.race = view.position === null;
    this.app.timeline.setSpeed(view.speed);
    this.app.timeline.setUnit(view.steps);
    this.app.timeline.position = view.position ?? Infinity;
    this.wantedPosition = view.position;
    this.app.counters.plot = view.plot;
    this.app.counters.plotChoice.querySelector("select").value = view.plot;
    this.app.applyTheme();
  }

  // `race`: whether to play what is found, if the state has no position of its own.
  async loadState(state, race = true) {
    const ends = Object.fromEntries(
      ["start", "goal"]
        .filter((end) => Number.isInteger(state[end]))
        .map((end) => [end, state[end]]),
    );
    this.adopt(state);
    this.race &&= race;
    this.#showBusy(true);
    try {
      await this.app.session.open(state.problem, ends);
      this.app.session.searchAll();
      this.#showBusy(false);
      return true;
    } catch (error) {
      this.#showBusy(false);
      this.app.say(error.message, true);
      // Something must be there to play with, even if the address names a file that is gone.
      if (!this.app.session.problem && state.problem.source !== "preset") {
        const [{ name }] = this.app.session.welcome.presets;
        await this.loadState(this.fresh({ source: "preset", name }));
        this.app.say(error.message, true);
      }
      return false;
    }
  }

  #showBusy(busy) {
    this.app.root.setAttribute("aria-busy", String(busy));
  }

  // Open another problem, so that it can be undone.
  async open(state) {
    this.#showBusy(true);
    const before = this.app.session.problem ? await this.app.keeping.state() : null;
    if ((await this.loadState(state)) && before) await this.#remember(before);
  }

  async #remember(before) {
    const after = await this.app.keeping.state();
    this.app.history.add({
      undo: () => this.loadState(before, false),
      redo: () => this.loadState(after, false),
    });
  }

  openPreset(name) {
    return this.open(this.fresh({ source: "preset", name }));
  }

  newMap(family, shape, seed) {
    if (family) return this.open(this.fresh({ source: "generated", family, seed, shape }));
    return this.#openEmpty(shape);
  }

  async #openEmpty(shape) {
    const empty = {
      rows: shape[0],
      columns: shape[1],
      origin: { source: "map" },
      free: new Uint8Array(shape[0] * shape[1]).fill(1),
    };
    const { connectivity, corners, kind } = this.app.session.problem;
    const alike = kind === "grid2d"; // then rules and methods suit the new map too
    const problem = {
      ...(await portableProblem(empty)),
      ...(alike ? { connectivity, corners } : {}),
    };
    return this.open({ ...this.fresh(problem), panes: alike ? this.app.session.panes : null });
  }

  // Files that belong together, such as a ROS map and its image: the one that names the others last.
  async openFiles(files) {
    const names = (file) => /\.(yaml|yml)$/i.test(file.name);
    for (const file of [...files].sort((a, b) => names(a) - names(b))) await this.openFile(file);
  }

  async openFile(file) {
    const limit = this.app.session.welcome?.limits?.bytes ?? Infinity;
    if (file.size > limit) {
      const sentence = `${file.name} is larger than the playground takes (${count(limit)} bytes).`;
      return this.app.say(sentence, true);
    }
    this.#showBusy(true);
    const bytes = new Uint8Array(await file.arrayBuffer());
    const before = this.app.session.problem ? await this.app.keeping.state() : null;
    this.wantedPanes = null;
    this.race = true;
    let header;
    try {
      [header] = await this.app.session.openFile(file.name, bytes);
    } catch (error) {
      this.race = false;
      return this.app.say(error.message, true);
    } finally {
      this.#showBusy(false);
    }
    if (header.type === "problem") {
      this.app.timeline.position = Infinity;
      this.app.session.searchAll();
      if (before) await this.#remember(before);
      return;
    }
    this.race = false;
    if (header.type === "kept") this.app.say(`${header.name} is kept for a file that names it.`);
    else if (header.type === "heuristic") this.#addHeuristic(header);
    else if (header.type === "state") await this.#openState(header.state);
  }

  async #openState(state) {
    const fault = faultOf(state);
    if (fault) this.app.say(fault, true);
    else await this.open(state);
  }

  #addHeuristic({ name, help }) {
    this.app.session.welcome.heuristics.push({ name, help });
    this.app.setMethod(this.app.chosen, { method: name });
    for (const pane of this.app.paneViews) pane.showMethod();
    this.app.say(`Pane ${LETTERS[this.app.chosen]} now searches with the heuristic ${name}.`);
  }
}
