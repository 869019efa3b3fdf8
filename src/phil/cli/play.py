"""`phil play`: see, race and understand searches in the browser."""

from __future__ import annotations

import contextlib
import os
import sys
import webbrowser
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Annotated

import typer

from phil.cli.interrupt import INTERRUPTED
from phil.cli.options import METHOD_HELP, AllowOutside, Weight
from phil.cli.output import note, say
from phil.cli.plugins import load_heuristic
from phil.errors import InputError
from phil.files import check_writable, write_atomic

PAGE = ".html"
FILMS = (".gif", ".mp4")
FILM_SECONDS, FILM_WIDTH = 6.0, 960


def play(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="MAP|GRAPH|SET",
            help="A map or graph file, a problem set such as generated/forest, or a state that the "
            "page has saved (default: a city).",
            show_default=False,
        ),
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            "-m",
            metavar="METHOD",
            help=f"{METHOD_HELP} Repeatable, up to four times; the page can change it.",
            show_default=False,
        ),
    ] = None,
    port: Annotated[
        int,
        typer.Option(
            "--port", metavar="N", min=0, max=65535, help="The port; if it is taken, the next one."
        ),
    ] = 8765,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            metavar="ADDRESS",
            help="Where to listen. Any other address than this machine's own lets everybody who "
            "knows the printed address use the playground.",
        ),
    ] = "127.0.0.1",
    no_browser: Annotated[
        bool,
        typer.Option("--no-browser", help="Only print the address.", show_default=False),
    ] = False,
    export: Annotated[
        Path | None,
        typer.Option(
            "--export",
            metavar="FILE",
            help="Instead of serving, write the race: as one page (.html) that plays anywhere, or "
            "as a film (.gif, .mp4).",
            show_default=False,
        ),
    ] = None,
    weight: Weight = None,
    allow_outside: AllowOutside = False,
) -> None:
    """See, race and understand searches in the browser.

    Opens a page on which maps are drawn or loaded, and up to four methods search side by side.
    Ctrl-C stops the server.
    """
    if export is not None:
        if export.suffix.lower() not in (PAGE, *FILMS):
            endings = ", ".join((PAGE, *FILMS))
            raise InputError(f"--export {export}: the name must end in one of {endings}")
        check_writable(export)
        _write(export, name, method or [], weight)
        return
    from phil.play.given import open_desk
    from phil.play.guard import Guard
    from phil.play.server import make_app, make_server, open_socket

    desk, _ = open_desk(name, method or [], weight=weight, load=load_heuristic)
    listener, taken = open_socket(host, port)
    guard = Guard(host, listener.getsockname()[1])
    if taken:
        note(f"port {taken[0]} is taken; using {guard.port}")

    ready = partial(_announce, guard.url, not no_browser)
    with contextlib.suppress(KeyboardInterrupt):
        make_server(make_app(desk, guard), ready).run(sockets=[listener])
    # At once: a search that still runs is of no use to anybody.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(INTERRUPTED)


def _announce(address: str, browser: bool) -> None:
    """Print the address of the page, and open it."""
    say(address)
    note("Ctrl-C stops the playground")
    if browser:
        # Some browsers keep whoever opens them waiting; the server must not.
        Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _write(path: Path, name: str | None, methods: list[str], weight: str | None) -> None:
    """Race on the first problem, and write what happens."""
    from phil.play.export import export_html
    from phil.play.film import film
    from phil.play.given import open_desk
    from phil.play.recording import race, record

    desk, scene = open_desk(name, methods, weight=weight, load=load_heuristic)
    texts = [pane.method for pane in desk.state.panes]
    if path.suffix.lower() == PAGE:
        title = f"{scene.name}: a race of searches"
        data = export_html(record(scene, texts, desk.heuristics), title).encode()
    else:
        form = path.suffix.lower().removeprefix(".")
        data = film(race(scene, texts, desk.heuristics), form, FILM_SECONDS, FILM_WIDTH)
    write_atomic(path, data)
    say(f"wrote {path}")
