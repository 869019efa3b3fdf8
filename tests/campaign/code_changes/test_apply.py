"""Mutants change what a process has imported."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from tests.campaign.code_changes.apply import all_functions, apply
from tests.campaign.code_changes.operators import mutants_of

SOURCE = """
from functools import cache
LIMIT = 5
class Base:
    def size(self): return 1
class Door(Base):
    @property
    def width(self): return 10 + 1
    def size(self, factor=2, *, more=4):
        def inner(): return factor * more
        return super().size() + inner()
@cache
def below(x): return x < LIMIT
def made(factor):
    return lambda x: factor * x
double = made(2)
def guarded(x):
    if False: return 7
    return x
"""


@pytest.fixture
def module(tmp_path: Path) -> Iterator[ModuleType]:
    path = tmp_path / "small_door.py"
    path.write_text(SOURCE)
    specification = spec_from_file_location("small_door", path)
    assert specification is not None
    assert specification.loader is not None
    module = module_from_spec(specification)
    sys.modules["small_door"] = module
    specification.loader.exec_module(module)
    yield module
    del sys.modules["small_door"]


@pytest.mark.parametrize(
    ("after", "look", "value"),
    [
        ("LIMIT = 6", lambda module: module.below(5), True),
        ("def below(x): return x <= LIMIT", lambda module: module.below(5), True),
        ("def width(self): return 10 - 1", lambda module: module.Door().width, 9),
        ("def size(self, factor=3, *, more=4):", lambda module: module.Door().size(), 13),
        ("def size(self, factor=2, *, more=5):", lambda module: module.Door().size(), 11),
        ("def inner(): return factor / more", lambda module: module.Door().size(), 1.5),
        ("return lambda x: factor / x", lambda module: module.double(4), 0.5),
        ("return super().size() - inner()", lambda module: module.Door().size(), -7),
    ],
)
def test_all_that_refers_to_it_changes(
    module: ModuleType,
    tmp_path: Path,
    after: str,
    look: Callable[[ModuleType], float],
    value: float,
) -> None:
    mutants = mutants_of(Path("small_door.py"), tmp_path)
    [mutant] = [one for one in mutants if one.difference[1] == after]
    assert apply(mutant, tmp_path, all_functions())
    assert look(module) == value


def test_a_change_that_the_compiler_leaves_out_or_that_needs_other_variables_is_none(
    module: ModuleType, tmp_path: Path
) -> None:
    mutants = mutants_of(Path("small_door.py"), tmp_path)
    same = "if False: return 8", "return lambda x: None"
    left_out = [one for one in mutants if one.difference[1] in same]
    assert len(left_out) == 2
    assert not any(apply(mutant, tmp_path, all_functions()) for mutant in left_out)
