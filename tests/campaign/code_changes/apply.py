"""Applying a mutant to the modules that a process has imported: nothing is imported anew."""

from __future__ import annotations

import ast
import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from tests.campaign.code_changes.operators import Mutant

Functions = dict[tuple[str, str, int], list[FunctionType]]  # by file, qualified name and line


def all_functions() -> Functions:
    """The functions made of each definition, also those that decorators hide."""
    functions: Functions = {}
    for one in gc.get_objects():
        if type(one) is FunctionType:  # `isinstance` would ask objects for their class
            functions.setdefault(_place(one.__code__), []).append(one)
    return functions


class FailsAtImport(Exception):
    """A module with the mutant could not be imported."""


def apply(mutant: Mutant, root: Path, functions: Functions) -> bool:
    """Change the code or constant of all that refers to it; false if it is the same as before.

    A function that takes other variables from around it than before cannot be changed either.
    """
    forget()
    file = str(root / mutant.path)
    [module] = [one for one in _modules() if one.__file__ == file]
    if not mutant.first:
        return _set_constant(module, mutant)
    whole = compile(mutant.source, file, "exec", dont_inherit=True)
    place = file, mutant.place, mutant.first
    [code] = [one for one in _codes(whole) if _place(one) == place]
    defaults = _defaults(mutant, vars(module))
    changed = False
    for function in functions[place]:
        changed |= (function.__defaults__, function.__kwdefaults__) != defaults
        function.__defaults__, function.__kwdefaults__ = defaults
    for one in [code, *_codes(code)]:  # inner functions may have been made by an earlier call
        for function in functions.get(_place(one), ()):
            if function.__code__.co_freevars != one.co_freevars:
                return False  # it would need other variables of the function around it
            changed |= function.__code__ != one
            function.__code__ = one
    return changed


def forget() -> None:
    """Make functions of the package that keep what they returned compute it again."""
    for module in _modules():
        if module.__name__.startswith("phil."):
            for one in vars(module).values():
                if hasattr(one, "cache_clear"):
                    one.cache_clear()


def _modules() -> list[ModuleType]:
    return [one for one in list(sys.modules.values()) if getattr(one, "__file__", None)]


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of functions of a module and of its classes."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from _codes(inner)


def _place(code: CodeType) -> tuple[str, str, int]:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _defaults(mutant: Mutant, names: dict[str, Any]) -> tuple[Any, Any]:
    [definition] = [
        node
        for node in ast.walk(ast.parse(mutant.source))
        if isinstance(node, ast.FunctionDef)
        and min([node.lineno, *(one.lineno for one in node.decorator_list)]) == mutant.first
    ]
    given = definition.args
    values = tuple(_value(node, names) for node in given.defaults)
    by_name = {
        one.arg: _value(node, names)
        for one, node in zip(given.kwonlyargs, given.kw_defaults, strict=True)
        if node is not None
    }
    return values or None, by_name or None


def _set_constant(module: ModuleType, mutant: Mutant) -> bool:
    old = getattr(module, mutant.place)
    [node] = [
        node.value
        for node in ast.parse(mutant.source).body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and node.value is not None
        and any(
            isinstance(target, ast.Name) and target.id == mutant.place
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        )
    ]
    new = _value(node, vars(module))
    for holder in _modules():
        if vars(holder).get(mutant.place) is old:
            setattr(holder, mutant.place, new)
    return True


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    try:
        return eval(compile(ast.Expression(node), "<mutant>", "eval"), names)
    except Exception as error:
        raise FailsAtImport from error
