"""Fresh processes, which find no code in memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def process(code: str, *folders: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A process that finds its modules in some folders, with variables of its environment."""
    path = os.pathsep.join(map(str, folders))
    environment = {**os.environ, "PYTHONPATH": path, **variables}
    command = [sys.executable, "-B", "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
