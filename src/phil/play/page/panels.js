// The panels beside the views. Each is a function that returns its element and how to update it.

import { MODES, colourSpan, gradientCss } from "./colour.js";
import { LETTERS } from "./counters.js";
import { choice, figure, h, icon, tick } from "./dom.js";
import { TOOLS } from "./tools.js";

const MOST_SIDE = 1024;

export function panel(title, ...content) {
  return h("section", { class: "panel" }, h("h2", {}, title), ...content);
}

const button = (text, onclick, more = {}) =>
  h("button", { type: "button", onclick, ...more }, text);

// ---- The problem -----------------------------------------------------------------------------

export function problemPanel(app) {
  const presets = h("select", {
    "aria-label": "Problem",
    onchange: () => {
      if (presets.value) app.opening.openPreset(presets.value);
    },
  });
  const about = h("p", { class: "quiet" });
  const file = h("input", {
    type: "file",
    multiple: true,
    hidden: true,
    "aria-label": "Files to open",
    onchange: () => {
      app.opening.openFiles([...file.files]);
      file.value = "";
    },
  });
  const end = (which, label) => {
    const input = h("input", {
      type: "text",
      spellcheck: "false",
      onchange: () => app.drawing.typeEnd(which, input),
    });
    return { input, element: h("label", { class: "field" }, h("span", {}, label), input) };
  };
  const [start, goal] = [end("start", "Start"), end("goal", "Goal")];
  const rules = h("div", { class: "fields" });
  const actions = h(
    "div",
    { class: "row" },
    button("Open a file…", () => file.click()),
    file,
    button("New map…", () => dialog.showModal()),
  );
  const dialog = newMapDialog(app);
  const ends = h("div", { class: "fields" }, start.element, goal.element);
  const element = panel("Problem", presets, about, actions, ends, rules, dialog);

  function update() {
    const { welcome, problem, live } = app.session;
    for (const each of [presets, actions, ends]) each.hidden = !live;
    const { origin } = problem;
    const named = origin.source === "preset" && !problem.edited ? origin.name : "";
    presets.replaceChildren(
      named ? "" : h("option", { value: "", selected: true }, problem.title),
      ...(welcome.presets ?? []).map(({ name, title }) =>
        h("option", { value: name, selected: name === named }, title),
      ),
    );
    presets.value = named;
    about.textContent = [problem.sizeText, problem.text].filter(Boolean).join(". ");
    start.input.value = problem.name(problem.start);
    goal.input.value = problem.name(problem.goal);
    rules.replaceChildren(...(live && problem.free ? rulesOf(app) : []));
  }
  return { element, update };
}

function rulesOf(app) {
  const { welcome, problem } = app.session;
  const axes = problem.shape ? "3" : "2";
  const neighbours = (welcome.connectivities?.[axes] ?? []).map(String).map((many) => [many, many]);
  const corners = { allow: "cut corners", one_free: "one corner free", both_free: "no corner cut" };
  return [
    choice("Neighbours", neighbours, String(problem.connectivity), (many) =>
      app.drawing.setRules({ connectivity: Number(many) }),
    ),
    choice(
      "Diagonals",
      (welcome.corners ?? []).map((name) => [name, corners[name] ?? name]),
      problem.corners,
      (name) => app.drawing.setRules({ corners: name }),
    ),
  ];
}

function newMapDialog(app) {
  const number = (label, value, min, max) => {
    const input = h("input", { type: "number", value, min, max, required: true });
    return { input, element: h("label", { class: "field" }, h("span", {}, label), input) };
  };
  const family = h("select", {});
  const rows = number("Rows", 101, 2, MOST_SIDE);
  const columns = number("Columns", 101, 2, MOST_SIDE);
  const seed = number("Seed", 1, 0, 2 ** 31);
  const form = h(
    "form",
    {
      method: "dialog",
      onsubmit: () => {
        const shape = [Number(rows.input.value), Number(columns.input.value)];
        app.opening.newMap(family.value, shape, Number(seed.input.value));
      },
    },
    h("h2", {}, "New map"),
    h("label", { class: "field" }, h("span", {}, "Kind"), family),
    h("div", { class: "fields" }, rows.element, columns.element, seed.element),
    h(
      "div",
      { class: "row" },
      h("button", { type: "submit", class: "strong" }, "Make"),
      h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
    ),
  );
  const dialog = h("dialog", { class: "small", "aria-label": "New map" }, form);
  const show = dialog.showModal.bind(dialog);
  dialog.showModal = () => {
    const families = (app.session.welcome.families ?? []).filter(({ axes }) => axes !== 3);
    family.replaceChildren(
      h("option", { value: "" }, "Empty"),
      ...families.map(({ name, title }) => h("option", { value: name }, title ?? name)),
    );
    show();
  };
  return dialog;
}

// ---- Drawing ---------------------------------------------------------------------------------

export function toolPanel(app) {
  const buttons = TOOLS.map(([name, label], index) =>
    h(
      "button",
      {
        type: "button",
        class: "icon-button",
        "aria-label": label,
        title: `${label} (${index + 1})`,
        onclick: () => app.drawing.setTool(name),
      },
      icon(name),
    ),
  );
  const size = h("input", {
    type: "range",
    min: 1,
    max: 15,
    step: 2,
    "aria-label": "Width of the brush",
    oninput: () => app.drawing.setBrush(Number(size.value)),
  });
  const sizeText = h("output");
  const element = panel(
    "Draw",
    h(
      "div",
      { class: "tools" },
      h("div", { role: "toolbar", "aria-label": "Tools" }, buttons),
      button("Clear", () => app.drawing.clearMap()),
    ),
    h("label", { class: "slider" }, h("span", {}, "Width"), size, sizeText),
  );

  function update() {
    element.hidden = !app.drawing.canDraw();
    buttons.forEach((each, index) =>
      each.setAttribute("aria-pressed", String(TOOLS[index][0] === app.view.tool)),
    );
    size.value = app.view.brush;
    sizeText.textContent = app.view.brush;
  }
  return { element, update };
}

// ---- Colours and layers ----------------------------------------------------------------------

export function lookPanel(app) {
  const modes = choice(
    "Colour",
    Object.entries(MODES).map(([name, { label }]) => [name, label]),
    app.view.colour,
    (mode) => app.setColour(mode),
  );
  const bar = h("i", { class: "gradient" });
  const [low, high] = [h("span"), h("span")];
  const legend = h("p", { class: "legend" }, low, bar, high);
  const layers = h("div", { class: "layers", role: "group", "aria-label": "Layers" });
  const element = panel("Show", modes, legend, layers);

  function update() {
    const { colour, layers: shown } = app.view;
    modes.querySelector("select").value = colour;
    bar.hidden = colour === "only";
    if (colour !== "only") bar.style.background = gradientCss(colour);
    const words = {
      order: ["first", "last"],
      only: ["", "Expanded here and by no other method: in the accent colour."],
    }[colour];
    const span = app.span?.map((value) => figure(value, 3));
    const ends = words ?? (span ? [span[0], span[1]] : ["", "no values yet"]);
    [low.textContent, high.textContent] = ends;
    if (colour === "error" && span)
      [low.textContent, high.textContent] = [`${span[0]} too low`, `${span[1]} too high`];
    const names = { close: "Closed", open: "Open", path: "Path", parents: "Parents" };
    layers.replaceChildren(
      ...Object.entries(names).map(([name, label]) =>
        tick(label, shown[name], (on) => app.setLayer(name, on)),
      ),
    );
  }
  return { element, update };
}

export const spanOf = (app) =>
  colourSpan(
    app.view.colour,
    app.session.panes.map(({ trace }) => trace).filter(Boolean),
    app.session.distances,
  );

// ---- Why -------------------------------------------------------------------------------------

export function whyPanel(app, inspector) {
  const [one, other] = [0, 1].map((which) =>
    h("select", {
      "aria-label": which ? "and pane" : "Compare pane",
      onchange: () => app.comparing.compareWith(which, Number([one, other][which].value)),
    }),
  );
  const said = h("p", { class: "said", "aria-live": "polite" });
  const compare = h(
    "div",
    { class: "row" },
    one,
    other,
    button("First difference", () => app.comparing.firstDifference()),
  );
  const only = button("Next node that only A expands", () => app.comparing.nextOnly());
  const element = panel(
    "Why",
    inspector.element,
    compare,
    said,
    h("div", { class: "row" }, only),
    h(
      "div",
      { class: "row", role: "group", "aria-label": "Along the solution" },
      button("← Solution", () => app.comparing.alongSolution(-1), {
        "aria-label": "Previous node of the solution",
      }),
      button("Solution →", () => app.comparing.alongSolution(1), {
        "aria-label": "Next node of the solution",
      }),
    ),
  );

  function update() {
    const { panes } = app.session;
    const several = panes.length > 1;
    compare.hidden = only.parentElement.hidden = !several;
    [one, other].forEach((select, which) => {
      select.replaceChildren(
        ...panes.map((_, index) => h("option", { value: index }, LETTERS[index])),
      );
      select.value = String(app.comparing.compared[which]);
    });
    only.textContent = `Next node that only ${LETTERS[app.chosen]} expands`;
  }
  return {
    element,
    update,
    say: (text) => {
      said.textContent = text;
    },
  };
}

// ---- Keep ------------------------------------------------------------------------------------

export function keepPanel(app) {
  const live = () => app.session.live;
  const film = h(
    "div",
    { class: "row" },
    button("GIF", () => app.keeping.film("gif")),
    button("MP4", () => app.keeping.film("mp4")),
  );
  const state = h(
    "div",
    { class: "row" },
    button("Copy link", () => app.keeping.copyLink()),
    button("Save", () => app.keeping.saveState()),
  );
  const code = h(
    "div",
    { class: "row" },
    button("Copy command", () => app.keeping.copyCommand("command")),
    button("Copy Python", () => app.keeping.copyCommand("python")),
  );
  const element = panel(
    "Keep",
    state,
    h(
      "div",
      { class: "row" },
      button("PNG", () => app.keeping.savePicture("png")),
      button("SVG", () => app.keeping.savePicture("svg")),
      ...film.childNodes,
    ),
    code,
  );
  const films = [...element.querySelectorAll("button")].filter((each) =>
    ["GIF", "MP4"].includes(each.textContent),
  );

  function update() {
    for (const each of [state, code, ...films]) each.hidden = !live();
  }
  return { element, update };
}
