"""Commands that are imported when they are run."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from phil.cli.commands import COMMANDS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Phil


@pytest.mark.parametrize("name", COMMANDS)
def test_the_summary_is_the_first_line_of_the_help(name: str) -> None:
    summary, example = COMMANDS[name]
    written = inspect.getdoc(getattr(import_module(f"phil.cli.{name}"), name))
    assert written is not None
    assert written.partition("\n\n")[0].replace("\n", " ") == summary
    assert example.startswith(f"phil {name}")


def test_the_help_of_a_command_knows_the_parts_of_plugins(program: Phil, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import phil\nphil.register_search('burrow', print)\n")
    assert "burrow(" in program("--plugin", "mine.py", "evaluate", "--help").out
