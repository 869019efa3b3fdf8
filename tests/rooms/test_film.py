"""Films and pictures, where there is off-screen rendering."""

from __future__ import annotations

import ctypes
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from phil.errors import InputError
from phil.rooms import Room, film
from phil.rooms.film import Filmed, Studio, room_pictures
from phil.rooms.flight import fly_problem
from phil.rooms.markers import SearchMarks
from tests.rooms.small_room import ACROSS, searched

SMALL = (160, 112)


@pytest.fixture(scope="module")
def filmed(room: Room) -> Filmed:
    task, result = searched(room, *ACROSS)
    return Filmed(task, result, fly_problem(task, result), "test")


@pytest.fixture(scope="module")
def studio(filmed: Filmed) -> Studio:
    """A studio, or a skip where nothing can be drawn."""
    try:
        return Studio(filmed, SMALL)
    except InputError as error:
        pytest.skip(str(error))


def test_pictures_show_the_search_and_the_flight(studio: Studio, filmed: Filmed) -> None:
    first, half, unfolded, flown = (
        np.asarray(studio.picture(seconds, part)).astype(int)
        for seconds, part in ((0, 0), (0, 0.5), (0, 1), (filmed.flight.seconds, 1))
    )
    assert first.shape == (SMALL[1], SMALL[0], 3)
    changes = [np.abs(after - first).sum() for after in (half, unfolded, flown)]
    assert 0 < changes[0] < changes[1]
    assert np.abs(flown - unfolded).sum() > 0


def test_a_film_is_a_video_and_a_still(
    studio: Studio, filmed: Filmed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    monkeypatch.setattr(film, "UNFOLDING", 0.34)
    monkeypatch.setattr(film, "FRAME_RATE", 3)
    video = tmp_path / "flight.mp4"
    film.save_film(video, filmed, SMALL, (240, 180))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["flight.mp4", "flight.png"]
    frames, seconds = ffmpeg.count_frames_and_secs(str(video))
    assert frames == round(3 * filmed.flight.seconds) + 2
    assert seconds == pytest.approx(frames / 3, abs=0.1)
    with Image.open(tmp_path / "flight.png") as still:
        assert still.size == (240, 180)


def test_nothing_is_lost_when_a_video_fails(
    studio: Studio, filmed: Filmed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ffmpeg = pytest.importorskip("imageio_ffmpeg")

    def fail(*_: object, **__: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(ffmpeg, "write_frames", fail)
    video = tmp_path / "flight.mp4"
    video.write_bytes(b"old")
    with pytest.raises(InputError, match="could not be encoded: disk full"):
        film.save_film(video, filmed, SMALL, SMALL)
    assert [path.name for path in tmp_path.iterdir()] == ["flight.mp4"]
    assert video.read_bytes() == b"old"


def test_a_film_needs_a_trace(filmed: Filmed) -> None:
    untraced = replace(filmed, result=replace(filmed.result, trace=None))
    with pytest.raises(InputError, match="trace=True"):
        _ = untraced.marks.nodes


def test_what_is_missing_to_draw_is_said(filmed: Filmed, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr(ctypes, "CDLL", missing)
    with pytest.raises(InputError) as error, closing(Studio(filmed, SMALL)):
        pass
    for word in ("libegl1", "libgl1", "libosmesa6", "MUJOCO_GL"):
        assert word in str(error.value)


SIZE = (160, 112)


def test_searches_of_one_problem_differ_by_their_marks_alone(room: Room) -> None:
    task, result = searched(room, *ACROSS)
    assert result.trace is not None
    shorter = replace(result, trace=result.trace[: len(result.path)])
    try:
        whole, part, same = (
            np.asarray(picture).astype(int)
            for picture in room_pictures(
                [SearchMarks(task, each) for each in (result, shorter, result)], SIZE
            )
        )
    except InputError as error:
        pytest.skip(str(error))
    assert whole.shape == (SIZE[1], SIZE[0], 3)
    assert (whole == same).all()
    changed = (whole != part).any(axis=2).mean()
    assert 0 < changed < 0.5
