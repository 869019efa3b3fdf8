"""`phil play`: the address, the next free port, Ctrl-C, and pages without a server."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import MakeMap, Phil


@contextmanager
def playing(*arguments: str | Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The program, once it has printed its address."""
    command = [sys.executable, "-m", "phil.cli.main", "play", "--no-browser"]
    with subprocess.Popen(
        [*command, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def test_it_prints_its_address_and_ends_at_once_on_ctrl_c(make_map: MakeMap) -> None:
    path = make_map(*["." * 30] * 30)
    with playing(path, "--port", "0") as (process, address):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{32}", address)
        with urllib.request.urlopen(address) as page:
            assert page.status == 200
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        assert time.monotonic() - began < 10
        assert process.returncode == 130
        assert out == ""
        assert "Traceback" not in err


def test_it_ends_on_ctrl_c_while_a_page_is_open_and_searches() -> None:
    from websockets.sync.client import connect

    with playing("--port", "0") as (process, address):
        with connect(address.replace("http", "ws", 1).replace("/?", "/ws?")) as page:
            page.recv(timeout=60)
            source = {"source": "generated", "family": "scattered", "shape": [1000, 1000]}
            page.send(json.dumps({"type": "open", "request": 1, "problem": source}))
            page.recv(timeout=60)
            search = {"type": "search", "request": 2, "pane": 0, "method": "dijkstra"}
            page.send(json.dumps(search))
            page.recv(timeout=60)
            process.send_signal(signal.SIGINT)
            began = time.monotonic()
            _, err = process.communicate(timeout=20)
        assert time.monotonic() - began < 10
        assert process.returncode == 130
        assert "Traceback" not in err


def test_a_taken_port_is_said_and_the_next_one_is_used() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with playing("--port", str(port)) as (process, address):
            used = int(address.split(":")[2].split("/")[0])
            assert used > port
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=20)
            assert f"port {port} is taken; using {used}" in err


def test_the_browser_is_opened_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from phil.cli import play

    opened: queue.Queue[str] = queue.Queue()
    monkeypatch.setattr("webbrowser.open", opened.put)
    play._announce("http://here/?token=t", browser=False)
    play._announce("http://there/?token=t", browser=True)
    assert opened.get(timeout=20) == "http://there/?token=t"
    assert opened.empty()
    assert capsys.readouterr().out == "http://here/?token=t\nhttp://there/?token=t\n"


def test_what_cannot_be_shown_is_said_at_once(phil: Phil, tmp_path: Path) -> None:
    assert phil("play", "nowhere.png").code == 2
    assert phil("play", "-m", "nonsense").code == 2
    assert "up to 4 methods" in phil("play", *["-m", "bfs"] * 5).err
    state = tmp_path / "state.json"
    state.write_text('{"phil": "playground", "version": 1}')
    assert "is not a state of this playground" in phil("play", state).err
    assert ".html, .gif, .mp4" in phil("play", "--export", tmp_path / "race.pdf").err


def test_a_race_is_exported(phil: Phil, make_map: MakeMap, tmp_path: Path) -> None:
    target = tmp_path / "race.html"
    done = phil("play", make_map(*["." * 25] * 25), "-m", "astar", "--export", target)
    assert (done.code, done.out) == (0, f"wrote {target}\n")
    text = target.read_text()
    assert 'id="phil-recording"' in text
    assert str(tmp_path) not in text


@pytest.mark.parametrize(("ending", "signature"), [(".gif", b"GIF89a"), (".mp4", b"ftyp")])
def test_a_film_is_exported(
    phil: Phil, make_map: MakeMap, tmp_path: Path, ending: str, signature: bytes
) -> None:
    if ending == ".mp4":
        pytest.importorskip("imageio_ffmpeg", reason="the extra rooms is not installed")
    target = tmp_path / f"race{ending}"
    path = make_map(*["." * 25] * 25)
    assert phil("play", path, "-m", "bfs", "-m", "astar", "--export", target).code == 0
    assert signature in target.read_bytes()[:12]


def test_a_heuristic_of_your_own_takes_part(phil: Phil, make_map: MakeMap, tmp_path: Path) -> None:
    own = tmp_path / "mine.py"
    own.write_text("def straight(cell, goal):\n    return abs(cell[0] - goal[0])\n")
    target = tmp_path / "race.html"
    path = make_map(*["." * 25] * 25)
    done = phil("play", path, "-m", f"{own}:straight", "--export", target)
    assert (done.code, done.err) == (0, "")


def test_a_state_and_a_set_are_opened(phil: Phil, tmp_path: Path) -> None:
    state = {"phil": "playground", "version": 1, "panes": [{"method": "bfs"}], "view": {}}
    state["problem"] = {"source": "preset", "name": "open"}
    file, target = tmp_path / "state.json", tmp_path / "race.html"
    file.write_text(json.dumps(state))
    assert phil("play", file, "--export", target).code == 0
    assert phil("play", "generated/forest", "-m", "bfs", "--export", target).code == 0
