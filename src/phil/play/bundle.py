"""The page's modules as one, for pages without a server and for notebooks.

`phil.play.protocol` has the rules that make this simple: modules import named things from each
other at their top, export declarations only, and never declare the same name twice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

from phil.errors import InputError

MAIN = ("transport.js", "main.js")
ALONE = "boot.js"  # starts the page of a server
STYLE = "playground.css"
IMPORT = re.compile(r'^import\s*\{[^}]*\}\s*from\s*"\./([\w.-]+)";[ \t]*\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let)\b)", re.MULTILINE)
LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
DECLARED = re.compile(
    r"^(?:export )?(?:async )?(?:function\*?|class|const|let)\s+(?:([\w$]+)|\{([^}]*)\})",
    re.MULTILINE,
)


@cache
def page_script() -> str:
    """All modules of the page but `boot.js`, as the text of one module without imports."""
    return joined(_modules(), *MAIN)


@cache
def page_style() -> str:
    """The styles of the page."""
    return (_folder() / STYLE).read_text(encoding="utf-8")


def joined(modules: Mapping[str, str], *main: str) -> str:
    """One module made of several.

    Parameters
    ----------
    modules
        The texts of modules by file name.
    main
        The modules that all others are imported for, directly or not.

    Returns
    -------
    str
        The modules in an order in which what is imported comes first; nothing is exported.

    Raises
    ------
    InputError
        If a module is missing, imports itself, or breaks the rules.

    Examples
    --------
    >>> modules = {
    ...     "main.js": 'import { one } from "./numbers.js";\\nexport const two = one + one;\\n',
    ...     "numbers.js": "export const one = 1;\\n",
    ... }
    >>> print(joined(modules, "main.js"))
    const one = 1;
    const two = one + one;
    <BLANKLINE>
    """
    order: list[str] = []
    for name in main:
        _visit(modules, name, order, ())
    owner: dict[str, str] = {}
    for name in order:
        for declared in _declared(modules[name]):
            if declared in owner:
                raise InputError(f"{owner[declared]} and {name} both declare {declared}")
            owner[declared] = name
    return "".join(_plain(name, modules[name]) for name in order)


def _visit(
    modules: Mapping[str, str], name: str, order: list[str], within: tuple[str, ...]
) -> None:
    """Append a module to the order, after all that it imports."""
    if name in order:
        return
    if name in within:
        raise InputError(f"modules import each other: {' -> '.join([*within, name])}")
    if name not in modules:
        raise InputError(f"{within[-1] if within else 'the page'}: there is no module {name}")
    for needed in IMPORT.findall(modules[name]):
        _visit(modules, needed, order, (*within, name))
    order.append(name)


def _plain(name: str, text: str) -> str:
    plain = EXPORT.sub("", IMPORT.sub("", text))
    left = LEFT.search(plain)
    if left is not None:
        raise InputError(f"{name}: this cannot be joined with other modules: {left[0][:80]}")
    return plain


def _declared(text: str) -> list[str]:
    """The names that a module declares at its top level, where lines are not indented."""
    names: list[str] = []
    for single, several in DECLARED.findall(text):
        names += [single] if single else re.findall(r"[\w$]+(?=\s*(?:,|$|=))", several)
    return names


def _modules() -> dict[str, str]:
    return {
        each.name: each.read_text(encoding="utf-8")
        for each in _folder().iterdir()
        if each.name.endswith(".js") and each.name != ALONE
    }


def _folder() -> resources.abc.Traversable:
    return resources.files("phil.play") / "page"
