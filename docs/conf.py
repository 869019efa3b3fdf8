"""How Sphinx builds the pages: `make docs`."""

from __future__ import annotations

import logging
import re
from importlib.metadata import version as installed_version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

project = "PHIL"
author = "PHIL contributors"
release = version = installed_version("phil-search")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
napoleon_google_docstring = False  # numpydoc sections
# Types in docstrings are prose ("array of shape (n, 2)"): a word may name several attributes.
suppress_warnings = ["ref.python"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "PHIL"
html_copy_source = False

myst_heading_anchors = 3  # links to headings, as code hosts have them
highlight_language = "none"  # an indented block is a command
default_role = "code"  # docstrings have `names` in single backticks

autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
# Pages can be built without the extras; what they would give is then only named.
autodoc_mock_imports = [name for name in ("torch", "mujoco") if find_spec(name) is None]

# The front page shows a race that plays; where pages are read as files, a picture of one.
RACE = "race.html"
PICTURE = re.compile(r"!\[[^\]]*\]\(images/playground-race\.gif\)")
FRAME = f'''```{{raw}} html
<iframe src="{RACE}" title="Four methods search a city" loading="lazy"
  style="width: 100%; height: 46rem; border: 1px solid var(--color-background-border)"></iframe>
```'''

CODE = re.compile(r"(``.*?``|`[^`]*`)")


def plain_text(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Docstrings are plain text: what reStructuredText would take for marks of its own is escaped.

    Lines of examples and what stands in backticks stay as they are.
    """
    in_example = False
    for number, line in enumerate(lines):
        in_example = line.lstrip().startswith(">>>") or (in_example and bool(line.strip()))
        if not in_example:
            parts = CODE.split(line)
            parts[::2] = [re.sub(r"([|*])", r"\\\1", part) for part in parts[::2]]
            lines[number] = "".join(parts)


def write_race(app: Any, error: Exception | None) -> None:
    """Write the race of the front page beside it."""
    if error is None and app.builder.format == "html":
        from phil.play.export import export_html
        from phil.play.given import open_desk
        from phil.play.recording import record

        desk, scene = open_desk(None)
        race = record(scene, [pane.method for pane in desk.state.panes])
        (Path(app.outdir) / RACE).write_text(export_html(race), encoding="utf-8")


def show_race(app: Any, page: str, source: list[str]) -> None:
    """Let the front page play a race instead of showing its picture."""
    if page == "index" and app.builder.format == "html":
        source[0] = PICTURE.sub(FRAME, source[0])


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("source-read", show_race)
    app.connect("build-finished", write_race)
    # Before napoleon writes marks of its own.
    app.connect("autodoc-process-docstring", plain_text, priority=400)
    # The contents name reports that may not be made yet; this warning cannot be suppressed by name.
    logging.getLogger("sphinx.sphinx.directives.other").addFilter(
        lambda record: getattr(record, "subtype", "") != "empty_glob"
    )
