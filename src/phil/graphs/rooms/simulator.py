"""MuJoCo, where it is installed."""

from __future__ import annotations

from typing import Any

from phil.errors import InputError


def import_mujoco() -> Any:
    """The module `mujoco`, or an error that names what to install."""
    try:
        import mujoco
    except ImportError as error:
        raise InputError(
            "rooms need MuJoCo, which is not installed: pip install 'phil-search[rooms]'"
        ) from error
    return mujoco
