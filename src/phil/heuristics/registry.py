"""Heuristics by name: built-in, registered by users, shipped, and files.

A new heuristic is one file that declares its traits, and one line here.
"""

from __future__ import annotations

import os
import re
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from phil.arguments import FLAG, FUNCTION, NOTHING, TEXT, of_type, takes, with_attributes
from phil.errors import InputError, unknown_name
from phil.files import missing_file, names_a_file
from phil.heuristics import classical
from phil.heuristics.landmarks import landmarks
from phil.heuristics.obstacles import obstacles
from phil.search.guide import Heuristic

if TYPE_CHECKING:
    from phil.heuristics.file import LearnedHeuristic
    from phil.heuristics.own import MakeNetwork
    from phil.heuristics.phil import PhilHeuristic

# The tighter of two admissible heuristics comes first: advice recommends it for A*.
BUILT_IN: dict[str, Heuristic] = {
    heuristic.name: heuristic
    for heuristic in (
        classical.octile,
        classical.euclidean,
        classical.manhattan,
        classical.oracle,
        classical.zero,
        landmarks,
        obstacles,
    )
}
PREFIX = "phil:"
SUFFIX = ".safetensors"

_registered: dict[str, Heuristic] = {}


@takes(heuristic=with_attributes("a heuristic with a name", "name", "begin"))
def register_heuristic(heuristic: Heuristic) -> None:
    """Register a heuristic under its name for `load` and for methods, also on the command line.

    Parameters
    ----------
    heuristic
        An object with a `name` and a method `begin`. If it has `traits`
        (`phil.search.guide.Traits`), help texts and advice use them.

    Raises
    ------
    InputError
        If the name is taken, or not valid in a method such as `astar(NAME)`.

    Examples
    --------
    >>> import phil
    >>> class Backwards:
    ...     name = "backwards"
    ...     def begin(self, graph, start, goal):
    ...         return phil.load("euclidean").begin(graph, goal, start)
    >>> phil.register_heuristic(Backwards())
    >>> phil.load("backwards").name
    'backwards'
    """
    name = heuristic.name
    TEXT.check(name, "the name of a heuristic")
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise InputError(f"a heuristic's name must be a word of letters and digits, not {name!r}")
    if name in BUILT_IN:
        raise InputError(f"there already is a built-in heuristic '{name}'; choose another name")
    _registered[name] = heuristic


def heuristics() -> dict[str, Heuristic]:
    """The heuristics that need no file by name: built-in and registered ones."""
    return BUILT_IN | _registered


def shipped_folder() -> Path:
    """The folder of the shipped heuristics."""
    return Path(str(resources.files("phil.heuristics.phil") / "shipped"))


def shipped_names() -> tuple[str, ...]:
    """The names of the shipped heuristics, `phil:<family>`."""
    return tuple(PREFIX + path.stem for path in sorted(shipped_folder().glob("*" + SUFFIX)))


@takes(name=TEXT | of_type("a Path", os.PathLike), precompute=FLAG, network=FUNCTION | NOTHING)
def load_heuristic(
    name: str | os.PathLike[str], *, precompute: bool = False, network: MakeNetwork | None = None
) -> Heuristic:
    """Load a heuristic by name.

    Parameters
    ----------
    name
        A built-in heuristic (`euclidean`, `landmarks`, `manhattan`, `obstacles`, `octile`, `oracle`
        or `zero`), one registered with `phil.register_heuristic`, a shipped one
        (`phil:<family>`), or the path of a heuristic file.
    precompute
        Whether a heuristic learned by PHIL precomputes what it can for all nodes of a graph when a
        goal is first searched for. This pays on static graphs with many searches to few goals.
    network : callable, optional
        For a file that `phil.train(..., network=...)` wrote: the class of the network, or whatever
        was given there.

    Returns
    -------
    Heuristic
        A heuristic for `phil.search` and the other searches.

    Raises
    ------
    InputError
        If there is no such heuristic, or its file is damaged.

    Examples
    --------
    >>> load_heuristic("euclidean").name
    'euclidean'
    """
    name = os.fspath(name)
    known = heuristics()
    if network is not None:
        from phil.heuristics.own import load_own

        if precompute:
            raise InputError("a network of your own has nothing to precompute")
        return load_own(Path(name), network)
    if name in known:
        if precompute:
            raise InputError(f"{name} has nothing to precompute; only learned heuristics do")
        return known[name]
    if name.startswith(PREFIX):
        return _shipped(name, precompute)
    path = Path(name)
    if os.path.exists(name):  # unlike Path.exists, it accepts names too long for a file
        from phil.heuristics.phil import read_heuristic

        return read_heuristic(path, precompute=True) if precompute else read_any(path)
    if names_a_file(name):
        raise missing_file(name, "heuristic file")
    raise unknown_name("heuristic", name, [*known, *shipped_names()])


def learned_kinds() -> tuple[type[LearnedHeuristic], ...]:
    """The kinds of learned heuristics; each names its learning methods, as its files do."""
    # Imported here, so that a search with another heuristic does not wait for their kernels.
    from phil.heuristics.mlp import MlpHeuristic
    from phil.heuristics.neural_astar import NeuralAstarHeuristic
    from phil.heuristics.phil import PhilHeuristic

    return PhilHeuristic, NeuralAstarHeuristic, MlpHeuristic


def read_any(path: Path, name: str | None = None) -> LearnedHeuristic:
    """The heuristic in a file, whichever method learned it."""
    from phil.heuristics.file import read_learned

    readers = {method: kind.from_file for kind in learned_kinds() for method in kind.methods}
    return read_learned(path, readers, name)


@cache
def _shipped(name: str, precompute: bool) -> PhilHeuristic:
    from phil.heuristics.phil import read_heuristic

    path = shipped_folder() / (name.removeprefix(PREFIX) + SUFFIX)
    if name not in shipped_names():
        raise unknown_name("shipped heuristic", name, shipped_names())
    return read_heuristic(path, name, precompute=precompute)
