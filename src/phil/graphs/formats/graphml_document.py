"""A streaming parser for GraphML documents, which keeps numbers and discards other text.

Document types and entities are rejected: no graph needs them, and they can exhaust memory.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any
from xml.parsers import expat

from phil.errors import InputError, shortened
from phil.graphs.formats.shared import finite
from phil.graphs.formats.source import line_error
from phil.graphs.formats.xml import feed

NUMBERS = frozenset({"boolean", "int", "long", "float", "double"})
TRUTH = {"true": 1.0, "false": 0.0}
DIRECTIONS = {"directed": True, "undirected": False}
OSMNX = "osmid"  # an attribute that OSMnx writes for every edge
MISSING = float("nan")
DEEPEST = 64  # nesting of elements


@dataclass(frozen=True)
class GraphmlKey:
    """A declared attribute."""

    owner: str  # node, edge, graph, or all
    name: str
    numeric: bool


class GraphmlColumn:
    """The values of an attribute, with the node or edge and the line of each."""

    def __init__(self, key: GraphmlKey) -> None:
        self.name = key.name
        self.numeric = key.numeric
        self.default = MISSING
        self.rows = array("q")
        self.values = array("d")  # `MISSING` where the text is not a number
        self.lines = array("q")


class GraphmlDocument:
    """The nodes, edges and numbers in a file; attributes in `texts` are read whatever their type.

    Nodes are numbered in order of first mention.
    """

    def __init__(self, path: str | Path, data: bytes, texts: frozenset[str]) -> None:
        self.nodes: dict[str, int] = {}
        self.ends = array("q")  # source and target of every edge
        self.edge_lines = array("q")
        self.one_way = bytearray()  # of every edge
        self.columns: dict[str, dict[str, GraphmlColumn]] = {
            "node": {},
            "edge": {},
        }  # by owner and key
        self.crs = ""
        self._path = path
        self._texts = texts
        self._keys: dict[str, GraphmlKey] = {}
        self._defaults: dict[str, str] = {}
        self._declared = bytearray()  # of every node
        self._mentions = array("q")  # the line of its first mention
        self._last_node = 0
        self._directed = False
        self._graphs = 0
        self._open: list[str] = []
        self._key = ""  # of the element whose text is read
        self._text: list[str] | None = None
        self._parse(data)
        self._check()
        self._order_columns()
        self.osmnx = any(key.name == OSMNX for key in self._keys.values())

    def _parse(self, data: bytes) -> None:
        parser = self._parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._refuse
        parser.EntityDeclHandler = self._refuse
        feed(parser, self._path, data)

    def _check(self) -> None:
        if not self._graphs:
            raise InputError(f"{self._path} holds no <graph>; export it as GraphML")
        if not self.nodes:
            raise InputError(f"{self._path}: a graph needs at least one <node>")
        undeclared = self._declared.find(0)
        if undeclared >= 0:
            label = next(islice(self.nodes, undeclared, None))
            what = f"an edge ends at {shortened(label)}, but there is no such <node>"
            raise line_error(self._path, self._mentions[undeclared], what)

    def _order_columns(self) -> None:
        """Order columns by their keys, and add those that have only a default."""
        for owner, columns in self.columns.items():
            found = dict(columns)
            columns.clear()
            for name, key in self._keys.items():
                if name in found:
                    columns[name] = found[name]
                elif name in self._defaults and key.owner == owner and self._wanted(key):
                    columns[name] = self._column(name)

    def _error(self, what: str) -> InputError:
        return line_error(self._path, self._parser.CurrentLineNumber, what)

    def _refuse(self, *_: object) -> None:
        raise self._error("document types and entities are not supported; remove <!DOCTYPE ...>")

    def _start(self, tag: str, values: dict[str, str]) -> None:
        name = tag.rsplit(":", 1)[-1]
        if not self._open and name != "graphml":
            raise self._error(f"a GraphML file must start with <graphml>, not {shortened(name)}")
        if len(self._open) == DEEPEST:
            raise self._error(f"more than {DEEPEST} nested elements")
        inside = self._open[-1] if self._open else ""
        self._open.append(name)
        self._text = None
        match inside, name:
            case _, "key":
                self._key = self._needed(values, name, "id")
                numeric = values.get("attr.type") in NUMBERS
                attribute = values.get("attr.name", self._key)
                self._keys[self._key] = GraphmlKey(values.get("for", "all"), attribute, numeric)
            case _, "graph":
                self._start_graph(inside, values)
            case "graph", "node":
                self._start_node(self._needed(values, name, "id"))
            case "graph", "edge":
                self._start_edge(values)
            case _, "hyperedge":
                raise self._error("hyperedges are not supported; use edges between two nodes")
            case "key", "default":
                self._text = []
            case "node" | "edge" | "graph", "data":
                self._start_data(inside, self._needed(values, name, "key"))

    def _start_graph(self, inside: str, values: dict[str, str]) -> None:
        self._graphs += 1
        if inside != "graphml":
            raise self._error("nested graphs are not supported; write one flat graph")
        if self._graphs > 1:
            raise self._error("a second graph starts here; write one graph per file")
        default = self._needed(values, "graph", "edgedefault")
        self._directed = self._choice("edgedefault", default, DIRECTIONS)

    def _start_node(self, label: str) -> None:
        node = self._last_node = self._node(label)
        if self._declared[node]:
            what = f"the node {shortened(label)} appears a second time; ids must be unique"
            raise self._error(what)
        self._declared[node] = True

    def _start_edge(self, values: dict[str, str]) -> None:
        for end in ("source", "target"):
            self.ends.append(self._node(self._needed(values, "edge", end)))
        self.edge_lines.append(self._parser.CurrentLineNumber)
        own = values.get("directed")
        one_way = self._directed if own is None else bool(self._choice("directed", own, TRUTH))
        self.one_way.append(one_way)

    def _start_data(self, owner: str, key: str) -> None:
        if key not in self._keys:
            raise self._error(f"no <key> declares the attribute {shortened(key)}")
        self._key = key
        attribute = self._keys[key]
        if attribute.name == "crs" if owner == "graph" else self._wanted(attribute):
            self._text = []

    def _wanted(self, attribute: GraphmlKey) -> bool:
        return attribute.numeric or attribute.name in self._texts

    def _node(self, label: str) -> int:
        node = self.nodes.setdefault(label, len(self.nodes))
        if node == len(self._declared):
            self._declared.append(False)
            self._mentions.append(self._parser.CurrentLineNumber)
        return node

    def _needed(self, values: dict[str, str], element: str, name: str) -> str:
        if name not in values:
            raise self._error(f"<{element}> needs the attribute {name!r}")
        return values[name]

    def _choice(self, name: str, text: str, valid: dict[str, Any]) -> Any:
        if text not in valid:
            raise self._error(f"{name} must be {' or '.join(valid)}, not {shortened(text)}")
        return valid[text]

    def _characters(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def _end(self, tag: str) -> None:
        name = self._open.pop()
        if self._text is None:
            return
        text = "".join(self._text).strip()
        self._text = None
        if name == "default":
            self._defaults[self._key] = text
        elif self._open[-1] == "graph":
            self.crs = text
        else:
            self._add_value(self._open[-1], text)

    def _add_value(self, owner: str, text: str) -> None:
        columns = self.columns[owner]
        if self._key not in columns:
            columns[self._key] = self._column(self._key)
        column = columns[self._key]
        column.rows.append(self._last_node if owner == "node" else len(self.one_way) - 1)
        column.values.append(self._number(column, text))
        column.lines.append(self._parser.CurrentLineNumber)

    def _column(self, key: str) -> GraphmlColumn:
        column = GraphmlColumn(self._keys[key])
        if key in self._defaults:
            column.default = self._number(column, self._defaults[key])
        return column

    def _number(self, column: GraphmlColumn, text: str) -> float:
        value = TRUTH.get(text.lower(), finite(text))
        if value is None and column.numeric:
            what = f"{shortened(column.name)} must be a finite number, not {shortened(text)}"
            raise self._error(what)
        return MISSING if value is None else value
