"""Lost machines, killed drivers, Ctrl-C and full stores."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phil.errors import InputError
from phil.workers import open_workers
from tests.workers import jobs
from tests.workers.conftest import new_cluster

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")

ROOT = Path(__file__).parents[2]
SLEEPING = """
import sys
from phil.workers import open_workers
from tests.workers import jobs

if __name__ == "__main__":
    with open_workers(sys.argv[1]) as workers:
        for _ in workers.run(jobs.sleep, workers.share(None), [0.0, 0.0, 600.0, 600.0, 600.0]):
            print("done", flush=True)
"""
TRAINING = """
import sys
import phil
from tests.learning.small import small_set
from tests.workers.test_same_results import QUICK

if __name__ == "__main__":
    phil.train(
        small_set(), settings=QUICK, output=sys.argv[1], on=sys.argv[2], resume="-r" in sys.argv
    )
"""


def start(folder: Path, text: str, *arguments: str) -> subprocess.Popen[str]:
    script = folder / "script.py"
    script.write_text(text)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    return subprocess.Popen(
        [sys.executable, str(script), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def wait_until(true: Callable[[], bool], seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until
        time.sleep(0.05)


def children(process: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True)
    return [*map(int, found.stdout.split())]


def is_running(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return status != "Z"


def test_ctrl_c_stops_processes(tmp_path: Path) -> None:
    driver = start(tmp_path, SLEEPING, "processes:2")
    assert driver.stdout is not None
    assert [driver.stdout.readline() for _ in range(2)] == ["done\n"] * 2
    workers = children(driver.pid)
    assert len(workers) >= 2
    driver.send_signal(signal.SIGINT)
    assert driver.wait(30) != 0
    driver.communicate()
    wait_until(lambda: not any(map(is_running, workers)), 10)


def test_processes_end_with_a_killed_driver(tmp_path: Path) -> None:
    driver = start(tmp_path, SLEEPING, "processes:2")
    assert driver.stdout is not None
    assert [driver.stdout.readline() for _ in range(2)] == ["done\n"] * 2
    workers = children(driver.pid)
    driver.kill()
    driver.communicate()
    wait_until(lambda: not any(map(is_running, workers)), 10)


def test_a_training_whose_driver_was_killed_is_resumed(tmp_path: Path) -> None:
    folder = {name: tmp_path / name for name in ("whole", "killed")}
    for each in folder.values():
        each.mkdir()
    whole, killed = (each / "h.safetensors" for each in folder.values())
    done = start(folder["whole"], TRAINING, str(whole), "local")
    assert done.wait(120) == 0, done.communicate()
    done.communicate()
    driver = start(folder["killed"], TRAINING, str(killed), "processes:2")
    checkpoint = killed.with_name(killed.name + ".checkpoint")
    wait_until(lambda: len([*checkpoint.glob("rollouts-*")]) >= 2, 120)
    driver.kill()
    driver.communicate()
    assert not killed.exists()
    resumed = start(folder["killed"], TRAINING, str(killed), "processes:2", "-r")
    assert resumed.wait(120) == 0, resumed.communicate()
    resumed.communicate()
    assert killed.read_bytes() == whole.read_bytes()


@pytest.mark.filterwarnings("ignore::phil.workers.WorkerLostWarning")  # if it was at work
def test_a_lost_machine_costs_nothing_but_time() -> None:
    cluster = new_cluster()
    try:
        lost = cluster.list_all_nodes()[-1]
        with open_workers(f"ray://{cluster.address}") as workers:
            results = workers.map(jobs.slowly, workers.share(np.arange(10)), range(10))
            found = [next(results) for _ in range(3)]
            cluster.remove_node(lost, allow_graceful=False)
            found += results
    finally:
        cluster.shutdown()
    assert found == [*range(10)]


def test_ctrl_c_stops_only_its_own_work(cluster: Any, tmp_path: Path) -> None:
    on = f"ray://{cluster.address}"
    driver = start(tmp_path, SLEEPING, on)
    assert driver.stdout is not None
    assert [driver.stdout.readline() for _ in range(2)] == ["done\n"] * 2
    driver.send_signal(signal.SIGINT)
    assert driver.wait(60) != 0
    driver.communicate()
    with open_workers(on) as workers:
        found = [*workers.map(jobs.pick, workers.share(np.arange(6)), range(6))]
    assert found == [*range(6)]


def test_a_full_store_is_said(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import ray

    def refuse(_: object) -> None:
        raise ray.exceptions.ObjectStoreFullError("300 MB needed")

    with open_workers(f"ray://{cluster.address}") as workers:
        monkeypatch.setattr(ray, "put", refuse)
        with pytest.raises(InputError, match=r"object store is full .*--object-store-memory"):
            workers.share(np.arange(10))


def test_a_cluster_that_is_not_there_is_said() -> None:
    pytest.importorskip("ray", reason="Ray is not installed (phil-search[ray])")
    told = r"cannot connect to a Ray cluster at 127\.0\.0\.1:1: .*refused.*ray start"
    with pytest.raises(InputError, match=told), open_workers("ray://127.0.0.1:1"):
        pass
    with pytest.raises(InputError, match="HOST:PORT"), open_workers("ray://there"):
        pass
    with pytest.raises(InputError, match="port of Ray Client"), open_workers("ray://there:10001"):
        pass
