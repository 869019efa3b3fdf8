"""The program `phil`. This module imports next to nothing, so that Ctrl-C is handled early."""

from __future__ import annotations

from collections.abc import Sequence

from phil.cli.interrupt import leave_when_interrupted


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit with its code: 0 done, 1 no path or limit reached, 2 bad input."""
    leave_when_interrupted()
    from phil.cli.commands import app
    from phil.cli.run import run

    run(app, "phil", arguments)


if __name__ == "__main__":
    main()
