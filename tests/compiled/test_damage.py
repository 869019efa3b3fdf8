"""Whatever is in the place of a cached file, the next process compiles anew and repairs it."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

import phil
from phil.compiled.cache import DIGEST_BYTES, FORMAT
from phil.compiled.folder import MOST_BYTES
from tests.compiled.process import process

SOURCES = Path(phil.__file__).parents[1]
HEAD = len(FORMAT) + DIGEST_BYTES

Damage = Callable[[Path, bytes], object]


def with_digest(path: Path, content: bytes, name: str | None = None) -> int:
    """A file whose digest is right, whatever its content, under its name or another one."""
    digest = hashlib.sha256((name or path.name).encode() + content).digest()
    return path.write_bytes(FORMAT + digest + content)


def raising(error: str) -> bytes:
    """A pickle that raises an error when it is read."""
    return f"cbuiltins\nexec\n(Vraise {error}\ntR.".encode()


def flipped(position: Callable[[bytes], int]) -> Damage:
    def flip(path: Path, data: bytes) -> int:
        at = position(data)
        return path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])

    return flip


def in_place(make: Callable[[Path], object]) -> Damage:
    def replace(path: Path, _: bytes) -> None:
        path.unlink()
        make(path)

    return replace


def unreadable(path: Path, _: bytes) -> None:
    path.write_bytes(b"")  # root can read it all the same
    path.chmod(0)


DAMAGES: dict[str, Damage] = {
    "empty": lambda path, data: path.write_bytes(b""),
    "cut_in_the_format": lambda path, data: path.write_bytes(data[:5]),
    "cut_in_the_digest": lambda path, data: path.write_bytes(data[: len(FORMAT) + 5]),
    "cut_after_the_digest": lambda path, data: path.write_bytes(data[:HEAD]),
    "cut_in_half": lambda path, data: path.write_bytes(data[: len(data) // 2]),
    "cut_at_the_end": lambda path, data: path.write_bytes(data[:-1]),
    "longer": lambda path, data: path.write_bytes(data + b"\0"),
    "bit_of_the_format": flipped(lambda data: 3),
    "bit_of_the_digest": flipped(lambda data: len(FORMAT) + 3),
    "first_bit": flipped(lambda data: HEAD),
    "bit_in_the_middle": flipped(lambda data: len(data) // 2),
    "last_bit": flipped(lambda data: len(data) - 1),
    "garbage": lambda path, data: path.write_bytes(bytes(range(256)) * 50),
    "zeros": lambda path, data: path.write_bytes(bytes(len(data))),
    "garbage_after_the_format": lambda path, data: path.write_bytes(FORMAT + bytes(range(256))),
    "huge": lambda path, data: os.truncate(path, MOST_BYTES + 1),
    "of_another_format": lambda path, data: path.write_bytes(data.replace(b"1\n", b"0\n", 1)),
    "of_another_name": lambda path, data: (
        with_digest(path.with_name("f"), data[HEAD:])
        and path.write_bytes(path.with_name("f").read_bytes())
    ),
    "no_pickle": lambda path, data: with_digest(path, b"garbage"),
    "half_a_pickle": lambda path, data: with_digest(path, data[HEAD : len(data) // 2]),
    "another_pickle": lambda path, data: with_digest(path, b"\x80\x04K\x01."),
    "of_a_module_that_is_gone": lambda path, data: with_digest(path, b"cphil\ngone\n."),
    "too_large_for_memory": lambda path, data: with_digest(path, raising("MemoryError")),
    "too_deep": lambda path, data: with_digest(path, raising("RecursionError")),
    "folder": in_place(Path.mkdir),
    "full_folder": in_place(lambda path: (path / "inside").mkdir(parents=True)),
    "link_to_nothing": in_place(lambda path: path.symlink_to("nothing")),
    "link": lambda path, data: path.symlink_to(path.rename(path.with_name("elsewhere"))),
    "pipe": in_place(lambda path: os.mkfifo(path)),
    "unreadable": unreadable,
    "writable_by_others": lambda path, data: path.chmod(0o666),
}

KERNELS = "from phil.compiled import cache_misses, kernel\n" + "".join(
    f"@kernel\ndef {damage}(x): return x + {number}\n" for number, damage in enumerate(DAMAGES)
)
RUN = f"""
import kernels
print(*(getattr(kernels, name)(1) for name in {list(DAMAGES)}), kernels.cache_misses())
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes and modes")
def test_every_damage_is_repaired_by_the_next_process(tmp_path: Path) -> None:
    (tmp_path / "kernels.py").write_text(KERNELS)
    values = [str(1 + number) for number in range(len(DAMAGES))]

    def run() -> tuple[list[str], str]:
        done = process(RUN, tmp_path, SOURCES, PHIL_CACHE=str(tmp_path / "cache"))
        return done.stdout.split(), done.stderr

    assert run()[0] == [*values, str(len(DAMAGES))]
    files = {path.name.rsplit("-", 1)[0]: path for path in tmp_path.glob("cache/*/*")}
    whole = {damage: files[damage].read_bytes() for damage in DAMAGES}
    for damage, apply in DAMAGES.items():
        apply(files[damage], whole[damage])
    found, said = run()
    assert found == [*values, str(len(DAMAGES))]
    assert said.startswith("phil: compiling for this machine, once")
    assert said.count("\n") == 1
    for damage in DAMAGES:
        assert stat.S_ISREG(files[damage].lstat().st_mode), damage
    assert run() == ([*values, "0"], "")
