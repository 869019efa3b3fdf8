"""The platform wheel: the kernels of searches, compiled for x86-64-v3, inside the package.

This hook is off by default, so that a plain build needs nothing but hatchling; `make wheel` turns
it on, in an environment where PHIL's dependencies are installed.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Runs every search once, and prints the files of compiled code that were needed to do so.
RUN_SEARCHES = """
from phil.cli.tiny_runs import search_runs
from phil.compiled import cache_misses, loaded_files

for run in search_runs().values():
    run()
print(cache_misses(), *sorted(loaded_files()), sep="\\n")
"""


class Kernels(BuildHookInterface[Any]):
    """Adds compiled code to the wheel, and names the Python and the platform that it is for."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the files of the wheel are collected."""
        if (sys.platform, platform.machine()) != ("linux", "x86_64"):
            self.app.display_warning("no kernels are shipped for this platform: a plain wheel")
            return
        self._run_searches()  # compiles what the cache does not have yet
        misses, *files = self._run_searches()
        if misses != "0" or not files:
            raise RuntimeError(f"{misses} functions were compiled again: the cache keeps nothing")
        for file in files:
            build_data["force_include"][file] = f"phil/compiled/shipped/{Path(file).name}"
        # Nothing here is linked with the C library; Numba, which loads it, has its own demands.
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        build_data["tag"] = f"{python}-{python}-manylinux_2_17_x86_64"
        build_data["pure_python"] = False

    def _run_searches(self) -> list[str]:
        environment = {
            **os.environ,
            "PYTHONPATH": str(Path(self.root) / "src"),
            "NUMBA_CPU_NAME": "x86-64-v3",
            "NUMBA_CPU_FEATURES": "",  # those of the level, not of this machine
            "NUMBA_DISABLE_INTEL_SVML": "1",  # a library that other machines need not have
        }
        command = [sys.executable, "-c", RUN_SEARCHES]
        done = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, text=True, check=True
        )
        return done.stdout.split()
