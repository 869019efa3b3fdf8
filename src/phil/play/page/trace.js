// One search, as the server tells it: the expanded nodes in order, and what is known of each.

const GROWTH = 1.6;
const NUMBER_TYPES = { int32: Int32Array, float32: Float32Array, uint8: Uint8Array };

export class Trace {
  constructor(size, method) {
    this.size = size; // of the graph, in nodes
    this.method = method;
    this.length = 0; // expansions so far
    this.columns = {}; // by name, with room to grow
    this.result = null; // the counts, when it is over
    this.path = new Int32Array(0);
    this.better = []; // {expansions, cost, path} of an anytime search
    this.firsts = new Int32Array(size); // 1 + the step at which a node was expanded first; 0: never
    this.seen = null; // which nodes were discovered, in order, and at which step
  }

  get nodes() {
    return this.column("node");
  }

  get h() {
    return this.column("h");
  }

  // A column for the expansions so far; null if it is not known for all of them.
  column(name) {
    const held = this.columns[name];
    if (!held || held.filled < this.length) return name === "node" ? new Int32Array(0) : null;
    return held.data.subarray(0, this.length);
  }

  append(first, given) {
    for (const [name, data] of Object.entries(given)) {
      const held = (this.columns[name] ??= { data: new data.constructor(0), filled: 0 });
      const end = first + data.length;
      if (held.data.length < end) {
        const larger = new data.constructor(Math.max(end, Math.ceil(GROWTH * held.data.length)));
        larger.set(held.data.subarray(0, held.filled));
        held.data = larger;
      }
      held.data.set(data, first);
      held.filled = Math.max(held.filled, end);
      if (name === "node") this.#enter(first, data);
    }
  }

  #enter(first, nodes) {
    this.length = Math.max(this.length, first + nodes.length);
    nodes.forEach((node, index) => {
      if (!this.firsts[node]) this.firsts[node] = first + index + 1;
    });
  }

  discover(nodes, steps) {
    const at = new Int32Array(this.size); // 1 + the number of expansions after which it is known
    nodes.forEach((node, index) => {
      at[node] ||= steps[index] + 2;
    });
    this.seen = { nodes, steps, at };
  }

  expands(node) {
    return this.firsts[node] > 0;
  }

  // The number of an expansion, from 0; -1 for a node that is never expanded.
  orderOf(node) {
    return this.firsts[node] - 1;
  }

  // How many nodes are known to be discovered after so many expansions.
  discoveredBy(expansions) {
    return this.seen ? upperBound(this.seen.steps, expansions - 1) : 0;
  }

  get calls() {
    return this.column("calls");
  }

  get totalCalls() {
    return this.result?.calls ?? this.calls?.at(-1) ?? this.length;
  }

  // How many expansions are over when so many calls have been made.
  expansionsAt(calls) {
    if (!this.calls) return Math.min(calls, this.length);
    // What is called after the last expansion belongs to it.
    return calls >= this.totalCalls ? this.length : upperBound(this.calls, calls);
  }

  callsAt(expansions) {
    if (expansions >= this.length) return this.totalCalls;
    return expansions > 0 ? (this.calls?.[expansions - 1] ?? expansions) : 0;
  }

  // The path that is known after so many expansions.
  pathAt(expansions) {
    if (this.result && expansions >= this.length) return this.path;
    let found = null;
    for (const each of this.better) if (each.expansions <= expansions) found = each.path;
    return found ?? new Int32Array(0);
  }
}

// The number of entries that are at most `limit`, in an ascending array.
function upperBound(numbers, limit) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The first expansion at which two searches expand different nodes; -1 if there is none.
export function firstDifference(one, other) {
  const [a, b] = [one.nodes, other.nodes];
  const shared = Math.min(a.length, b.length);
  for (let step = 0; step < shared; step++) if (a[step] !== b[step]) return step;
  return a.length === b.length ? -1 : shared;
}

// The columns of a frame, as views of its bytes.
export function readColumns(listed, buffer, begin) {
  const columns = {};
  let place = begin;
  for (const { name, type, length } of listed ?? []) {
    columns[name] = new NUMBER_TYPES[type](buffer, place, length);
    place += 4 * Math.ceil(columns[name].byteLength / 4);
  }
  return columns;
}
