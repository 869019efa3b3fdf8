"""The bytes of files: plain, gzip, damaged, and those that would fill the memory."""

from __future__ import annotations

import gzip
import os
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.errors import InputError
from phil.graphs.formats import read_graph, source
from phil.graphs.formats.source import numbered_lines, read_bytes, read_head, read_lines


@given(content=st.binary(min_size=1, max_size=300).filter(lambda data: data[:2] != b"\x1f\x8b"))
def test_plain_and_gzip_give_the_same(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "source"
    for written in (content, gzip.compress(content)):
        path.write_bytes(written)
        assert read_bytes(path) == content
        assert read_head(path, 5) == content[:5]


def test_gzip_parts_are_joined(tmp_path: Path) -> None:
    path = tmp_path / "parts"
    path.write_bytes(gzip.compress(b"one ") + gzip.compress(b"two"))
    assert read_bytes(path) == b"one two"


def test_every_cut_gzip_is_refused(tmp_path: Path) -> None:
    whole = gzip.compress(b"some text that is long enough" * 9)
    path = tmp_path / "cut.gz"
    for length in range(2, len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(InputError, match=r"cut\.gz is a damaged or truncated gzip file"):
            read_bytes(path)


def test_a_gzip_with_a_wrong_sum_or_foreign_tail(tmp_path: Path) -> None:
    whole = gzip.compress(b"text")
    path = tmp_path / "bad.gz"
    for bad in (whole[:-5] + b"\xff" + whole[-4:], whole + b"tail", b"\x1f\x8b\x08" + b"\xff" * 50):
        path.write_bytes(bad)
        with pytest.raises(InputError, match=r"bad\.gz is a damaged"):
            read_bytes(path)


def test_a_gzip_bomb_is_refused_in_little_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(bytes(50_000_000), 1))
    monkeypatch.setattr(source, "SMALL", 2**20)
    monkeypatch.setattr(source, "RATIO", 10)
    tracemalloc.start()
    tracemalloc.clear_traces()  # of whoever started it before
    with pytest.raises(InputError, match=r"bomb\.gz holds more than \d+ bytes \(decompressed"):
        read_bytes(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2**24


def test_the_limit_of_a_plain_file(tmp_path: Path) -> None:
    path = tmp_path / "long"
    path.write_bytes(b"12345")
    assert read_bytes(path, limit=5) == b"12345"
    with pytest.raises(InputError, match="long holds more than 4 bytes"):
        read_bytes(path, limit=4)


@pytest.mark.parametrize("content", [b"", gzip.compress(b"")], ids=["plain", "packed"])
def test_an_empty_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "empty"
    path.write_bytes(content)
    for read in (read_bytes, read_head, read_lines):
        with pytest.raises(InputError, match="empty is an empty file"):
            read(path)


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*gone: No such file"):
        read_bytes(tmp_path / "gone")
    with pytest.raises(InputError, match=r"cannot read .*: Is a directory"):
        read_bytes(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="pipe is not a regular file"):
        read_bytes(tmp_path / "pipe")


def test_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"a\r\n\nb\n \n\n")
    assert read_lines(path) == [b"a", b"", b"b"]
    assert list(numbered_lines(b"a\r\n\nb")) == [(1, b"a"), (2, b""), (3, b"b")]
    monkeypatch.setattr(source, "MOST_LINES", 3)
    with pytest.raises(InputError, match="lines has more than 3 lines"):
        read_lines(path)


def test_a_file_beside_must_be_in_the_same_folder(tmp_path: Path) -> None:
    """A stranger's folder may hold links to files elsewhere, whose content errors would quote."""
    (tmp_path / "secret").write_text("1234 is the key\n")
    folder = tmp_path / "graphs"
    folder.mkdir()
    (folder / "a.gr").write_text("p sp 2 1\na 1 2 3\n")
    (folder / "a.csv").write_text("0,1\n")
    for graph, name in (("a.gr", "a.co"), ("a.csv", "a.nodes.csv"), ("a.csv", "nodes.csv.gz")):
        (folder / name).symlink_to(tmp_path / "secret")
        with pytest.raises(InputError, match=r"outside its own folder.*--allow-outside"):
            read_graph(folder / graph)
        with pytest.raises(InputError, match=r"line 1"):
            read_graph(folder / graph, allow_outside=True)
        (folder / name).unlink()
        os.mkfifo(folder / name)  # never opened: it could block forever
        assert read_graph(folder / graph).num_nodes == 2
        (folder / name).unlink()
        (folder / name).symlink_to(folder / name)
        assert read_graph(folder / graph).num_nodes == 2
        (folder / name).unlink()
