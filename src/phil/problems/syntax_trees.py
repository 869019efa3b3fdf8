"""`syntax_trees/python`: syntax trees of real Python functions, a SUBSTITUTE for OGBG-Code2.

OGBG-Code2 itself (functions of GitHub projects) is not included, and its results in the paper are
not comparable with these. The functions come from the Python source on this machine: the standard
library and each installed package are a project. As in OGBG-Code2, all functions of a project are
in one split: the SHA-256 of its name assigns 8 of 10 projects to train, one to validation and one
to test. Other packages and versions give other problems: publish the list returned by `projects`
with your results.

Functions have 20 to 500 nodes. Files are drawn at random by the seed, with at most four functions
from each, and each function gives one problem: a start and a goal in its tree. Vendored code
(`_vendor` and similar) and duplicate functions are excluded.

The features of a node are its type, attribute and depth. As in OGBG-Code2, contexts and operators
(`Load`, `Add`, ...) are part of their node's type, names and constants are attributes of their
node, and the name of the function itself is omitted. Types have fixed numbers, 0 if unknown;
attributes are hashed to 1..256, 0 for none. So numbers mean the same on every machine and in every
version of Python.
"""

from __future__ import annotations

import ast
import hashlib
import platform
import re
import sysconfig
import warnings
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from itertools import islice
from pathlib import Path

import numpy as np

from phil.errors import InputError
from phil.graphs import FeatureGroup, Graph
from phil.problems.pairs import PairDraw, seeded
from phil.problems.problem import Problem, ProblemSet, split_counts
from phil.problems.source import ProblemSource, SetInfo, SetOptions

NAMES = ("python",)
COUNTS = {"train": 2000, "validation": 500, "test": 500}
SIZES = range(20, 501)  # nodes
PER_FILE = 4
MAX_FILE_BYTES = 2**16  # few files are larger, and those are slow to parse
STANDARD_LIBRARY = "python"
OWN = "phil-search"  # excluded: its problems would change with every version
NOT_OWN_FOLDERS = ("vendor", "vendored", "extern", "externals", "thirdparty", "third_party")
NOT_LIBRARY_FOLDERS = ("site-packages", "dist-packages", "test")

BUCKETS = 256
FEATURES = ("type", "attribute", "depth")
GROUPS = tuple(FeatureGroup(name, 1) for name in FEATURES)

# For Python 3.11 to 3.14. Append new names to the end of TYPES, so that numbers do not change.
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

Definition = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Project:
    """A project whose functions are among the problems."""

    name: str
    version: str
    split: str


@dataclass(frozen=True)
class Function:
    """The tree of a function, and its location."""

    tree: Graph
    place: str


def projects() -> list[Project]:
    """The standard library and the installed packages, with their splits."""
    found = {STANDARD_LIBRARY: platform.python_version()}
    for package in _packages():
        found.setdefault(_normal(package.name), package.version)
    return [Project(name, found[name], project_split(name)) for name in sorted(found)]


def project_split(name: str) -> str:
    """The split of a project, which depends only on its name.

    >>> [project_split(name) for name in ("numpy", "scipy", "networkx")]
    ['train', 'validation', 'train']
    """
    number = int.from_bytes(hashlib.sha256(name.encode()).digest(), "big") % 10
    return {8: "validation", 9: "test"}.get(number, "train")


def open_syntax_trees(name: str, options: SetOptions) -> ProblemSet:
    """Problems on the functions of this machine's Python source."""
    full_name = f"syntax_trees/{name}"
    counts = split_counts(COUNTS, options.count)
    files = _files()
    seen: set[bytes] = set()
    splits = {}
    for split in ("test", "validation", "train"):  # a duplicate stays in the test split
        functions = islice(_functions(files[split], options.seed, seen), counts[split])
        splits[split] = tuple(
            _problem(function, f"{full_name}/{split}", options.seed) for function in functions
        )
        if not splits[split]:
            raise InputError(
                f"no installed package with functions belongs to the {split} split of "
                f"{full_name}; install more packages"
            )
    return ProblemSet(full_name, **splits)


def syntax_trees_info(name: str, data: Path | None) -> SetInfo:
    """Information about the set, without opening it."""
    where = f"a substitute for OGBG-Code2, from {len(projects())} Python projects on this machine"
    return SetInfo(f"syntax_trees/{name}", True, where, COUNTS)


SOURCE = ProblemSource(
    "syntax_trees", members=lambda data: NAMES, open=open_syntax_trees, info=syntax_trees_info
)


def _problem(function: Function, prefix: str, seed: int) -> Problem:
    name = f"{prefix}/{function.place}"
    pair = PairDraw(function.tree, name).pair(seeded(seed, function.place))
    return Problem(function.tree, *pair, name)


def _functions(files: dict[str, Path], seed: int, seen: set[bytes]) -> Iterator[Function]:
    """Functions of the files that are not in `seen`, in random order."""
    random = seeded(seed)
    for place in random.permutation(sorted(files)).tolist():
        functions = parse_functions(_content(files[place]))
        taken = 0
        for number in seeded(seed, place).permutation(len(functions)).tolist():
            tree = tree_graph(functions[number], SIZES)
            if tree is None:
                continue
            key = hashlib.sha256(tree.features.tobytes()).digest()  # depths in order give the shape
            if key not in seen:
                seen.add(key)
                taken += 1
                yield Function(tree, f"{place}:{functions[number].name}")
            if taken == PER_FILE:
                break


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.stat().st_size <= MAX_FILE_BYTES else b""
    except OSError:  # listed, but missing or not readable
        return b""


def _normal(name: str) -> str:
    """The normalised name of a package."""
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def _packages() -> tuple[metadata.Distribution, ...]:
    return tuple(one for one in metadata.distributions() if one.name and _normal(one.name) != OWN)


@cache
def _files() -> dict[str, dict[str, Path]]:
    """The Python files of every split, by project and path there."""
    files: dict[str, dict[str, Path]] = {split: {} for split in COUNTS}
    library = Path(sysconfig.get_path("stdlib"))
    own = [top for top in library.iterdir() if top.name not in NOT_LIBRARY_FOLDERS]
    for path in (*library.glob("*.py"), *(path for top in own for path in top.rglob("*.py"))):
        place = f"{STANDARD_LIBRARY}/{path.relative_to(library).as_posix()}"
        files[project_split(STANDARD_LIBRARY)][place] = path
    for package in _packages():
        name = _normal(package.name)
        for entry in package.files or ():
            copied = any(part.strip("_") in NOT_OWN_FOLDERS for part in entry.parts)
            if entry.suffix == ".py" and ".." not in entry.parts and not copied:
                place = f"{name}/{entry.as_posix()}"
                files[project_split(name)].setdefault(place, Path(str(entry.locate())))
    return files


def parse_functions(source: bytes) -> list[Definition]:
    """The functions and methods of a module, without nested ones; none if it does not parse.

    Nothing is executed.

    >>> [one.name for one in parse_functions(b"def f(): pass\\nclass A:\\n def g(self): pass")]
    ['f', 'g']
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about invalid escapes in old source
        try:
            module = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return []
    return list(_definitions(module))


def _definitions(scope: ast.Module | ast.ClassDef) -> Iterator[Definition]:
    for child in scope.body:
        if isinstance(child, Definition):
            yield child
        elif isinstance(child, ast.ClassDef):
            yield from _definitions(child)


def tree_graph(function: Definition, sizes: range) -> Graph | None:
    """The syntax tree of a function, nodes in source order; None if its size is not in `sizes`.

    >>> tree = tree_graph(ast.parse("def f(a): return a + 1").body[0], range(100))
    >>> tree
    Graph(nodes=7, edges=6, features=3, undirected)
    >>> [TYPES[int(kind) - 1] for kind in tree.features[:, 0]]
    ['FunctionDef', 'arguments', 'arg', 'Return', 'BinOpAdd', 'NameLoad', 'Constant']
    """
    rows: list[tuple[int, int, int]] = []
    edges: list[tuple[int, int]] = []
    # An explicit stack, since expressions may be deeply nested; children are pushed in reverse.
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
        try:
            return repr(node.value)
        except ValueError:  # an integer with more digits than Python converts
            return "integer"
    for field in ("name", "id", "attr", "arg", "module"):
        value = getattr(node, field, None)
        if isinstance(value, str):
            return value
    return ""


def _bucket(attribute: str) -> int:
    return zlib.crc32(attribute.encode(errors="replace")) % BUCKETS + 1 if attribute else 0
