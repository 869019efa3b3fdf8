"""The machine that something was measured on."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path
from typing import Any


def machine() -> dict[str, Any]:
    """Its processor, its cores, and how many processes wanted one of them in the last minute."""
    load = round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None
    return {"cpu": _cpu(), "cores": os.cpu_count(), "load": load}


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor()
    found = re.search(r"^model name\s*:\s*(.*)$", lines, re.MULTILINE)
    return found[1] if found else platform.processor()
