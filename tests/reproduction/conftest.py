"""Running `python -m reproduction` in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from reproduction.__main__ import main
from tests.cli.conftest import Done

Reproduce = Callable[..., Done]


@pytest.fixture
def reproduce(capsys: pytest.CaptureFixture[str]) -> Reproduce:
    """Runs a command line through the entry point, in this process."""

    def run(*arguments: str | Path) -> Done:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Done.from_process(int(ended.value.code or 0), printed.out, printed.err)

    return run
