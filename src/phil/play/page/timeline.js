// One clock over all panes, in expansions or in calls, and its controls.

import { count, h, icon, iconButton } from "./dom.js";

const RACE_SECONDS = 6; // that a whole race takes at speed 1
const TICK_GAP = 0.025; // of the track, between marks
const LEAST_RATE = 25; // steps a second of a short one
export const SPEEDS = [0.125, 0.25, 0.5, 1, 2, 4, 8];

export class Timeline {
  // `moved` is called whenever the position has changed.
  constructor(moved) {
    Object.assign(this, {
      moved,
      length: 0,
      position: 0,
      speed: 1,
      unit: "expansions",
      playing: false,
      last: 0,
      frame: 0,
    });
    this.#build();
  }

  #build() {
    this.playButton = iconButton("play", "Play", () => this.toggle(), {
      class: "icon-button play",
    });
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: 0,
      step: 1,
      value: 0,
      "aria-label": "Position in the race",
      oninput: () => this.goTo(Number(this.slider.value)),
    });
    this.ticks = h("div", { class: "ticks", "aria-hidden": "true" });
    this.readout = h("output", { class: "readout" });
    this.speedChoice = h(
      "select",
      { "aria-label": "Speed", onchange: () => this.setSpeed(Number(this.speedChoice.value)) },
      SPEEDS.map((speed) =>
        h(
          "option",
          { value: speed, selected: speed === 1 },
          `${speed < 1 ? `1/${1 / speed}` : speed} ×`,
        ),
      ),
    );
    this.unitChoice = h(
      "select",
      {
        "aria-label": "Steps of the timeline",
        onchange: () => this.setUnit(this.unitChoice.value),
      },
      h("option", { value: "expansions" }, "expansions"),
      h("option", { value: "calls" }, "calls"),
    );
    this.element = h(
      "div",
      { class: "timeline", role: "group", "aria-label": "Timeline" },
      h(
        "div",
        { class: "buttons" },
        iconButton("first", "Go to the beginning", () => this.goTo(0)),
        iconButton("back", "One step back", () => this.step(-1)),
        this.playButton,
        iconButton("forward", "One step forward", () => this.step(1)),
        iconButton("last", "Go to the end", () => this.goTo(this.length)),
      ),
      h("div", { class: "track" }, this.slider, this.ticks),
      h("div", { class: "settings" }, this.readout, this.unitChoice, this.speedChoice),
    );
    this.unitChanged = () => {};
  }

  // The panes' lengths in the unit, with their letters: where the race is over for each.
  setEnds(ends) {
    const atEnd = this.position >= this.length;
    this.length = Math.max(0, ...ends.map(([, length]) => length));
    this.position = atEnd ? this.length : Math.min(this.position, this.length);
    this.slider.max = this.length;
    this.ticks.replaceChildren(...this.#tickMarks(ends));
    this.#tell();
  }

  // Letters that would overlap share a mark.
  #tickMarks(ends) {
    const marks = [];
    for (const [letter, length] of ends.toSorted(([, one], [, other]) => one - other)) {
      const part = length / Math.max(1, this.length);
      if (part - (marks.at(-1)?.part ?? -1) < TICK_GAP) marks.at(-1).letters += letter;
      else if (part > 0) marks.push({ part, letters: letter });
    }
    return marks.map(({ part, letters }) => {
      const mark = h("span", {}, letters);
      mark.style.left = `${100 * part}%`;
      return mark;
    });
  }

  #tell() {
    this.slider.value = this.position;
    const part = this.length ? this.position / this.length : 0;
    this.slider.style.setProperty("--part", `${100 * part}%`);
    this.slider.setAttribute(
      "aria-valuetext",
      `${count(Math.floor(this.position))} of ${count(this.length)} ${this.unit}`,
    );
    this.readout.textContent = `${count(Math.floor(this.position))} / ${count(this.length)}`;
    this.moved();
  }

  goTo(position, { playing = false } = {}) {
    this.position = Math.min(Math.max(position, 0), this.length);
    if (!playing) this.pause();
    this.#tell();
  }

  step(by) {
    this.goTo(Math.floor(this.position) + by);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (!this.length) return;
    if (this.position >= this.length) this.position = 0;
    this.playing = true;
    this.last = performance.now();
    this.#label();
    this.frame = requestAnimationFrame((now) => this.#advance(now));
  }

  pause() {
    this.playing = false;
    cancelAnimationFrame(this.frame);
    this.#label();
  }

  #label() {
    const words = this.playing ? "Pause" : "Play";
    this.playButton.replaceChildren(icon(this.playing ? "pause" : "play"));
    this.playButton.setAttribute("aria-label", words);
    this.playButton.title = words;
  }

  #advance(now) {
    if (!this.playing) return;
    const rate = Math.max(this.length / RACE_SECONDS, LEAST_RATE) * this.speed;
    const next = this.position + (rate * Math.min(Math.max(now - this.last, 0), 100)) / 1000;
    this.last = now;
    if (next >= this.length) return this.goTo(this.length);
    this.goTo(next, { playing: true });
    this.frame = requestAnimationFrame((later) => this.#advance(later));
  }

  setSpeed(speed) {
    this.speed = speed;
    this.speedChoice.value = String(speed);
  }

  faster(by) {
    const place = SPEEDS.indexOf(this.speed) + by;
    if (SPEEDS[place]) this.setSpeed(SPEEDS[place]);
  }

  setUnit(unit) {
    this.unit = unit;
    this.unitChoice.value = unit;
    this.unitChanged();
  }
}
