// Taking something home: the address, files, pictures, films, and the command for the same search.

import { download, pngOf, svgOf } from "./exporting.js";
import { makeState, packState, portableProblem } from "./state.js";

const ADDRESS_DELAY = 400; // milliseconds without a change until the address is written
const MOST_ADDRESS = 1e6; // letters
const FILM_SECONDS = 6;

export class Keeping {
  // `address`: {read(), write(text), link(text)} of the page's fragment, or null.
  constructor(app, address) {
    Object.assign(this, { app, address, addressTimer: 0 });
  }

  async state() {
    const { problem, panes } = this.app.session;
    const position =
      this.app.timeline.position >= this.app.timeline.length
        ? null
        : Math.floor(this.app.timeline.position);
    return makeState(problem, await portableProblem(problem), panes, {
      ...structuredClone(this.app.view),
      position,
    });
  }

  changed() {
    clearTimeout(this.addressTimer);
    if (!this.address || this.app.timeline.playing || this.app.session.dragging) return;
    this.addressTimer = setTimeout(() => this.#writeAddress(), ADDRESS_DELAY);
  }

  async #writeAddress() {
    if (!this.app.session.problem || this.app.timeline.playing) return;
    const text = await packState(await this.state());
    if (text.length < MOST_ADDRESS) this.address.write(text);
  }

  async copyLink() {
    const { problem } = this.app.session;
    const text = await packState(await this.state());
    if (text.length >= MOST_ADDRESS)
      return this.app.say("This map is too large for a link; save it as a file.", true);
    this.address?.write(text);
    await this.#copy(this.address?.link(text) ?? text, "The link");
    if ((await portableProblem(problem)) === null) {
      this.app.say(
        "The link does not hold the graph itself: whoever opens it must open the file first.",
        true,
      );
    }
  }

  async #copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      this.app.say(`${what} is in the clipboard.`);
    } catch {
      this.app.say(text, false, true);
    }
  }

  async saveState() {
    const text = JSON.stringify(await this.state());
    download("playground.json", new Blob([text], { type: "application/json" }));
    if ((await portableProblem(this.app.session.problem)) === null) {
      this.app.say(
        "The file does not hold the graph itself: open the graph’s own file first.",
        true,
      );
    }
  }

  async savePicture(kind) {
    const blob =
      kind === "png"
        ? await pngOf(this.app.paneViews, this.app.theme)
        : svgOf(this.app.paneViews, this.app.theme);
    download(`race.${kind}`, blob);
  }

  async film(format) {
    this.app.say("Making the film…", false, true);
    try {
      const [{ name, mime }, { bytes }] = await this.app.session.ask("film", {
        format,
        seconds: FILM_SECONDS,
      });
      download(name, new Blob([bytes], { type: mime }));
      this.app.say(`${name} is saved.`);
    } catch (error) {
      this.app.say(error.message, true);
    }
  }

  async copyCommand(kind) {
    const { method, bound, anytime } = this.app.session.panes[this.app.chosen];
    try {
      const [header] = await this.app.session.ask("command", {
        pane: this.app.chosen,
        method,
        anytime,
        ...(bound === null ? {} : { bound }),
      });
      await this.#copy(header[kind], kind === "python" ? "The Python code" : "The command");
      if (header.needs.length) await this.#saveNeeded(header.needs);
    } catch (error) {
      this.app.say(error.message, true);
    }
  }

  // The command reads a file: offer it too.
  async #saveNeeded(needs) {
    const [{ name, mime }, { bytes }] = await this.app.session.ask("save");
    download(name, new Blob([bytes], { type: mime }));
    this.app.say(
      `It is in the clipboard, and reads ${needs.join(", ")}, which is saved beside it.`,
    );
  }

  stop() {
    clearTimeout(this.addressTimer);
  }
}
