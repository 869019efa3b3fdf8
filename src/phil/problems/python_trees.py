"""The syntax tree of a Python function as a graph: node type, attribute and depth of every node.

As in OGBG-Code2, contexts and operators (`Load`, `Add`, ...) are part of their node's type, not
nodes of their own, names and constants are attributes of their node, and the name of the function
itself is left out. Types have fixed numbers, 0 for one that is not known; attributes are hashed to
1..256, 0 for none: numbers mean the same on every machine and for every version of Python.
"""

from __future__ import annotations

import ast
import warnings
import zlib
from collections.abc import Iterator

import numpy as np

from phil.graphs import FeatureGroup, Graph

BUCKETS = 256
FEATURES = ("type", "attribute", "depth")
GROUPS = tuple(FeatureGroup(name, 1) for name in FEATURES)

# Of all versions from 3.11 to 3.14; a new name must go to the end of TYPES: numbers stay.
PLAIN = (
    *("AnnAssign", "Assert", "Assign", "AsyncFor", "AsyncFunctionDef", "AsyncWith", "Await"),
    *("Break", "Call", "ClassDef", "Constant", "Continue", "Delete", "Dict", "DictComp"),
    *("ExceptHandler", "Expr", "For", "FormattedValue", "FunctionDef", "GeneratorExp", "Global"),
    *("If", "IfExp", "Import", "ImportFrom", "Interpolation", "JoinedStr", "Lambda", "ListComp"),
    *("Match", "MatchAs", "MatchClass", "MatchMapping", "MatchOr", "MatchSequence"),
    *("MatchSingleton", "MatchStar", "MatchValue", "NamedExpr", "Nonlocal", "ParamSpec", "Pass"),
    *("Raise", "Return", "Set", "SetComp", "Slice", "TemplateStr", "Try", "TryStar", "TypeAlias"),
    *("TypeVar", "TypeVarTuple", "While", "With", "Yield", "YieldFrom", "alias", "arg"),
    *("arguments", "comprehension", "keyword", "match_case", "withitem"),
)
ARITHMETIC = (
    *("Add", "BitAnd", "BitOr", "BitXor", "Div", "FloorDiv", "LShift", "MatMult", "Mod", "Mult"),
    *("Pow", "RShift", "Sub"),
)
FOLDED = {  # with each of these parts
    **dict.fromkeys(
        ("Attribute", "Subscript", "Starred", "Name", "List", "Tuple"), ("Load", "Store", "Del")
    ),
    **dict.fromkeys(("BinOp", "AugAssign"), ARITHMETIC),
    "BoolOp": ("And", "Or"),
    "UnaryOp": ("Invert", "Not", "UAdd", "USub"),
    "Compare": ("Eq", "Gt", "GtE", "In", "Is", "IsNot", "Lt", "LtE", "NotEq", "NotIn"),
}
TYPES = (
    *PLAIN,
    *(kind + part for kind, parts in FOLDED.items() for part in parts),
)
TYPE_NUMBERS = {name: number for number, name in enumerate(TYPES, start=1)}
PARTS = (ast.expr_context, ast.operator, ast.boolop, ast.unaryop, ast.cmpop)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def parse_functions(source: bytes) -> list[Function]:
    """The functions and methods of a module, without those inside functions; nothing is run.

    A module that does not parse has none.

    >>> [one.name for one in parse_functions(b"def f(): pass\\nclass A:\\n def g(self): pass")]
    ['f', 'g']
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # old source has escapes that Python warns of
        try:
            module = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return []
    return list(_functions(module))


def _functions(scope: ast.Module | ast.ClassDef) -> Iterator[Function]:
    for child in scope.body:
        if isinstance(child, Function):
            yield child
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child)


def tree_graph(function: Function, sizes: range) -> Graph | None:
    """The syntax tree of a function, nodes in the order of the source; None if of another size.

    >>> tree = tree_graph(ast.parse("def f(a): return a + 1").body[0], range(100))
    >>> tree
    Graph(nodes=7, edges=6, features=3, undirected)
    >>> [TYPES[int(kind) - 1] for kind in tree.features[:, 0]]
    ['FunctionDef', 'arguments', 'arg', 'Return', 'BinOpAdd', 'NameLoad', 'Constant']
    """
    rows: list[tuple[int, int, int]] = []
    edges: list[tuple[int, int]] = []
    # Children are pushed last first; a stack, since expressions may be nested deeply.
    waiting: list[tuple[ast.AST, int, int]] = [(function, -1, 0)]
    while waiting:
        node, parent, depth = waiting.pop()
        number = len(rows)
        if number >= sizes[-1]:
            return None
        kind, children = _unfold(node)
        named = "" if parent < 0 else _attribute(node)
        rows.append((TYPE_NUMBERS.get(kind, 0), _bucket(named), depth))
        if parent >= 0:
            edges.append((parent, number))
        waiting += [(child, number, depth + 1) for child in reversed(children)]
    if len(rows) not in sizes:
        return None
    return Graph.from_edges(
        len(rows),
        np.array(edges, np.int64).reshape(-1, 2),
        np.array(rows, np.float32),
        feature_names=FEATURES,
        feature_groups=GROUPS,
    )


def _unfold(node: ast.AST) -> tuple[str, list[ast.AST]]:
    """A node's type, with the first context or operator in it, and its children."""
    children = list(ast.iter_child_nodes(node))
    folded = [child for child in children if isinstance(child, PARTS)]
    kind = type(node).__name__ + (type(folded[0]).__name__ if folded else "")
    return kind, [child for child in children if not isinstance(child, PARTS)]


def _attribute(node: ast.AST) -> str:
    if isinstance(node, ast.Constant):
        return repr(node.value)
    for field in ("name", "id", "attr", "arg", "module"):
        value = getattr(node, field, None)
        if isinstance(value, str):
            return value
    return ""


def _bucket(attribute: str) -> int:
    return zlib.crc32(attribute.encode(errors="replace")) % BUCKETS + 1 if attribute else 0
