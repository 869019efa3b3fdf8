// Elements without a framework: h("button", { onclick, "aria-label": "Play" }, "Play").

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Icons are paths in a box of 16 x 16, drawn with lines of the text's colour.
const ICONS = {
  play: "M4.5 2.8v10.4L13 8z",
  pause: "M5 3v10M11 3v10",
  back: "M12 3.5v9L5.5 8zM4 3.5v9",
  forward: "M4 3.5v9L10.5 8zM12 3.5v9",
  first: "M12.5 3.5v9L7 8zM7 3.5v9L2.5 8z",
  last: "M3.5 3.5v9L9 8zM9 3.5v9l4.5-4.5z",
  undo: "M6 3.5L2.8 6.5 6 9.5M3 6.5h6.2a3.6 3.6 0 0 1 0 7.2H6",
  redo: "M10 3.5l3.2 3L10 9.5M13 6.5H6.8a3.6 3.6 0 0 0 0 7.2H10",
  close: "M4 4l8 8M12 4l-8 8",
  add: "M8 3v10M3 8h10",
  brush:
    "M13.2 2.8L7.5 8.5M7.2 8.2c-2 0-2.6 1.3-2.8 2.7-.1 1-.8 1.7-1.9 2 3 .9 6.6 0 6.6-2.9 0-1-.9-1.8-1.9-1.8z",
  erase: "M6 13h7M3 10l6.3-6.6a1 1 0 0 1 1.4 0l2 2a1 1 0 0 1 0 1.4L7 13H5.6L3 10.6z",
  line: "M3 13L13 3",
  rectangle: "M2.8 4h10.4v8H2.8z",
  fill: "M7.5 2.5l5.5 5.5-5 5-5.5-5.5zM2.6 7.5h10M13.5 10.5c.8 1.1 1.2 1.7 1.2 2.2a1.2 1.2 0 0 1-2.4 0c0-.5.4-1.1 1.2-2.2z",
  hand: "M8 2v12M2 8h12M8 2L6.3 3.7M8 2l1.7 1.7M8 14l-1.7-1.7M8 14l1.7-1.7M2 8l1.7-1.7M2 8l1.7 1.7M14 8l-1.7-1.7M14 8l-1.7 1.7",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  help: "M5.8 6a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.6M8 12.3v.1",
  fit: "M2.8 6V2.8H6M10 2.8h3.2V6M13.2 10v3.2H10M6 13.2H2.8V10",
};

export function icon(name) {
  const path = svg("path", { d: ICONS[name] });
  return svg("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, path);
}

// A button that shows an icon and is named by words.
export function iconButton(name, label, onclick, more = {}) {
  return h(
    "button",
    { type: "button", class: "icon-button", "aria-label": label, title: label, onclick, ...more },
    icon(name),
  );
}

export function choice(label, options, value, onchange, more = {}) {
  const select = h(
    "select",
    { onchange: () => onchange(select.value), ...more },
    options.map(([key, text]) => h("option", { value: key, selected: key === value }, text)),
  );
  return h("label", { class: "field" }, h("span", {}, label), select);
}

export function tick(label, checked, onchange) {
  const box = h("input", { type: "checkbox", checked, onchange: () => onchange(box.checked) });
  return h("label", { class: "tick" }, box, h("span", {}, label));
}

const COUNTS = new Intl.NumberFormat("en-US");

export function count(number) {
  return Number.isFinite(number) ? COUNTS.format(number) : "–";
}

export function figure(number, digits = 4) {
  if (!Number.isFinite(number)) return "–";
  const text =
    Math.abs(number) >= 1000
      ? COUNTS.format(Math.round(number))
      : Number(number.toPrecision(digits)).toString();
  return text.replace("-", "−");
}
