"""The mutants of a source file: the file with one small change, such as `<` for `<=`.

The changes are those of mutmut, without changes of texts, plus two: a condition is negated, and a
call for its effect is left out. Only what runs as Python is changed: kernels, type annotations and
decorators are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation import mutators

# Decorators of compiled code; the functions that emit it take a `builder`.
KERNELS = {"kernel", "primitive", "routine", "allocating_kernel", "instruction"}
NO_CODE = {"cast", "TypeVar", "NewType"}  # calls for the type checker
CHECKS = {"strict"}  # arguments that only make sure that the code around is right
OPERATORS = [
    (kind, operator)
    for kind, operator in mutators.mutation_operators
    if operator is not mutators.operator_string
]


@dataclass(frozen=True, eq=False)
class Mutant:
    """A change of a file.

    `place` is the outermost function around it, such as `Graph.between`, which begins at `first`,
    or the name of a constant (`first` is 0). `lines` are those of which one is run where the change
    matters.
    """

    path: Path
    place: str
    first: int
    lines: range
    _module: cst.Module
    _statements: Sequence[cst.CSTNode]  # around it, from that of the module to the innermost
    _old: cst.CSTNode
    _new: cst.CSTNode

    def _codes(self, statement: cst.CSTNode) -> tuple[str, str]:
        """A statement before and after the change."""
        changed = statement.visit(_Replacer(self._old, self._new))
        assert isinstance(changed, cst.CSTNode)
        return self._module.code_for_node(statement), self._module.code_for_node(changed)

    @property
    def source(self) -> str:
        """The changed file."""
        return self._module.code.replace(*self._codes(self._statements[0]), 1)

    @cached_property
    def difference(self) -> tuple[str, str]:
        """The lines that differ, before and after."""
        old, new = (code.splitlines() for code in self._codes(self._statements[-1]))
        while old and new and old[0] == new[0]:
            del old[0], new[0]
        while old and new and old[-1] == new[-1]:
            del old[-1], new[-1]
        return _joined(old), _joined(new)

    def __str__(self) -> str:
        before, after = self.difference
        return f"{self.path.as_posix()}: {self.place}: `{before}` becomes `{after}`"


def mutants_of(path: Path, root: Path) -> list[Mutant]:
    """All mutants of a file, whose path is relative to the root."""
    wrapper = MetadataWrapper(cst.parse_module((root / path).read_text()), unsafe_skip_copy=True)
    visitor = _Visitor(path, wrapper.module)
    wrapper.visit(visitor)
    return visitor.mutants


class _Visitor(cst.CSTVisitor):
    """Collects changes in functions, and in constants of files without kernels."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, path: Path, module: cst.Module) -> None:
        super().__init__()
        self.mutants: list[Mutant] = []
        self._path = path
        self._module = module
        self._has_kernels = any(f"\n@{kernel}" in module.code for kernel in KERNELS)
        self._around: list[cst.CSTNode] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if self._is_left_alone(node):
            return False
        self._around.append(node)
        for old, new in _changes(node):
            self._add(old, new)
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if self._around and self._around[-1] is original_node:
            self._around.pop()

    def _is_left_alone(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.FunctionDef):
            names = {_name(decorator.decorator) for decorator in node.decorators}
            emits = any(param.name.value == "builder" for param in node.params.params)
            return emits or bool(names & (KERNELS | {"overload"}))
        if isinstance(node, cst.Call):
            return _name(node.func) in NO_CODE
        return _is_check(node) or isinstance(node, cst.Annotation | cst.Decorator)

    def _add(self, old: cst.CSTNode, new: cst.CSTNode) -> None:
        functions = [node for node in self._around if isinstance(node, cst.FunctionDef)]
        lines, first = self._lines(old), 0
        if functions:
            outer = functions[0]
            first = min(self._range(node).start for node in [outer, *outer.decorators])
            above = self._around[: self._around.index(outer)]
            classes = [node.name.value for node in above if isinstance(node, cst.ClassDef)]
            place = ".".join([*classes, outer.name.value])
            if any(isinstance(node, cst.Param) for node in self._around):  # a default
                lines = self._range(functions[-1].body)
        elif (constant := _constant(self._around)) and not self._has_kernels:
            place = constant
        else:
            return
        self.mutants.append(
            Mutant(self._path, place, first, lines, self._module, self._statements(), old, new)
        )

    def _statements(self) -> list[cst.CSTNode]:
        kinds = cst.SimpleStatementLine | cst.BaseCompoundStatement
        return [node for node in self._around if isinstance(node, kinds)]

    def _lines(self, node: cst.CSTNode) -> range:
        statements = self._statements()
        last = self._range(node).stop
        return range(self._range(statements[-1]).start, last) if statements else range(0)

    def _range(self, node: cst.CSTNode) -> range:
        position = self.get_metadata(PositionProvider, node)
        return range(position.start.line, position.end.line + 1)


class _Replacer(cst.CSTTransformer):
    def __init__(self, old: cst.CSTNode, new: cst.CSTNode) -> None:
        super().__init__()
        self._old, self._new = old, new

    def on_visit(self, node: cst.CSTNode) -> bool:
        return node is not self._old

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        return self._new if original_node is self._old else updated_node


def _changes(node: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    for kind, operator in OPERATORS:
        if isinstance(node, kind):
            for changed in operator(node):
                if all(check in changed.children for check in filter(_is_check, node.children)):
                    yield node, changed
    if isinstance(node, cst.If | cst.While):
        inner = node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
        yield node.test, cst.UnaryOperation(cst.Not(), inner)
    if isinstance(node, cst.Expr) and isinstance(node.value, cst.Call):
        yield node, cst.Pass()


def _is_check(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Arg) and node.keyword is not None and node.keyword.value in CHECKS


def _constant(around: list[cst.CSTNode]) -> str | None:
    """The name that a statement of the module gives to a value that is no type."""
    match around:
        case [_, _, cst.Assign(value=cst.Subscript()), *_]:
            return None
        case [_, cst.SimpleStatementLine(), cst.Assign(targets=[one]), _, *_]:
            return _name(one.target)
        case [_, cst.SimpleStatementLine(), cst.AnnAssign(target=target), _, *_]:
            return _name(target)
    return None


def _name(node: cst.CSTNode) -> str | None:
    match node:
        case cst.Call(func=function):
            return _name(function)
        case cst.Attribute(attr=cst.Name(value=name)) | cst.Name(value=name):
            return str(name)
    return None


def _joined(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines)
