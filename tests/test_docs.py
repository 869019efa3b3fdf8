"""The pages of docs/ run as they stand, their links lead somewhere, and the contents name all."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from phil.graphs.features.registry import FEATURES
from tests.pages import DOCS, ROOT, anchors, links, python_blocks, rows, run_page, steps

PAGES = sorted(DOCS.rglob("*.md"))
RUN = ("tutorial", "how", "extend")
MOST_LINES = 40  # of a part that `extend.md` writes


def own_parts() -> str:
    """The file that the page on extending has its reader write."""
    blocks = [step.text for step in steps(DOCS / "extend.md") if step.python]
    wanted = ("class ", "def ", "= phil.ProblemSet(", "phil.register_")
    return "import phil\n" + "\n\n".join(
        block for block in blocks if any(part in block for part in wanted)
    )


@pytest.mark.parametrize("name", RUN)
def test_a_page_runs_from_top_to_bottom(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    if name == "extend":
        (tmp_path / "my_parts.py").write_text(own_parts())
    run_page(DOCS / f"{name}.md", capsys)


def test_the_page_on_choosing_shows_what_its_command_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    printed = run_page(DOCS / "choose.md", capsys)
    measured = rows(
        DOCS / "choose.md", "| method | mean cost ratio | mean expansions | mean calls |"
    )
    assert len(measured) == 6
    for method, *numbers in measured:
        assert re.search(rf"^{re.escape(method)} .* {'  +'.join(numbers)} ", printed, re.MULTILINE)


@pytest.mark.parametrize("name", ["limits", "results"])
def test_a_page_has_nothing_to_run(name: str) -> None:
    assert not steps(DOCS / f"{name}.md")


def test_every_part_of_your_own_is_short() -> None:
    written = [step.text for step in steps(DOCS / "extend.md") if step.python]
    assert len(written) >= 4
    assert all(len(text.splitlines()) < MOST_LINES for text in written)


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        if link.startswith(("https://", "mailto:")):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_page_is_in_the_contents() -> None:
    listed = set(_contents())
    unlisted = {page.relative_to(DOCS).as_posix() for page in PAGES} - listed - {"index.md"}
    assert not unlisted


def test_the_files_that_architecture_names_are_there() -> None:
    package = ROOT / "src" / "phil"
    folders = [ROOT, package, package / "heuristics" / "phil"]
    named = set(re.findall(r"`([\w/]+\.py)`", (DOCS / "architecture.md").read_text()))
    named -= {"network.py", "registry.py"}  # files of that name in several folders
    assert len(named) > 30
    assert [name for name in named if not any((place / name).exists() for place in folders)] == []


def test_only_documented_modules_are_imported() -> None:
    documented = {
        module
        for page in (DOCS / "api").glob("*.md")
        for module in re.findall(r"automodule:: (\S+)", page.read_text())
    }
    code = [python for page in [ROOT / "README.md", *PAGES] for python in python_blocks(page)]
    code += [example.read_text() for example in (ROOT / "examples").glob("*.py")]
    nodes = [node for text in code for node in ast.walk(ast.parse(text))]
    imported = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    imported |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    imported = {name for name in imported if name.split(".")[0] == "phil"}
    assert imported
    assert imported <= documented


def test_every_feature_is_explained() -> None:
    page = (DOCS / "features.md").read_text()
    assert all(re.search(rf"^\| `{name}[`:]", page, re.MULTILINE) for name in FEATURES)


def test_the_settings_of_sphinx_escape_marks_but_not_examples() -> None:
    names: dict[str, object] = {}
    exec((DOCS / "conf.py").read_text(), names)
    lines = ["|CLOSE| of A*, `|a|`", ">>> 2 * 3", "6", "", "a * b"]
    plain_text = names["plain_text"]
    assert callable(plain_text)
    plain_text(None, "", "", None, None, lines)
    assert lines == [r"\|CLOSE\| of A\*, `|a|`", ">>> 2 * 3", "6", "", r"a \* b"]


def _contents() -> Iterator[str]:
    for block in re.findall(
        r"```\{toctree\}\n(.*?)```", (DOCS / "index.md").read_text(), re.DOTALL
    ):
        for line in block.splitlines():
            if line and not line.startswith(":"):
                yield from (page.relative_to(DOCS).as_posix() for page in DOCS.glob(line + ".md"))


def test_the_front_page_plays_a_race_instead_of_its_picture() -> None:
    names: dict[str, Any] = {}
    exec((DOCS / "conf.py").read_text(), names)
    text = (DOCS / "index.md").read_text()
    assert "playground-race.gif" in text
    for form, page, shown in (("html", "index", 1), ("latex", "index", 0), ("html", "limits", 0)):
        source = [text]
        names["show_race"](SimpleNamespace(builder=SimpleNamespace(format=form)), page, source)
        assert source[0].count("<iframe") == shown
        assert source[0].count("playground-race.gif") == 1 - shown
