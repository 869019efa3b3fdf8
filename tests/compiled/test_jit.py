"""Compiled code is kept between processes, and never used when its source has changed."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numba
import numpy as np
import pytest

import phil
from phil.compiled import cache_folder, compiled_functions, kernel, kernel_sources, source_hash

PACKAGE = Path(phil.__file__).parent
CONSTANTS = (int, float, np.generic)

# A package with one kernel, which calls a primitive of another file: compiled in a moment.
PRIMITIVE = """
from phil.compiled import primitive

@primitive
def step(x):
    return x + 1
"""
KERNEL = """
from phil.compiled import cache_misses, kernel
from phil.primitive import step

@kernel
def twice(x):
    return step(step(x))
"""
RUN = "from phil.kernel import twice, cache_misses; print(twice(5), cache_misses())"


def process(code: str, package: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A fresh process that finds a package, or a copy of it."""
    environment = {**os.environ, "PYTHONPATH": str(package.parent), **variables}
    command = [sys.executable, "-B", "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


@pytest.fixture
def miniature(tmp_path: Path) -> Path:
    """A package called `phil` with this one's way of compiling, and one kernel."""
    package = tmp_path / "package" / "phil"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    shutil.copytree(
        PACKAGE / "compiled", package / "compiled", ignore=shutil.ignore_patterns("__pycache__")
    )
    (package / "primitive.py").write_text(PRIMITIVE)
    (package / "kernel.py").write_text(KERNEL)
    return package


def copy_of_the_package(folder: Path) -> Path:
    return shutil.copytree(
        PACKAGE, folder / "phil", ignore=shutil.ignore_patterns("__pycache__", "shipped")
    )


def test_the_name_of_the_folder_changes_with_every_kernel_source(tmp_path: Path) -> None:
    package = copy_of_the_package(tmp_path)
    original = source_hash(PACKAGE)
    assert source_hash(package) == original
    assert cache_folder().name == f"kernels-{original}"
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
    # A constant is compiled into a kernel: where it is defined must count as a source.
    sources = kernel_sources(PACKAGE)
    for path in sources:
        module = import_module(module_name(path))
        for statement in ast.walk(ast.parse(path.read_text())):
            if not isinstance(statement, ast.ImportFrom) or not statement.module:
                continue
            for alias in statement.names:
                value = getattr(module, alias.asname or alias.name, None)
                if statement.module.startswith("phil.") and isinstance(value, CONSTANTS):
                    assert PACKAGE.parent / f"{statement.module.replace('.', '/')}.py" in sources


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)


def test_an_edited_primitive_is_never_answered_from_a_stale_cache(
    miniature: Path, tmp_path: Path
) -> None:
    cache = str(tmp_path / "cache")
    assert process(RUN, miniature, PHIL_CACHE=cache).stdout.split() == ["7", "2"]
    source = miniature / "primitive.py"
    before = source.stat()
    source.write_text(PRIMITIVE.replace("+ 1", "+ 3"))
    # Numba looks at time and size, and at those of the kernel's own file only.
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert process(RUN, miniature, PHIL_CACHE=cache).stdout.split() == ["11", "2"]
    source.write_text(PRIMITIVE)
    assert process(RUN, miniature, PHIL_CACHE=cache).stdout.split()[0] == "7"


def test_a_package_that_cannot_be_written_to_is_compiled_once(
    miniature: Path, tmp_path: Path
) -> None:
    before = sorted(miniature.rglob("*"))
    miniature.chmod(0o555)
    cache = str(tmp_path / "cache")
    first = process(RUN, miniature, PHIL_CACHE=cache)
    second = process(RUN, miniature, PHIL_CACHE=cache)
    miniature.chmod(0o755)
    assert (first.stdout, second.stdout) == ("7 2\n", "7 0\n")
    assert sorted(miniature.rglob("*")) == before  # chmod does not stop an administrator


def test_the_first_use_is_announced_once(miniature: Path, tmp_path: Path) -> None:
    threads = """
import threading
together = [threading.Thread(target=twice, args=(value,)) for value in (5, 5.0, True, 1j)]
for thread in together: thread.start()
for thread in together: thread.join()
"""
    cache = str(tmp_path / "cache")
    first = process(RUN + threads, miniature, PHIL_CACHE=cache)
    assert first.stderr.startswith("phil: compiling for this machine, once")
    assert "phil warmup" in first.stderr
    assert first.stderr.count("\n") == 1
    assert process(RUN + threads, miniature, PHIL_CACHE=cache).stderr == ""


def test_the_functions_of_other_users_of_numba_are_not_announced(
    miniature: Path, tmp_path: Path
) -> None:
    other = "import numba, phil.kernel; print(numba.njit(lambda x: x + 1)(5))"
    done = process(other, miniature, PHIL_CACHE=str(tmp_path / "cache"))
    assert (done.stdout, done.stderr) == ("6\n", "")


def test_a_folder_that_cannot_be_made_is_replaced_by_a_temporary_one(
    miniature: Path, tmp_path: Path
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    (tmp_path / "file").touch()
    show = "; import phil.compiled; print(phil.compiled.cache_folder())"
    variables = {"PHIL_CACHE": str(tmp_path / "file"), "TMPDIR": str(temporary)}
    done = process(RUN + show, miniature, **variables)
    value, misses, folder = done.stdout.split()
    assert (value, misses) == ("7", "2")
    assert Path(folder).is_relative_to(temporary)
    assert list(temporary.iterdir()) == []
    assert done.stderr.startswith("phil: compiling for up to a minute, and again in every process")
    assert str(tmp_path / "file") in done.stderr
    assert "set PHIL_CACHE" in done.stderr
    assert done.stderr.count("\n") == 1


def test_every_kernel_is_registered() -> None:
    for path in kernel_sources(PACKAGE):
        module = import_module(module_name(path))
        for value in vars(module).values():
            if isinstance(value, numba.core.dispatcher.Dispatcher):
                assert value in compiled_functions()


def test_other_users_of_numba_keep_their_own_cache() -> None:
    before = numba.config.CACHE_DIR

    @kernel
    def twice(x: int) -> int:
        return 2 * x

    assert before == numba.config.CACHE_DIR
    assert twice(4) == 8


def test_waiting_for_a_kernel_is_measured(miniature: Path) -> None:
    """Compiled, or read from the disk by the second process: both take a while, a call does not."""
    code = (
        "import time; from phil.kernel import twice; from phil.compiled import loading_seconds\n"
        "began = time.perf_counter(); twice(5); first = time.perf_counter() - began\n"
        "waited = loading_seconds(); twice(6)\n"
        "print(0.5 * first < waited <= first, loading_seconds() == waited)"
    )
    for _ in range(2):
        assert process(code, miniature).stdout.split() == ["True", "True"]
