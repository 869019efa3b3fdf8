"""Running `python -m reproduction` in this process, and quick runs that a module's tests share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

import pytest

from reproduction.__main__ import main
from reproduction.experiment import Document, Experiment, Request
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


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of heuristics trained in quick runs, which experiments take from each other."""
    return tmp_path_factory.mktemp("trained")


@dataclass(frozen=True)
class QuickRun:
    """An experiment that was run on small problems, and what it left."""

    experiment: Experiment
    request: Request

    @classmethod
    def of(cls, experiment: Experiment, folder: Path, **changes: Any) -> QuickRun:
        """Run it with one seed, unless said otherwise."""
        request = Request(folder / "results", folder / "docs", folder / "build", quick=True)
        run = cls(experiment, replace(request, **{"seeds": 1, **changes}))
        experiment.reproduce(run.request, quiet)
        return run

    @property
    def parts(self) -> dict[str, dict[str, Any]]:
        """The measured parts."""
        return self.experiment.store(self.request).parts()

    @property
    def document(self) -> Document:
        """What the parts come to."""
        return self.experiment.document(self.request)

    def text(self, suffix: str) -> str:
        """The page as `md` or `html`."""
        return self.file(f".{suffix}").read_text()

    def file(self, ending: str) -> Path:
        """A file of the page."""
        return self.request.docs / f"{self.request.named(self.experiment.name)}{ending}"

    def check_resumed(self) -> None:
        """Nothing is made again."""
        before = self.parts
        told: list[str] = []
        self.experiment.reproduce(self.request, told.append)
        assert told == []
        assert self.parts == before

    def check_page(self) -> None:
        """Both forms of the page show every section and every number."""
        page, html = self.text("md"), self.text("html")
        for section in self.experiment.page(self.document, self.request).parts:
            assert f"## {section.title}\n" in page
            for row in getattr(section, "rows", ()):
                assert "| " + " | ".join(row) + " |" in page
                assert all(f">{escape(cell)}<" in html for cell in row[1:])


def quiet(text: str) -> None:
    """Nobody listens."""
