"""Frames as an MP4 file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError


def import_ffmpeg() -> Any:
    """The module `imageio_ffmpeg`, or an error that names what to install."""
    try:
        import imageio_ffmpeg
    except ImportError as error:
        raise InputError(
            "a video needs imageio-ffmpeg, which is not installed: pip install 'phil-search[rooms]'"
        ) from error
    return imageio_ffmpeg


def mp4(frames: Iterable[NDArray[np.uint8]], size: tuple[int, int], rate: int) -> bytes:
    """The content of an MP4 file (H.264) that shows these frames, so many a second."""
    ffmpeg = import_ffmpeg()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "video.mp4"
        try:
            writer = ffmpeg.write_frames(str(path), size, fps=rate, quality=7)
            writer.send(None)
            for frame in frames:
                writer.send(np.ascontiguousarray(frame))
            writer.close()
        except (OSError, RuntimeError) as error:
            reason = " ".join(str(error).split())
            raise InputError(f"the video could not be encoded: {reason}") from error
        return path.read_bytes()
