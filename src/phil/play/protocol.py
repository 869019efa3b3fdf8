"""What the playground's server and its page tell each other.

Addresses
---------
`/?token=T` is the page (`page/index.html`), `/page/NAME` a file of `phil/play/page/` (scripts,
styles), `/ws?token=T` the WebSocket. The token is needed for the page and the WebSocket, not for
the files. Host and Origin are checked everywhere. The page must not keep the token anywhere but in
its own address. Scripts and styles come from `/page/` only (content security policy): no inline
script, no inline style attribute in HTML text (setting `element.style` from a script is allowed),
images from `data:` and `blob:` too.

Frames
------
All numbers are little-endian. A frame is a message with arrays:

    uint32   length H of the header in bytes, a multiple of 4
    H bytes  the header: JSON in UTF-8, filled up with spaces
    rest     the columns, one after the other, each filled up with zeros to a multiple of 4 bytes

The header's `type` says what it is. Its `columns` lists the arrays in order, as objects
`{"name": "node", "type": "int32", "length": 4096}`; types are `uint8`, `int32` and `float32`, and
`columns` is missing if there are none. So each column can be viewed in place as a typed array.

The server sends binary frames only. The page sends frames (binary), or their header alone as text
if they have no columns. Wherever a message of the page has a `request` (a whole number that the
page counts up), the answers repeat it.

Nodes are whole numbers. On a map of shape [rows, columns] a cell is `row * columns + column`, row 0
at the top; in 3D, of shape [X, Y, Z], it is `(x * Y + y) * Z + z`, z upwards.

From the page
-------------
`open`       {request, problem: PROBLEM, start?, goal?}: another problem; answered by `problem`.
             Without ends, the problem has ends of its own. With a PROBLEM of source `map`, the
             cells may come as a column `free` (uint8, 1 = free) instead of the text `cells`.
`edit`       {request, connectivity?, corners?} + columns `cell` (int32), `free` (uint8): changes
             these cells, and the rules, of the map that is open; answered by `ready`.
`ends`       {request, start, goal}: moves the ends; answered by `ready`.
`search`     {pane, request, method, bound?, anytime?, limit?, columns?}: searches the open problem.
             `pane` is 0 to 3; `limit` is on expansions; `columns` are those wanted for each
             expanded node, ["node"] if missing. It cancels what the pane does. Answered by `begin`,
             then `trace` and `better` as they come, then `done`; or by `error`; or `cancelled`.
`cancel`     {pane}
`details`    {pane, request, columns}: columns of the pane's last search (of which `done` was sent):
             answered by `trace` frames with these columns.
`discovered` {pane, request}: which nodes the last search of the pane discovered, and when (OPEN is
             what is discovered and not expanded yet); answered by `discovered`.
`distances`  {request}: the true distances to the goal; answered by `distances`.
`labels`     {request, nodes: [..]}: answered by `labels`; for graphs whose `problem` has none.
`file`       {request, name} + column `bytes` (uint8): a dropped file. Its content is read by the
             library's own readers. Answered by `problem` (maps and graphs), `heuristic`
             (.safetensors), `state` (a saved state), `kept` (part of a map or graph, such as the
             image of a ROS map: of files dropped together, send these first) or `error`.
`command`    {pane, request, method, bound?, anytime?, limit?}: answered by `command`.
`save`       {request}: the open map or graph as a file, for that command; answered by `saved`.
`film`       {request, format: "gif"|"mp4", seconds, width?}: the race of the last searches of all
             panes; answered by `progress` and `saved`. (PNG and SVG are made by the page.)

PROBLEM is one of

    {"source": "preset", "name": "roads"}
    {"source": "generated", "family": "mazes", "seed": 1, "shape": [101, 101]}
    {"source": "map", "shape": [r, c] or [x, y, z], "cells": TEXT,
     "connectivity": 8, "corners": "allow"}
    {"source": "given", "index": 0}     what the command line named; `index` counts a set's problems
    {"source": "file", "id": "..."}     a dropped file, by the `problem` that answered it

and all of them but `map` take `connectivity` and `corners` too, for maps. TEXT is base64url without
padding of raw deflate (`CompressionStream("deflate-raw")`) of the cells as bits, 1 = free, in the
order of cells, 8 in a byte, the first in the highest bit (`numpy.packbits`).

From the server
---------------
`welcome`    first of all: {protocol: 1, version, state?: STATE, limits: {cells, nodes, bytes,
             seconds, panes}, presets: [{name, title, text, kind, methods}], families: [{name,
             title, axes}], methods: [{text, help, bound: bool, anytime: bool}], heuristics: [{name,
             help}], connectivities: {"2": [4, 8], "3": [6, 18, 26]}, corners: ["allow", ...]}. A
             method's text is an example that works: `bound` says that it takes one (with a slider),
             `anytime` that it can find better and better paths. `state` is what to show first.
`problem`    {request?, problem: PROBLEM, kind, name, start, goal, nodes, least?, methods: [TEXT,
             ..], text?, ...}. `methods` are good ones to race on it. By `kind`:
             "grid2d", "grid3d": {shape, connectivity, corners}, column `free` (uint8);
             "graph": {directed, edges, layout: "given"|"spring"|"spectral", labels?: [TEXT, ..]},
             columns `x`, `y` and perhaps `z` (float32, y upwards, equal units on all axes), `from`,
             `to` (int32; each undirected edge once), `weight` (float32).
`ready`      {request, start, goal}: the map or the ends have changed.
`least`      {start, goal, cost: number|null}: the least cost between the ends, as soon as it is
             known after a problem or its ends have changed and something was searched; null if
             there is no path.
`begin`      {pane, request, method, ends: "one"|"both"}
`trace`      {pane, request, first} + a column for each that was asked for: of the expanded nodes in
             order, from the number `first` on (0 is the first expansion). A node expanded again is
             there again. Columns: `node` (int32); `parent` (int32, -1 for an end of the path); `g`,
             `h`, `key` (float32: path cost, heuristic value, key of OPEN; NaN if it has none);
             `calls` (int32: calls until this expansion is over).
`better`     {pane, request, expansions, cost, proven} + column `path` (int32): an anytime search
             has found this path.
`done`       {pane, request, outcome: "solved"|"unreachable"|"limit", expansions, calls,
             evaluations, generated, reopened, neighbor_calls, lookahead_calls, cost|null,
             length|null, lower_bound|null, proven|null, milliseconds, least|null, over|null}
             + column `path` (int32). The counts are those of `phil solve --json`. `over` is cost
             over least; null as long as `least` is unknown (`least` follows).
`cancelled`  {pane, request}: nothing more follows of that search.
`discovered` {pane, request} + columns `node` (int32), `step` (int32: the number of the expansion
             that discovered it; -1 for an end of the path), in order of `step`
`distances`  {request} + column `distance` (float32, by node; infinite where there is no path)
`labels`     {request, labels: [TEXT, ..]}
`heuristic`  {request, name, help}: a dropped heuristic; `name` is used in methods: "greedy(NAME)"
`state`      {request, state: STATE}
`kept`       {request, name}: the file alone shows nothing, but one that names it can be dropped now
`command`    {pane, request, command, python, needs: [FILE, ..]}: both read the files that `save`
             gives
`progress`   {request, share}: how much of a film is done, 0 to 1
`saved`      {request, name, mime} + column `bytes` (uint8): for the page to offer as a download
`error`      {text, pane?, request?}: a sentence for the user

STATE is what a page keeps in its address and in files, and what `phil play STATE.json` opens:

    {"phil": "playground", "version": 1,
     "problem": PROBLEM, "start": node|null, "goal": node|null,
     "panes": [{"method": TEXT, "bound": number|null, "anytime": bool}, ..],     1 to 4
     "view": {..}}                                                     the page's own settings

In the address it is the fragment `#s=` and base64url of raw deflate of the JSON. A PROBLEM of
source `given` or `file` means nothing elsewhere: for these, the page keeps a map as source `map`,
and says of graphs that the file must be opened again.

Recordings
----------
An exported page and a notebook's widget have no server. They hold

    {"phil": "recording", "version": 1, "frames": [BASE64, ..]}

the frames that a server would have sent (standard base64): `welcome` (with `state`), `problem`,
then for each pane `begin`, `trace` (all columns), `done`, `discovered`; `least` and `distances`. In
an exported page they are the JSON inside `<script type="application/json" id="phil-recording">`.

So the page's modules must not need a server, nor an HTML of their own, and are joined into one:

- `main.js` exports `startPlayground(root, transport)`: it fills the element `root` (of class
  `phil-play`, under which all rules of `playground.css` are) and returns a function that takes the
  playground down again. `root` may be in the shadow DOM of a notebook, so nothing is looked up in
  `document` by id.
- `transport.js` exports `socketTransport(url)` and `recordingTransport(recording)`: objects with
  `live` (whether there is a server), `send(header, columns)` and `listen(callback)`, which calls
  back with `(header, columns)` for each frame, and `close()`.
- `boot.js` starts the page that the server sends; it is the only module that is not joined.
- Modules import each other by `import { a, b } from "./name.js";` at their top, and export by
  `export` before a declaration; there is no `as`, no default export, no cycle, no dynamic import,
  no top-level await, and no two modules declare the same name at their top level.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

VERSION: Literal[1] = 1
PANES = 4

Node = Annotated[int, Field(ge=0, lt=2**31)]
Request = Annotated[int, Field(ge=0, lt=2**53)]
Pane = Annotated[int, Field(ge=0, lt=PANES)]
Bound = Annotated[float, Field(ge=1, allow_inf_nan=False)]
Text = Annotated[str, Field(max_length=1000)]
Shape = Annotated[list[Annotated[int, Field(gt=0)]], Field(min_length=2, max_length=3)]
Column = Literal["node", "parent", "g", "h", "key", "calls"]
Columns = Annotated[list[Column], Field(min_length=1, max_length=6)]
Corners = Literal["allow", "one_free", "both_free"]


class Message(BaseModel):
    """A part of what the page says: of these fields and no others."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Problem(Message):
    connectivity: int | None = None
    corners: Corners | None = None


class PresetProblem(_Problem):
    """A problem that the playground has by name."""

    source: Literal["preset"]
    name: Text


class GeneratedProblem(_Problem):
    """A random map of a family."""

    source: Literal["generated"]
    family: Text
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0
    shape: Shape | None = None


class MapProblem(_Problem):
    """A map, cell by cell."""

    source: Literal["map"]
    shape: Shape
    cells: str | None = None


class GivenProblem(_Problem):
    """What the command line named."""

    source: Literal["given"]
    index: Annotated[int, Field(ge=0)] = 0


class FileProblem(_Problem):
    """A dropped file."""

    source: Literal["file"]
    id: Text


AnyProblem = Annotated[
    PresetProblem | GeneratedProblem | MapProblem | GivenProblem | FileProblem,
    Field(discriminator="source"),
]


class Open(Message):
    """Open another problem."""

    type: Literal["open"]
    request: Request
    problem: AnyProblem
    start: Node | None = None
    goal: Node | None = None


class Edit(Message):
    """Change cells of the map, or its rules."""

    type: Literal["edit"]
    request: Request
    connectivity: int | None = None
    corners: Corners | None = None


class Ends(Message):
    """Move the ends of the problem."""

    type: Literal["ends"]
    request: Request
    start: Node
    goal: Node


class _Method(Message):
    pane: Pane
    request: Request
    method: Text
    bound: Bound | None = None
    anytime: bool = False
    limit: Annotated[int, Field(ge=0)] | None = None


class Search(_Method):
    """Search in a pane."""

    type: Literal["search"]
    columns: Columns = ["node"]


class Cancel(Message):
    """Stop what a pane does."""

    type: Literal["cancel"]
    pane: Pane


class Details(Message):
    """Ask for columns of the last search of a pane."""

    type: Literal["details"]
    pane: Pane
    request: Request
    columns: Columns


class Discovered(Message):
    """Ask for the nodes that the last search of a pane discovered."""

    type: Literal["discovered"]
    pane: Pane
    request: Request


class Distances(Message):
    """Ask for the true distances."""

    type: Literal["distances"]
    request: Request


class Labels(Message):
    """Ask for the labels of some nodes."""

    type: Literal["labels"]
    request: Request
    nodes: Annotated[list[Node], Field(max_length=1000)]


class File(Message):
    """A dropped file."""

    type: Literal["file"]
    request: Request
    name: Text


class Command(_Method):
    """Ask for the equivalent command and Python lines."""

    type: Literal["command"]


class Save(Message):
    """Ask for the map or graph as a file."""

    type: Literal["save"]
    request: Request


class Film(Message):
    """Ask for a film of the race."""

    type: Literal["film"]
    request: Request
    format: Literal["gif", "mp4"]
    seconds: Annotated[float, Field(gt=0, le=60)] = 6.0
    width: Annotated[int, Field(ge=200, le=1920)] = 960


FromPage = Annotated[
    Open
    | Edit
    | Ends
    | Search
    | Cancel
    | Details
    | Discovered
    | Distances
    | Labels
    | File
    | Command
    | Save
    | Film,
    Field(discriminator="type"),
]


class PaneState(Message):
    """The method of a pane."""

    method: Text
    bound: Bound | None = None
    anytime: bool = False


class State(Message):
    """What a page keeps in its address and in files."""

    phil: Literal["playground"]
    version: Literal[1]
    problem: AnyProblem
    start: Node | None = None
    goal: Node | None = None
    panes: Annotated[list[PaneState], Field(min_length=1, max_length=PANES)]
    view: dict[str, Any] = Field(default_factory=dict)
