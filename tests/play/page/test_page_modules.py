"""The rules by which the page's modules are joined into one (see `phil.play.protocol`)."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files

import pytest

PAGE = files("phil.play") / "page"
MODULES = {each.name: each.read_text() for each in PAGE.iterdir() if each.name.endswith(".js")}
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([a-z_0-9]+\.js)";$', re.MULTILINE)
DECLARED = re.compile(
    r"^(?:export )?(?:async )?(?:function\*?|const|let|class) (\{[^}]*\}|\[[^\]]*\]|\w+)",
    re.MULTILINE,
)
EXPORTED = re.compile(r"^export (?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)


@pytest.mark.parametrize("name", sorted(MODULES))
def test_a_module_imports_only_what_others_export(name: str) -> None:
    text = MODULES[name]
    assert len(re.findall(r"^import\b", text, re.MULTILINE)) == len(IMPORT.findall(text))
    for names, source in IMPORT.findall(text):
        wanted = {each.strip() for each in names.split(",") if each.strip()}
        assert wanted <= set(EXPORTED.findall(MODULES[source])), source
        unused = {each for each in wanted if len(re.findall(rf"\b{each}\b", text)) == 1}
        assert not unused
    assert "import(" not in text
    assert "export default" not in text


def test_no_two_modules_declare_one_name() -> None:
    declared = Counter(
        name
        for text in MODULES.values()
        for group in DECLARED.findall(text)
        for name in re.findall(r"\w+", group)
    )
    assert [name for name, times in declared.items() if times > 1] == []


def test_modules_import_each_other_without_a_cycle() -> None:
    imports = {name: {each for _, each in IMPORT.findall(text)} for name, text in MODULES.items()}
    while ready := {name for name, wanted in imports.items() if not wanted & imports.keys()}:
        for name in ready:
            del imports[name]
    assert imports == {}


def test_nothing_comes_from_elsewhere() -> None:
    """No other host, and nothing that the content security policy forbids."""
    html = (PAGE / "index.html").read_text()
    assert not re.search(r"<script(?![^>]*\bsrc=)|\bstyle=|\bon\w+=", html)
    for text in [html, (PAGE / "playground.css").read_text(), *MODULES.values()]:
        assert set(re.findall(r"https?://[\w./]+", text)) <= {"http://www.w3.org/2000/svg"}
