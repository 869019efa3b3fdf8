"""Compiled code is kept between processes, and never used when its source has changed."""

from __future__ import annotations

import hashlib
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import numba
import pytest

import phil
from phil.compiled import compiled_functions, direct, kernel, kernel_sources
from phil.compiled.cache import FORMAT
from tests.compiled.process import process

PACKAGE = Path(phil.__file__).parent

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


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)


@pytest.fixture
def miniature(tmp_path: Path) -> Path:
    """A package called `phil` with this one's way of compiling, and one kernel."""
    package = tmp_path / "package" / "phil"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    shutil.copytree(
        PACKAGE / "compiled", package / "compiled", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copy(PACKAGE / "text.py", package)
    (package / "primitive.py").write_text(PRIMITIVE)
    (package / "kernel.py").write_text(KERNEL)
    return package


def test_an_edited_primitive_is_never_answered_from_a_stale_cache(
    miniature: Path, tmp_path: Path
) -> None:
    cache = str(tmp_path / "cache")
    assert process(RUN, miniature.parent, PHIL_CACHE=cache).stdout.split() == ["7", "1"]
    source = miniature / "primitive.py"
    before = source.stat()
    source.write_text(PRIMITIVE.replace("+ 1", "+ 3"))
    # Numba looks at time and size, and at those of the kernel's own file only.
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert process(RUN, miniature.parent, PHIL_CACHE=cache).stdout.split() == ["11", "1"]
    source.write_text(PRIMITIVE)
    assert process(RUN, miniature.parent, PHIL_CACHE=cache).stdout.split()[0] == "7"


def test_a_package_that_cannot_be_written_to_is_compiled_once(
    miniature: Path, tmp_path: Path
) -> None:
    before = sorted(miniature.rglob("*"))
    miniature.chmod(0o555)
    cache = str(tmp_path / "cache")
    first = process(RUN, miniature.parent, PHIL_CACHE=cache)
    second = process(RUN, miniature.parent, PHIL_CACHE=cache)
    miniature.chmod(0o755)
    assert (first.stdout, second.stdout) == ("7 1\n", "7 0\n")
    assert sorted(miniature.rglob("*")) == before  # chmod does not stop an administrator


def test_the_first_use_is_announced_once(miniature: Path, tmp_path: Path) -> None:
    threads = """
import threading
together = [threading.Thread(target=twice, args=(value,)) for value in (5, 5.0, True, 1j)]
for thread in together: thread.start()
for thread in together: thread.join()
"""
    cache = str(tmp_path / "cache")
    first = process(RUN + threads, miniature.parent, PHIL_CACHE=cache)
    assert first.stderr.startswith("phil: compiling for this machine, once")
    assert "phil warmup" in first.stderr
    assert first.stderr.count("\n") == 1
    assert process(RUN + threads, miniature.parent, PHIL_CACHE=cache).stderr == ""


def test_the_functions_of_other_users_of_numba_are_not_announced(
    miniature: Path, tmp_path: Path
) -> None:
    other = "import numba, phil.kernel; print(numba.njit(lambda x: x + 1)(5))"
    done = process(other, miniature.parent, PHIL_CACHE=str(tmp_path / "cache"))
    assert (done.stdout, done.stderr) == ("6\n", "")


def test_a_folder_that_cannot_be_made_leaves_the_code_in_memory(
    miniature: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    done = process(RUN, miniature.parent, PHIL_CACHE=str(tmp_path / "file"))
    assert done.stdout.split() == ["7", "1"]
    assert done.stderr.startswith("phil: compiling for some seconds, and again in every process")
    assert str(tmp_path / "file") in done.stderr
    assert "set PHIL_CACHE" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_folder_that_others_can_write_to_is_refused(miniature: Path, tmp_path: Path) -> None:
    cache = tmp_path / "around" / "cache"
    process(RUN, miniature.parent, PHIL_CACHE=str(cache))
    [code] = cache.glob("*/*")
    # What another user could have put there: it says so when it is read.
    content = b"cbuiltins\nprint\n(Vread\ntR."
    digest = hashlib.sha256(code.name.encode() + content).digest()
    code.write_bytes(FORMAT + digest + content)
    for unsafe in (cache, cache.parent):
        unsafe.chmod(0o777)
        done = process(RUN, miniature.parent, PHIL_CACHE=str(cache))
        unsafe.chmod(0o755)
        assert done.stdout == "7 1\n"
        assert f"{unsafe} is not safe to run code from: others can write to it" in done.stderr
        assert done.stderr.count("\n") == 1
    assert process(RUN, miniature.parent, PHIL_CACHE=str(cache)).stdout == "read\n7 1\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limits")
def test_a_disk_that_takes_no_more_is_reported_once(miniature: Path, tmp_path: Path) -> None:
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
    cache = tmp_path / "cache"
    done = process(full + RUN, miniature.parent, PHIL_CACHE=str(cache))
    assert done.stdout == "7 1\n"
    first, second = done.stderr.splitlines()
    assert first.startswith("phil: compiling for this machine, once")
    assert second.startswith(f"phil: {next(cache.iterdir())} cannot be written to (")
    assert second.endswith("set PHIL_CACHE to a folder of your own")
    assert list(cache.glob("*/*")) == []


def test_processes_that_compile_at_once_do_not_disturb_each_other(
    miniature: Path, tmp_path: Path
) -> None:
    cache = str(tmp_path / "cache")
    with ThreadPoolExecutor() as pool:
        done = list(pool.map(lambda _: process(RUN, miniature.parent, PHIL_CACHE=cache), range(3)))
    assert {one.stdout.split()[0] for one in done} == {"7"}
    assert process(RUN, miniature.parent, PHIL_CACHE=cache).stdout == "7 0\n"
    assert list(Path(cache).rglob("*.tmp")) == []


def test_every_kernel_is_registered() -> None:
    for path in kernel_sources(PACKAGE):
        module = import_module(module_name(path))
        for value in vars(module).values():
            if isinstance(value, numba.core.dispatcher.Dispatcher):
                is_part = value.targetoptions.get("no_cpython_wrapper", False)
                assert is_part != (value in compiled_functions())


def test_waiting_for_a_kernel_is_measured(miniature: Path) -> None:
    """Compiled, or read from the disk by the second process: both take a while, a call does not."""
    code = (
        "import time; from phil.kernel import twice; from phil.compiled import loading_seconds\n"
        "began = time.perf_counter(); twice(5); first = time.perf_counter() - began\n"
        "waited = loading_seconds(); twice(6)\n"
        "print(0.5 * first < waited <= first, loading_seconds() == waited)"
    )
    for _ in range(2):
        assert process(code, miniature.parent).stdout.split() == ["True", "True"]


def test_a_kernel_with_one_version_can_be_called_directly() -> None:
    @kernel
    def twice(x: float) -> float:
        return 2 * x

    assert direct(twice) is twice  # not compiled yet
    assert twice(3) == 6
    code = direct(twice)
    assert code is direct(twice) is not twice
    assert code(4) == 8


def test_a_kernel_with_two_versions_is_looked_up() -> None:
    @kernel
    def twice(x: float) -> float:
        return 2 * x

    assert (twice(3), twice(2.5)) == (6, 5.0)
    assert direct(twice) is twice
