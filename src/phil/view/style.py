"""The looks of the HTML report: light, dark and on paper."""

from __future__ import annotations

STYLE = """
:root {
  color-scheme: light dark;
  --ground: #ffffff; --text: #1d2129; --quiet: #626a78; --line: #dfe1e5;
  --accent: #d0105a; --bar: #b9c3d6; --focus: #fdeff4; --solid: #a9b1c0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #15181e; --text: #e6e8ec; --quiet: #98a1b0; --line: #343a46;
    --accent: #ff5c97; --bar: #46536b; --focus: #33202b; --solid: #6f7b91;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 84rem;
  background: var(--ground); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .6rem; letter-spacing: -.01em; }
h2 { font-size: 1.2rem; margin: 2.6rem 0 .6rem; }
h3 { font-size: 1rem; font-weight: 600; margin: 1.6rem 0 .5rem; }
p { max-width: 50rem; margin: .4rem 0; }
.lead { font-size: 1.15rem; }
.quiet, figcaption span { color: var(--quiet); font-size: .9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .5rem .7rem; text-align: right; border-bottom: 1px solid var(--line); }
thead th { font-size: .85rem; line-height: 1.3; font-weight: 600; color: var(--quiet);
  vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; }
tbody th, td { white-space: nowrap; }
tbody th { font-weight: 500; }
tr.focus, td.focus, th.focus { background: var(--focus); }
tr.focus th { font-weight: 700; color: var(--accent); }
td.bar { width: 34%; min-width: 8rem; padding-left: 0; text-align: left; }
td.bar i { display: block; height: .8rem; min-width: 2px; border-radius: 2px;
  background: var(--bar); }
tr.focus td.bar i { background: var(--accent); }
nav ul { columns: 16rem; padding-left: 1.2rem; margin: 1rem 0; }
a { color: var(--accent); }
.verdicts { list-style: none; padding: 0; margin: .8rem 0; max-width: 60rem; }
.verdicts li { padding: .6rem 0 .6rem .9rem; border-bottom: 1px solid var(--line);
  border-left: 4px solid var(--solid); }
.verdicts li.better { border-left-color: #2e9e5b; }
.verdicts li.reproduced { border-left-color: #3b7dd8; }
.verdicts li.not { border-left-color: #d97a1a; }
.verdicts b { display: block; font-weight: 600; }
.verdicts em { font-style: normal; font-weight: 600; }
.shots { display: grid; grid-template-columns: repeat(auto-fill, minmax(10.5rem, 1fr)); gap: 1rem; }
.scenes { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr));
  gap: 1.2rem; }
.scenes figure:only-child { grid-column: 1 / -1; max-width: 50rem; }
.scenes canvas { display: block; width: 100%; aspect-ratio: 5 / 4; border: 1px solid var(--line);
  border-radius: 3px; cursor: grab; touch-action: none; user-select: none; }
.scenes canvas:active { cursor: grabbing; }
.scenes canvas:focus-visible { outline: 2px solid var(--accent); }
figure { margin: 0; break-inside: avoid; }
figure img { display: block; width: 100%; height: auto; border: 1px solid var(--line);
  border-radius: 3px; }
figcaption { padding-top: .35rem; line-height: 1.35; overflow-wrap: anywhere; }
figcaption b { display: block; font-size: .95rem; }
figure.focus b { color: var(--accent); }
.legend { display: flex; flex-wrap: wrap; gap: .4rem 1.6rem; align-items: center;
  color: var(--quiet); font-size: .9rem; margin: .6rem 0; }
.legend i { display: inline-block; vertical-align: middle; margin-right: .45rem; }
.legend .order { width: 8rem; height: .8rem; border-radius: 2px; }
.legend .blocked { width: .8rem; height: .8rem; border-radius: 2px;
  outline: 1px solid var(--line); }
.legend .path { width: 1.6rem; height: 3px; }
.legend .start, .legend .goal { width: .8rem; height: .8rem; border-radius: 50%; }
img.chart { display: block; width: 100%; max-width: 75rem; height: auto; background: #ffffff; }
svg.curve { width: 100%; max-width: 50rem; height: auto; display: block; }
svg.curve text { font-size: 12px; fill: var(--quiet); }
svg.curve text.y, svg.curve text.classical { text-anchor: end; }
svg.curve text.x { text-anchor: middle; }
svg.curve .grid { stroke: var(--line); }
svg.curve line.classical { stroke: var(--text); stroke-dasharray: 6 4; stroke-width: 1.5; }
svg.curve text.classical { fill: var(--text); }
svg.curve .best { fill: none; stroke: var(--accent); stroke-width: 2.5; }
svg.curve circle { fill: var(--accent); fill-opacity: .45; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.2rem; margin: 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; font-family: ui-monospace, Menlo, Consolas, monospace;
  font-size: .9rem; }
@media print {
  :root {
    --ground: #ffffff; --text: #000000; --quiet: #444444; --line: #cccccc; --accent: #c00a50;
    --bar: #b9c3d6; --focus: #fdeff4; --solid: #a9b1c0;
  }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { padding: 0; font-size: 10pt; max-width: none; }
  h1 { font-size: 18pt; }
  h2 { margin-top: 1.4rem; }
  .lead { font-size: 11pt; }
  .scroll { overflow: visible; }
  table { font-size: 8pt; }
  thead th { font-size: 7.5pt; }
  th, td { padding: .3rem .35rem; }
  td.bar { width: auto; min-width: 5rem; }
  .shots { grid-template-columns: repeat(3, 1fr); }
  section.whole { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
}
"""
