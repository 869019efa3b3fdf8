"""A child process that surveys a scene within a budget of time and memory.

MuJoCo expands short files into huge scenes, and some damaged files make it crash. In a child, this
becomes an error message. The child gets all files in memory, runs in an empty folder, and its
answer is JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

import phil
from phil.errors import InputError
from phil.memory import available_bytes
from phil.rooms.checker import Drone
from phil.rooms.scene_files import SceneFiles
from phil.rooms.survey import Voxels, free_voxels, voxels_of

STDOUT, STDERR = 1, 2
OUT_OF_TIME = 1  # the exit code of `faulthandler`
FAILED = 2
READY = b"\n"  # precedes the answer
NO_CHILD = "scenes are read in another Python process, which does not start"
START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from phil.rooms.child import main; main()"
)


@dataclass(frozen=True)
class Budget:
    """What a child may use.

    Parameters
    ----------
    seconds : float, optional
        For reading and compiling the scene.
    seconds_per_voxel : float, optional
        For collision checks, beyond that.
    memory : int, optional
        Bytes; not limited on systems that do not support it.
    """

    seconds: float = 60.0
    seconds_per_voxel: float = 1e-3
    memory: int = 2**31


BUDGET = Budget()


def survey(
    files: SceneFiles, side: float | None, drone: Drone, budget: Budget | None = None
) -> tuple[Voxels, NDArray[np.bool_]]:
    """The voxels of a scene and which of them are free, computed in a child process.

    Raises
    ------
    InputError
        If MuJoCo cannot read the scene or crashes, if the budget does not suffice, or if there are
        no free voxels.
    """
    budget = budget or BUDGET
    request = {
        "xml": files.xml,
        "models": dict(files.models),
        "assets": {name: b64encode(data).decode() for name, data in files.assets.items()},
        "side": side,
        "drone": asdict(drone),
        "budget": asdict(budget),
    }
    # Modules come from where this process has them, never from the folder that it runs in.
    search = [os.path.abspath(entry) for entry in sys.path if entry]
    search.append(str(Path(phil.__file__).parents[1]))
    with TemporaryDirectory(prefix="phil-scene-") as folder:
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-c", START, json.dumps(search)],
                input=json.dumps(request).encode(),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
                check=False,
            )
        except OSError as error:
            raise InputError(f"{NO_CHILD}: {error.strerror}") from error
    return _answer(done.returncode, done.stdout, budget)


def _answer(code: int, text: bytes, budget: Budget) -> tuple[Voxels, NDArray[np.bool_]]:
    if not text.startswith(READY):
        raise InputError(NO_CHILD)
    if code == OUT_OF_TIME:
        raise InputError(
            f"MuJoCo needs more than {budget.seconds:g} s to read this scene, or more than "
            f"{1000 * budget.seconds_per_voxel:g} ms to check a voxel; make the scene smaller"
        )
    if code:
        raise InputError(
            "MuJoCo fails on this scene: it is damaged, or needs more than "
            f"{budget.memory / 2**30:g} GiB of memory"
        )
    answer = json.loads(text)
    if "error" in answer:
        raise InputError(answer["error"])
    voxels = Voxels(tuple(answer["origin"]), tuple(answer["shape"]), answer["side"])
    bits = np.frombuffer(b64decode(answer["free"]), np.uint8)
    free = np.unpackbits(bits, count=voxels.count).astype(bool)
    return voxels, free.reshape(voxels.shape)


def main() -> None:
    """Answer the request on standard input."""
    with _own_output() as output:
        output.write(READY)
        output.flush()
        request = json.load(sys.stdin)
        try:
            answer = _surveyed(request)
        except InputError as error:
            answer = {"error": str(error)}
        except Exception:  # MuJoCo raises several kinds when memory is short
            os._exit(FAILED)
        output.write(json.dumps(answer).encode())
        output.flush()
        os._exit(0)  # without tidying up, in which MuJoCo could crash


@contextmanager
def _own_output() -> Iterator[BinaryIO]:
    """Standard output for the answer alone: MuJoCo, and what it loads, write to nowhere."""
    with open(os.dup(STDOUT), "wb") as output, open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), STDOUT)
        os.dup2(nowhere.fileno(), STDERR)
        yield output


def _surveyed(request: dict[str, Any]) -> dict[str, Any]:
    budget, drone = Budget(**request["budget"]), Drone(**request["drone"])
    assets = {name: b64decode(text) for name, text in request["assets"].items()}
    files = SceneFiles(request["xml"], request["models"], assets)
    _limit_memory(budget.memory)
    _limit_time(budget.seconds)
    spec = files.spec()
    voxels = voxels_of(spec, request["side"], drone)
    _limit_time(budget.seconds + budget.seconds_per_voxel * voxels.count)
    free = free_voxels(spec, voxels, drone)
    return {**asdict(voxels), "free": b64encode(np.packbits(free).tobytes()).decode()}


def _limit_memory(size: int) -> None:
    size = min(size, available_bytes() or size)
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, OSError, ValueError):  # not supported by this system
        pass


def _limit_time(seconds: float) -> None:
    """End this process after so long, even inside MuJoCo."""
    import faulthandler

    faulthandler.dump_traceback_later(seconds, exit=True, file=STDERR)
