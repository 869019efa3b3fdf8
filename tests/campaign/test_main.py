"""The campaign as it is started."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.campaign.registry import parts


def test_a_part_runs_in_several_processes() -> None:
    name = parts()[-1].name
    command = [sys.executable, "-m", "tests.campaign", name, "--minutes", "0", "--processes", "2"]
    folder = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"{name}: ")
