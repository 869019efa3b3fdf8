"""What every format must do: one battery of checks, run over all of them.

Any bytes give a graph or one `InputError` that names the file: no other exception, no hang, and no
more memory than the file is worth.
"""

from __future__ import annotations

import gzip
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.graphs.formats import read_graph, write_graph

MOST_MEMORY = 2**28  # bytes, far below the promise of 1 GB
LONGEST = 20.0  # seconds
LONGEST_MESSAGE = 2000  # characters


@dataclass(frozen=True)
class FormatCase:
    """A format: valid files, invalid ones with words of their errors, and what it can hold.

    A file is a dict of contents by name, for the formats that spread over several; its first name
    is the one to read.
    """

    seeds: tuple[dict[str, bytes], ...]
    refused: dict[str, tuple[dict[str, bytes], str]]
    graphs: st.SearchStrategy[AnyGraph] | None = None
    same: Callable[[AnyGraph, AnyGraph], None] | None = None  # asserts, within what it can hold


def reads_plain_and_gzip(case: FormatCase, folder: Path) -> None:
    """The content decides, not the ending: the same graph under another name and packed."""
    for number, files in enumerate(case.seeds):
        plain = read_graph(_save(folder / f"plain{number}", files))
        assert plain.num_nodes
        packed = {name: gzip.compress(content) for name, content in files.items()}
        assert repr(read_graph(_save(folder / f"packed{number}", packed))) == repr(plain)


def refuses_what_is_wrong(case: FormatCase, folder: Path) -> None:
    """Wrong files give one error with the reason, in little time and memory."""
    for number, (reason, (files, words)) in enumerate(case.refused.items()):
        path = _save(folder / f"refused{number}", files)
        begin = time.perf_counter()
        tracemalloc.start()
        with pytest.raises(InputError, match=words) as caught:
            read_graph(path)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert str(path.parent) in str(caught.value), reason
        check_message(str(caught.value))
        assert peak < MOST_MEMORY, reason
        assert time.perf_counter() - begin < LONGEST, reason


def refuses_cut_gzip(case: FormatCase, folder: Path) -> None:
    """A gzip file that ends too early is no shorter graph."""
    files = case.seeds[0]
    packed = {name: gzip.compress(content) for name, content in files.items()}
    for name, content in packed.items():
        for length in (len(content) - 1, len(content) // 2, 11):
            path = _save(folder / "cut", {**packed, name: content[:length]})
            with pytest.raises(InputError, match="damaged or truncated gzip"):
                read_graph(path)


def survives_any_change(case: FormatCase, folder: Path) -> None:
    """Valid files with changes anywhere give a graph or one error."""

    @settings(max_examples=100, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def run(data: st.DataObject) -> None:
        files = dict(data.draw(st.sampled_from(case.seeds)))
        name = data.draw(st.sampled_from(sorted(files)))
        files[name] = data.draw(changed(files[name]))
        read_or_refuse(_save(folder / "changed", files))

    run()


def keeps_what_it_can_hold(case: FormatCase, folder: Path) -> None:
    """Writing and reading again gives the same graph."""
    if case.graphs is None or case.same is None:
        return
    path = folder / next(iter(case.seeds[0]))
    same = case.same

    @settings(max_examples=40, suppress_health_check=list(HealthCheck))
    @given(graph=case.graphs)
    def run(graph: AnyGraph) -> None:
        for old in folder.glob("*.co"):
            old.unlink()
        write_graph(path, graph)
        same(graph, read_graph(path))

    run()


CHECKS = (
    reads_plain_and_gzip,
    refuses_what_is_wrong,
    refuses_cut_gzip,
    survives_any_change,
    keeps_what_it_can_hold,
)


def read_or_refuse(path: Path) -> None:
    """Read a file; an error must be of the one kind, and name the file."""
    try:
        message = f"{path}: {read_graph(path)}"
    except InputError as error:
        message = str(error)
    assert str(path.parent) in message
    check_message(message)


def check_message(message: str) -> None:
    """A message fits on a screen and cannot control it, whatever the file says."""
    assert message.isprintable()
    assert len(message) < LONGEST_MESSAGE


@st.composite
def changed(draw: st.DrawFn, content: bytes) -> bytes:
    """Bytes with parts left out, repeated or replaced."""
    for _ in range(draw(st.integers(1, 3))):
        first = draw(st.integers(0, len(content)))
        last = min(len(content), first + draw(st.integers(0, 12)))
        new = draw(
            st.one_of(
                st.binary(max_size=6),
                st.sampled_from(TOKENS),
                st.just(content[first:last] * 2),
            )
        )
        content = content[:first] + new + content[last:]
    return content


TOKENS = (
    *(b"-1", b"0", b"999999999999", b"1e999", b"nan", b"-0.5", b"inf", b"1_0", b" ", b"\n", b"\t"),
    *(b",", b'"', b"#", b"<", b">", b"&lt;", b"&x;", b"<!DOCTYPE a>", b"\0", b"\xff", b"\r\n"),
)


def _save(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder / next(iter(files))
