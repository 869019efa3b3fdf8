"""The page's modules become one, as pages without a server and notebooks need it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from phil.errors import InputError
from phil.play.bundle import joined, page_script, page_style


def test_what_is_imported_comes_first_and_once() -> None:
    modules = {
        "main.js": 'import { b } from "./b.js";\nimport { c } from "./c.js";\nb(c);\n',
        "b.js": 'import {\n  c,\n} from "./c.js";\nexport function b() {}\n',
        "c.js": "export const c = 1;\n",
    }
    assert joined(modules, "main.js") == "const c = 1;\nfunction b() {}\nb(c);\n"


@pytest.mark.parametrize(
    ("modules", "words"),
    [
        ({"main.js": 'import { a } from "./a.js";\n'}, "no module a.js"),
        ({"main.js": 'import { m } from "./main.js";\n'}, "import each other"),
        ({"main.js": 'import * as a from "./a.js";\n'}, "cannot be joined"),
        ({"main.js": "export default 3;\n"}, "cannot be joined"),
        (
            {"main.js": 'import { a } from "./a.js";\nconst x = a;\n', "a.js": "let x = 1;\n"},
            "both declare x",
        ),
        (
            {"main.js": 'import { a } from "./a.js";\nconst { y, x } = a;\n', "a.js": "let x;\n"},
            "both declare x",
        ),
    ],
)
def test_what_cannot_be_joined_is_refused(modules: dict[str, str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        joined(modules, "main.js")


def test_the_page_is_one_script_that_reaches_for_nothing() -> None:
    script = page_script()
    for name in ("startPlayground", "recordingTransport"):
        assert f"function {name}(" in script
    assert "http://" not in script.replace("http://www.w3.org/", "")
    assert "https://" not in script
    assert "url(" not in page_style().replace("url(#", "").replace('url("data:', "")


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_script_is_valid(tmp_path: Path) -> None:
    path = tmp_path / "page.mjs"
    path.write_text(page_script())
    subprocess.run(["node", "--check", str(path)], check=True, timeout=60)
