"""`syntax_trees/python`: syntax trees of real Python functions, a SUBSTITUTE for OGBG-Code2.

OGBG-Code2 itself (functions of GitHub projects) is not here; its figures in the paper must not be
compared with these. The functions come from the Python source on this machine: the standard library
and every installed package, each a project. As there, all functions of a project are in one split:
the SHA-256 of its name gives 8 of 10 projects to train, one to validation and one to test. Other
packages and versions give other problems: `projects` lists what is here, for results to publish.

Functions have 20 to 500 nodes. Files are drawn by the seed, at most four functions from each, and
each function gives one problem: a start and a goal of its tree. What was copied into a project from
another (`_vendor` and the like) is left out, and so is a function that came before.
"""

from __future__ import annotations

import hashlib
import platform
import re
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from itertools import islice
from pathlib import Path

from phil.errors import InputError
from phil.graphs import Graph
from phil.problems.info import SetInfo
from phil.problems.problem import Problem, ProblemSet
from phil.problems.python_trees import parse_functions, tree_graph
from phil.problems.seeded import seeded
from phil.problems.single_graph import PairDraw
from phil.problems.splits import split_counts

SOURCE = "syntax_trees"
NAMES = ("python",)
COUNTS = {"train": 2000, "validation": 100, "test": 500}
SIZES = range(20, 501)  # nodes
PER_FILE = 4
MAX_FILE_BYTES = 2**16  # few files are larger, and they are slow to parse
STANDARD_LIBRARY = "python"
OWN = "phil-search"  # its problems would change with every version of this program
NOT_OWN_FOLDERS = ("vendor", "vendored", "extern", "externals", "thirdparty", "third_party")
NOT_LIBRARY_FOLDERS = ("site-packages", "dist-packages", "test")


@dataclass(frozen=True)
class Project:
    """A project whose functions are among the problems."""

    name: str
    version: str
    split: str


@dataclass(frozen=True)
class Function:
    """The tree of a function, and where it stands."""

    tree: Graph
    place: str


def projects() -> list[Project]:
    """The standard library and the installed packages, with the split that each falls into."""
    found = {STANDARD_LIBRARY: platform.python_version()}
    for package in _packages():
        found.setdefault(_normal(package.name), package.version)
    return [Project(name, found[name], project_split(name)) for name in sorted(found)]


def project_split(name: str) -> str:
    """The split of a project, by its name alone.

    >>> [project_split(name) for name in ("numpy", "scipy", "networkx")]
    ['train', 'validation', 'train']
    """
    number = int.from_bytes(hashlib.sha256(name.encode()).digest(), "big") % 10
    return {8: "validation", 9: "test"}.get(number, "train")


def open_syntax_trees(
    name: str, *, data: Path | None = None, seed: int = 0, count: int | None = None
) -> ProblemSet:
    """Problems on the functions of this machine's Python source; `count` changes how many."""
    full_name = f"{SOURCE}/{name}"
    counts = split_counts(COUNTS, count)
    files = _files()
    seen: set[bytes] = set()
    splits = {}
    for split in ("test", "validation", "train"):  # what is reported does not yield to training
        functions = islice(_functions(files[split], seed, seen), counts[split])
        splits[split] = tuple(
            _problem(function, f"{full_name}/{split}", seed) for function in functions
        )
        if not splits[split]:
            raise InputError(
                f"no installed package with functions falls into the {split} split of "
                f"{full_name}; install more packages"
            )
    return ProblemSet(full_name, **splits)


def syntax_trees_info(name: str, data: Path | None = None) -> SetInfo:
    """What `phil problems` tells about the set."""
    where = f"a substitute for OGBG-Code2, from {len(projects())} Python projects on this machine"
    return SetInfo(f"{SOURCE}/{name}", True, where, COUNTS)


def _problem(function: Function, prefix: str, seed: int) -> Problem:
    name = f"{prefix}/{function.place}"
    pair = PairDraw(function.tree, name).pair(seeded(seed, function.place))
    return Problem(function.tree, *pair, name)


def _functions(files: dict[str, Path], seed: int, seen: set[bytes]) -> Iterator[Function]:
    """Functions of the files in an order drawn by the seed; those in `seen` are left out."""
    random = seeded(seed)
    for place in random.permutation(sorted(files)).tolist():
        functions = parse_functions(_content(files[place]))
        taken = 0
        for number in seeded(seed, place).permutation(len(functions)).tolist():
            tree = tree_graph(functions[number], SIZES)
            if tree is None:
                continue
            key = hashlib.sha256(tree.features.tobytes()).digest()  # depths in order: the shape too
            if key not in seen:
                seen.add(key)
                taken += 1
                yield Function(tree, f"{place}:{functions[number].name}")
            if taken == PER_FILE:
                break


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.stat().st_size <= MAX_FILE_BYTES else b""
    except OSError:  # listed, but not there or not for us
        return b""


def _normal(name: str) -> str:
    """The one spelling of a package's name."""
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
