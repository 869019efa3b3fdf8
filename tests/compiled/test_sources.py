"""The name of the cache folder changes with every source of a kernel, and with no other file."""

from __future__ import annotations

import ast
import shutil
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import phil
from phil.compiled import kernel_sources, source_hash, user_folder
from phil.compiled.sources import _hash_beside, stamp_of

PACKAGE = Path(phil.__file__).parent
CONSTANTS = (int, float, np.generic)


def copy_of_the_package(folder: Path) -> Path:
    return shutil.copytree(
        PACKAGE, folder / "phil", ignore=shutil.ignore_patterns("__pycache__", "shipped")
    )


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)


def test_the_name_of_the_folder_changes_with_every_kernel_source(tmp_path: Path) -> None:
    package = copy_of_the_package(tmp_path)
    original = source_hash(PACKAGE)
    assert source_hash(package) == original
    assert user_folder().path.name == f"kernels-{original}"
    sources = kernel_sources(package)
    assert package / "search" / "expand.py" in sources
    hashes = {original}
    for path in sources:
        text = path.read_text()
        path.write_text(text + "\n# edited\n")
        hashes.add(source_hash(package))
        path.write_text(text)
    assert len(hashes) == 1 + len(sources)
    assert source_hash(package) == original


def test_a_tuple_that_kernels_read_by_position_is_a_kernel_source() -> None:
    names = {path.relative_to(PACKAGE).as_posix() for path in kernel_sources(PACKAGE)}
    assert {"heuristics/phil/weights.py", "heuristics/scaling.py"} <= names


def test_other_sources_keep_the_compiled_code(tmp_path: Path) -> None:
    package = copy_of_the_package(tmp_path)
    (package / "cli" / "main.py").write_text("")
    (package / "errors.py").write_text("# nothing")
    assert source_hash(package) == source_hash(PACKAGE)


def test_a_moved_kernel_is_another_one(tmp_path: Path) -> None:
    package = copy_of_the_package(tmp_path)
    (package / "search" / "expand.py").rename(package / "search" / "expanding.py")
    assert source_hash(package) != source_hash(PACKAGE)


def test_a_kernel_takes_constants_from_kernel_sources_only() -> None:
    # A constant is compiled into a kernel: where it is defined must count as a source. Kernels are
    # functions of a module; what a class uses is not compiled.
    sources = kernel_sources(PACKAGE)
    for path in sources:
        module, statements = import_module(module_name(path)), ast.parse(path.read_text()).body
        functions = [each for each in statements if isinstance(each, ast.FunctionDef)]
        nodes = [node for function in functions for node in ast.walk(function)]
        used = {node.id for node in nodes if isinstance(node, ast.Name)}
        for statement in statements:
            if not isinstance(statement, ast.ImportFrom) or not statement.module:
                continue
            names = {alias.asname or alias.name for alias in statement.names} & used
            values = [getattr(module, name, None) for name in names]
            if any(isinstance(value, CONSTANTS) for value in values):
                origin = PACKAGE.parent / f"{statement.module.replace('.', '/')}.py"
                assert origin in sources or not statement.module.startswith("phil.")


def test_a_source_outside_the_package_has_a_stamp_of_its_own(tmp_path: Path) -> None:
    first, second = tmp_path / "first.py", tmp_path / "second.py"
    first.write_text("one")
    second.write_text("two")
    stamps = {stamp_of(str(path)) for path in (first, second, PACKAGE / "errors.py")}
    assert len(stamps) == 3
    assert stamp_of("<stdin>") is None
    assert stamp_of(str(tmp_path / "missing.py")) is None


@pytest.mark.parametrize("package", [False, True])
def test_the_files_beside_a_source_count(tmp_path: Path, package: bool) -> None:
    inner = tmp_path / "plugin" / "inner"
    inner.mkdir(parents=True)
    kernels, beside = inner / "kernels.py", inner / "primitives.py"
    above, elsewhere = tmp_path / "plugin" / "constants.py", tmp_path / "elsewhere.py"
    for path in (kernels, beside, above, elsewhere):
        path.write_text("one")
    if package:
        for folder in (inner, inner.parent):
            (folder / "__init__.py").touch()

    def stamp() -> str | None:
        _hash_beside.cache_clear()
        return stamp_of.__wrapped__(str(kernels))

    first = stamp()
    for path, counts in ((kernels, True), (beside, True), (above, package), (elsewhere, False)):
        path.write_text("two")
        assert (stamp() != first) == counts
        path.write_text("one")
        assert stamp() == first
