// Undo and redo. An entry is {undo, redo}: two functions.

const MOST_ENTRIES = 500;

export class History {
  constructor(changed) {
    Object.assign(this, { done: [], undone: [], changed });
  }

  add(entry) {
    this.done.push(entry);
    if (this.done.length > MOST_ENTRIES) this.done.shift();
    this.undone = [];
    this.changed();
  }

  undo() {
    this.#move(this.done, this.undone, "undo");
  }

  redo() {
    this.#move(this.undone, this.done, "redo");
  }

  #move(from, to, action) {
    const entry = from.pop();
    if (!entry) return;
    to.push(entry);
    entry[action]();
    this.changed();
  }
}
