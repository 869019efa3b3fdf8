"""A process that runs tests against mutants: `python -m tests.campaign.code_changes.worker`.

It imports everything and runs every test once, to see which lines it covers and how long it takes.
Then each mutant is applied in a forked child, which runs the tests that cover its lines, the
fastest first, until one fails. What happens is written to the standard output, as lines of JSON.
"""

from __future__ import annotations

import gc
import json
import os
import random
import resource
import signal
import sys
import time
from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from coverage import Coverage

from phil.compiled.cache import KernelCache
from tests.campaign.code_changes.apply import FailsAtImport, all_functions, apply, forget
from tests.campaign.code_changes.operators import Mutant, mutants_of

ROOT = Path(__file__).parents[3]
# Where the tests of a folder are. Searches are also tested by the methods that have names for them.
TESTS = {
    "evaluation": ["tests/evaluation", "src/phil/evaluation"],
    "search": [
        "tests/search",
        "src/phil/search",
        "tests/contracts/test_searches.py",
        "tests/evaluation",
    ],
    "learning": ["tests/learning", "src/phil/learning"],
}
EXAMPLES = 20  # of hypothesis, at most
LONGEST = 5.0  # seconds of tests per mutant, as long as they take without it: the fastest are run
PATIENCE = 10  # so many times as long as without a mutant, and so many seconds, a test may take
MEMORY = 4 << 30  # bytes that a mutant may take beyond what the process has
KILLED, SURVIVED, SAME, BROKEN = 0, 1, 2, 3  # how a child ends; broken: not by a test


class Worker:
    """A pytest plug-in that runs mutants instead of tests."""

    def __init__(self, folders: Sequence[str], seed: int, seconds: float, out: int) -> None:
        self._folders = folders
        self._seed = seed
        self._out = out
        self._until = time.monotonic() + seconds
        self._seconds: dict[pytest.Item, float] = {}
        self._covers: dict[Path, dict[int, set[pytest.Item]]] = {}
        self._good: set[pytest.Item] = set()
        self._bad: set[pytest.Item] = set()

    def pytest_sessionstart(self) -> None:
        """Make hypothesis fast and repeatable, before the modules of tests are imported."""
        from hypothesis import HealthCheck, Phase, settings

        settings.register_profile(
            "mutants",
            max_examples=EXAMPLES,
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        settings.load_profile("mutants")
        made = settings.__init__

        def make(self: settings, *given: Any, **options: Any) -> None:
            if "max_examples" in options:
                options["max_examples"] = min(EXAMPLES, options["max_examples"])
            made(self, *given, **options)

        settings.__init__ = make  # type: ignore[method-assign]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run each test once, then mutants for as long as there is time."""
        self._run_all(session.items)
        mutants = [
            mutant
            for folder in self._folders
            for path in sorted((ROOT / "src/phil" / folder).rglob("*.py"))
            for mutant in mutants_of(path.relative_to(ROOT), ROOT)
        ]
        random.Random(self._seed).shuffle(mutants)
        self._say(mutants=[str(mutant) for mutant in mutants])
        self._functions = all_functions()
        # What mutants compile is not kept.
        KernelCache.save_overload = lambda *_: None  # type: ignore[method-assign]
        gc.collect()
        gc.freeze()  # so that children do not copy what they only look at
        for mutant in mutants:
            if time.monotonic() > self._until:
                break
            ended = self._try(mutant)
            if ended == BROKEN:
                self._say(fault=f"cannot be applied: {mutant}")
            elif ended != SAME:
                self._say(mutant=str(mutant), killed=ended != SURVIVED)
        return True

    def _run_all(self, items: Sequence[pytest.Item]) -> None:
        coverage = Coverage(data_file=None, config_file=False, source=[str(ROOT / "src/phil")])
        names = {item.nodeid: item for item in items}
        forget()  # so that tests cover what importing them has called
        coverage.start()
        for item, following in pairwise([*items, None]):
            assert item is not None
            coverage.switch_context(item.nodeid)
            began = time.process_time()  # other processes may keep the machine busy
            if not _passes(item, following):
                self._say(fault=f"{item.nodeid} fails without a mutant")
                del names[item.nodeid]
            self._seconds[item] = time.process_time() - began
        coverage.stop()
        data = coverage.get_data()
        for file in data.measured_files():
            self._covers[Path(file).relative_to(ROOT)] = {
                line: {names[test] for test in tests if test in names}
                for line, tests in data.contexts_by_lineno(file).items()
            }

    def _try(self, mutant: Mutant) -> int:
        """How the tests that cover a mutant end."""
        lines = self._covers.get(mutant.path, {})
        where = mutant.lines if mutant.first else lines
        tests = {test for line in where for test in lines.get(line, ())} - self._bad
        ordered = sorted(tests, key=lambda test: self._seconds[test])
        spent = accumulate(self._seconds[test] for test in ordered)
        ordered = [test for test, so_far in zip(ordered, spent, strict=True) if so_far < LONGEST]
        while True:
            ended, last = self._fork(ordered, mutant)
            if ended in (SURVIVED, SAME, BROKEN) or last is None or self._is_good(last):
                return ended
            ordered.remove(last)

    def _is_good(self, test: pytest.Item) -> bool:
        """Whether a test passes in a child without a mutant too."""
        if test not in self._good:
            ended, _ = self._fork([test])
            (self._good if ended == SURVIVED else self._bad).add(test)
        return test in self._good

    def _fork(
        self, tests: Sequence[pytest.Item], mutant: Mutant | None = None
    ) -> tuple[int, pytest.Item | None]:
        """How the tests end in a child, and the last one that was begun."""
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            ended = BROKEN
            try:
                ended = self._run(tests, mutant, write)
            except FailsAtImport:
                ended = KILLED
            except SyntaxError:
                ended = SAME  # no mutant at all
            finally:
                os._exit(ended)
        os.close(write)
        with open(read, "rb") as pipe:
            begun = len(pipe.read())
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status), tests[begun - 1] if begun else None

    def _run(self, tests: Sequence[pytest.Item], mutant: Mutant | None, begun: int) -> int:
        _limit_memory()
        if mutant is not None and not apply(mutant, ROOT, self._functions):
            return SAME
        for test, following in pairwise([*tests, None]):
            assert test is not None
            os.write(begun, b".")
            # Nothing handles the alarm: it ends the process, also in compiled code.
            signal.setitimer(signal.ITIMER_REAL, PATIENCE * (1 + self._seconds[test]))
            if not _passes(test, following):
                return KILLED
        return SURVIVED

    def _say(self, **what: Any) -> None:
        os.write(self._out, json.dumps(what).encode() + b"\n")


def _passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    example = getattr(item, "dtest", None)
    names = dict(example.globs) if example else {}
    reports = runtestprotocol(item, log=False, nextitem=following)
    if example:
        example.globs.update(names)  # which doctest has cleared
    return not any(report.failed for report in reports)


def _limit_memory() -> None:
    size = Path("/proc/self/statm")
    if not size.exists():  # not Linux
        return
    pages = int(size.read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def main(seconds: str, seed: str, *folders: str) -> int:
    """Run mutants of folders of the package, in the order of the seed."""
    out = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    tests = [path for folder in folders for path in TESTS[folder]]
    worker = Worker(folders, int(seed), float(seconds), out)
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow and not data"]
    ended = pytest.main([*options, *tests], plugins=[worker])
    return 0 if ended == pytest.ExitCode.NO_TESTS_COLLECTED else int(ended)  # none is reported


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
