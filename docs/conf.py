"""How Sphinx builds the pages: `make docs`."""

from __future__ import annotations

import logging
import re
from importlib.metadata import version as installed_version
from importlib.util import find_spec
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


def setup(app: Any) -> None:
    """Called by Sphinx."""
    # Before napoleon writes marks of its own.
    app.connect("autodoc-process-docstring", plain_text, priority=400)
    # The contents name reports that may not be made yet; this warning cannot be suppressed by name.
    logging.getLogger("sphinx.sphinx.directives.other").addFilter(
        lambda record: getattr(record, "subtype", "") != "empty_glob"
    )
