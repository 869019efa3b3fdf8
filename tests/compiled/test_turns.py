"""Processes that need the same kernel: one compiles it, the others wait."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from phil.compiled.turns import Turns

KERNEL = """
import sys, time
from pathlib import Path
from phil.compiled import kernel
from phil.compiled.cache import loaded_files

@kernel
def total(count: int) -> int:
    found = 0
    for k in range(count):
        found += k
    return found

ready = Path(sys.argv[1])
(ready / sys.argv[2]).touch()
while len(list(ready.iterdir())) < 3:
    time.sleep(0.001)
print(total(5), "loaded" if loaded_files() else "compiled")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there, each process compiles for itself")
def test_one_process_compiles(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(KERNEL)
    ready = tmp_path / "ready"
    ready.mkdir()
    environment = os.environ | {"PHIL_CACHE": str(tmp_path / "cache")}
    running = [
        subprocess.Popen(
            [sys.executable, tmp_path / "mine.py", ready, str(number)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        for number in range(3)
    ]
    told = sorted(process.communicate(timeout=120)[0] for process in running)
    assert told == ["10 compiled\n", "10 loaded\n", "10 loaded\n"]
    assert [*(tmp_path / "cache").rglob("*.lock")] == []


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    holding = (
        "import sys, os, time; from pathlib import Path; from phil.compiled.turns import turns; "
        "turns.wait_for(Path(sys.argv[1])); print('held', flush=True); time.sleep(600)"
    )
    kernel = tmp_path / "a.kernel"
    holder = subprocess.Popen([sys.executable, "-c", holding, kernel], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    holder.kill()
    holder.communicate()
    began = time.monotonic()
    turns = Turns()
    turns.wait_for(kernel)
    assert time.monotonic() - began < 30
    turns.end(kernel)


def test_a_folder_that_cannot_be_written_is_no_reason_to_wait(tmp_path: Path) -> None:
    Turns().wait_for(tmp_path / "missing" / "a.kernel")
