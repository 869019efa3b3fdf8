"""What docs/data.md says of sets larger than memory runs as it stands there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import DOCS, run_command, run_python, steps

PAGE = DOCS / "data.md"


def test_all_but_downloads_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow", reason="Parquet files need the extra ray")
    monkeypatch.chdir(tmp_path)
    chosen = [step for step in steps(PAGE) if "--download" not in step.text]
    assert {step.python for step in chosen} == {True, False}
    for step in chosen:
        if step.python:
            run_python(PAGE, step, {}, capsys)
        else:
            run_command(step.text, capsys)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["forest.parquet", "mazes.parquet"]
