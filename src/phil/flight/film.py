"""A film of a flight: first the search unfolds, then the drone flies, in real time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phil.files import write_together
from phil.flight.studio import Filmed, Studio
from phil.flight.video import mp4
from phil.view.picture import png

FRAMES = 25  # a second
UNFOLDING = 2.0  # seconds in which the expanded nodes appear
VIDEO, STILL = (640, 480), (1280, 960)
STILL_SAMPLES = 4
STILL_MOMENT = 0.6  # of the flight


def still_beside(video: Path) -> Path:
    """Where the still of a video is written."""
    return video.with_suffix(".png")


def save_film(
    video: Path, filmed: Filmed, size: tuple[int, int] = VIDEO, still_size: tuple[int, int] = STILL
) -> None:
    """Write a video (MP4) of a flight and a still (PNG) beside it, both or none."""
    with closing(Studio(filmed, still_size, STILL_SAMPLES)) as studio:
        still = png(studio.picture(STILL_MOMENT * filmed.flown.seconds))
    with closing(Studio(filmed, size)) as studio:
        film = mp4(_frames(studio, filmed.flown.seconds), size, FRAMES)
    write_together({video: film, still_beside(video): still})


def _frames(studio: Studio, seconds: float) -> Iterator[NDArray[np.uint8]]:
    opening = round(UNFOLDING * FRAMES)
    for number in range(opening):
        yield np.asarray(studio.picture(0.0, (number + 1) / opening))
    for number in range(round(seconds * FRAMES) + 1):
        yield np.asarray(studio.picture(number / FRAMES))
