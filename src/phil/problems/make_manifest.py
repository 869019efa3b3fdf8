"""`python -m phil.problems.make_manifest DIR`: write the manifest of the public maps in DIR."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from phil.files import write_atomic
from phil.problems.generated import FAMILIES
from phil.problems.grids import read_family
from phil.problems.manifest import FILE, make_manifest


def main(folder: Path) -> None:
    """Write the sums of all eight families beside this file, as package data."""
    manifest = make_manifest({family: read_family(family, folder) for family in FAMILIES})
    write_atomic(Path(__file__).with_name(FILE), json.dumps(manifest, indent=1).encode() + b"\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
