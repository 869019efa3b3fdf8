"""`python -m benchmarks.speed`: one thread for all of BLAS and torch, then the command."""

from __future__ import annotations

import os
import sys

# Read when the libraries are loaded, so before anything else is imported: all figures are those
# of one core, unless they say otherwise.
for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

from benchmarks.speed.command import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
