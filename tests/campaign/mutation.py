"""Changed files: bytes, tokens of text, and the parts of containers with right checksums."""

from __future__ import annotations

import gzip
import io
import json
import re
import struct
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from typing import Any

Files = dict[str, bytes]  # contents by name; the first name is the one to read

MOST = 2**16  # bytes of a changed file
PNG = b"\x89PNG\r\n\x1a\n"
NPY = b"\x93NUMPY"
ZIP = b"PK"
GZIP = b"\x1f\x8b"
TOKEN = re.compile(rb"[A-Za-z_]+|\d+|\s+|[^\w\s]|[^\x00-\x7f]+|.", re.DOTALL)
INTEGERS = (
    *(0, 1, 2, 7, 127, 128, 255, 256, 32767, 65535, 65536, 2**20, 2**24, 2**26, 2**28, 10**12),
    *(2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1, 2**63, 2**64 - 1),
)
TOKENS = (
    *(b"-1", b"0", b"1", b"2", b"1000000", b"999999999", b"999999999999", b"1" + b"0" * 30),
    *(b"1e999", b"-1e999", b"1e308", b"1e-320", b"nan", b"NaN", b"inf", b"-inf", b"-0.0", b"0.5"),
    *(
        b"1_0",
        b"0x1" + b"f" * 4000,
        b"1.",
        b".5",
        b"+1",
        b"\xd9\xa1",
        b"\xef\xbc\x91",
        b"true",
        b"False",
    ),
    *(b"null", b"None", b"[]", b"{}", b"()", b'""', b"''", b" ", b"\n", b"\t", b"\r", b"\r\n"),
    *(b"\0", b"\x0b", b"\x0c", b"\x1b[31m", b"\x85", b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xae"),
    *(b"\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"),
    *(b",", b";", b":", b"#", b"<", b">", b"&", b"&lt;", b"&#10;", b"&#x1b;", b"&x;", b"'", b'"'),
    *(b"<!DOCTYPE a>", b"<![CDATA[", b"]]>", b"<!--", b"-->", b"<?x?>", b"../", b"/dev/zero"),
    *(
        b"0x1" + b"f" * 4000,
        b"a" * 300,
        b"1 " * 300,
        b"," * 300,
        b"(" * 300,
        b"\n" * 300,
        b"-" * 300,
        b"<a>" * 70,
    ),
)
DTYPES = ("<i8", ">i4", "<f8", ">f2", "|b1", "|u1", "<U2", ">U1", "|S3", "|O", "<c16", "<M8[ns]")
SHAPES = (
    *("()", "(0,)", "(1,)", "(2,)", "(3, 3)", "(2, 0)", "(0, 2)", "(-1,)", "(2, 2, 2)"),
    *("(1000000000000,)", "(4294967296, 4294967296)", "(1, 1, 1, 1, 1, 1, 1, 1, 1)"),
)


def mutated(random: Random, files: Files, others: Sequence[Files]) -> Files:
    """Files of which one has been changed once or several times; `others` to take parts from."""
    changed = dict(files)
    name = random.choice(list(changed))
    data = changed[name]
    donor = random.choice(others)
    other = donor.get(name) or next(iter(donor.values()))
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 5))):
        data = change(random, data, other)[:MOST]
    if random.random() < 0.04:
        data = _wrapped(random, data)
    changed[name] = data
    if len(changed) > 1 and random.random() < 0.01:
        del changed[random.choice(list(changed)[1:])]
    return changed


def change(random: Random, data: bytes, other: bytes = b"") -> bytes:
    """Content with one change, which respects its structure more often than not."""
    if random.random() < 0.6:
        for signature, operator in CONTAINERS.items():
            if data.startswith(signature):
                try:
                    return operator(random, data, other)
                except DAMAGED:
                    break
        else:
            if _is_safetensors(data):
                return _change_safetensors(random, data)
    if _is_text(data) and random.random() < 0.7:
        return random.choice(TEXT)(random, data, other)
    return random.choice(BYTES)(random, data, other)


def generated(random: Random, seeds: Sequence[Files]) -> Files:
    """Files of the tokens of other files, in an order in which they also follow each other."""
    files = dict(random.choice(seeds))
    for name in files:
        texts = [seed[name] for seed in seeds if name in seed and _is_text(seed[name])]
        if texts and (name == next(iter(files)) or random.random() < 0.5):
            files[name] = _walk(random, texts)
    return files


def _walk(random: Random, texts: Sequence[bytes]) -> bytes:
    after: defaultdict[bytes, list[bytes]] = defaultdict(list)
    for text in texts:
        words = [b"", *TOKEN.findall(text[:4096])]
        for word, following in pairwise(words):
            after[word].append(following)
    word, found = b"", []
    for _ in range(random.randrange(1, 120)):
        if not after[word]:
            word = random.choice(list(after))
            continue
        word = random.choice(after[word])
        found.append(random.choice(TOKENS) if random.random() < 0.03 else word)
    return b"".join(found)


# Bytes


def _flip(random: Random, data: bytes, other: bytes) -> bytes:
    if not data:
        return b"\0"
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 8))):
        changed[random.randrange(len(data))] ^= random.choice((1, 2, 4, 8, 16, 32, 64, 128, 255))
    return bytes(changed)


def _insert(random: Random, data: bytes, _: bytes) -> bytes:
    at = random.randrange(len(data) + 1)
    new = random.choice((random.randbytes(random.randrange(1, 9)), random.choice(TOKENS)))
    return data[:at] + new + data[at:]


def _delete(random: Random, data: bytes, _: bytes) -> bytes:
    first, last = _span(random, data)
    return data[:first] + data[last:]


def _duplicate(random: Random, data: bytes, _: bytes) -> bytes:
    first, last = _span(random, data)
    return data[:last] + data[first:last] * random.choice((1, 1, 2, 30)) + data[last:]


def _splice(random: Random, data: bytes, other: bytes) -> bytes:
    first, last = _span(random, other)
    at, end = _span(random, data)
    return data[:at] + other[first:last] + data[random.choice((at, end)) :]


def _integer(random: Random, data: bytes, _: bytes) -> bytes:
    size = random.choice((1, 2, 4, 8))
    value: int = (random.choice(INTEGERS) + random.choice((0, 0, 1, -1))) % 2 ** (8 * size)
    at = random.randrange(max(1, len(data) - size + 1))
    return data[:at] + value.to_bytes(size, random.choice(("big", "little"))) + data[at + size :]


def _cut(random: Random, data: bytes, _: bytes) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def _span(random: Random, data: bytes) -> tuple[int, int]:
    first = random.randrange(len(data) + 1)
    return first, min(len(data), first + random.choice((1, 2, 4, 8, 16, 64)))


Operator = Callable[[Random, bytes, bytes], bytes]
BYTES: tuple[Operator, ...] = (_flip, _insert, _delete, _duplicate, _splice, _integer, _cut)


# Text


def _token(random: Random, data: bytes, other: bytes) -> bytes:
    words: list[bytes] = TOKEN.findall(data)
    if not words:
        return random.choice(TOKENS)
    at = random.randrange(len(words))
    donors = TOKEN.findall(other) if _is_text(other) else []
    pool = donors if donors and random.random() < 0.3 else TOKENS
    words[at : at + random.choice((0, 1, 1, 1))] = [random.choice(pool)]
    return b"".join(words)


def _number(random: Random, data: bytes, _: bytes) -> bytes:
    found = list(re.finditer(rb"-?\d+(?:\.\d+)?", data))
    if not found:
        return data
    one = random.choice(found)
    value = random.choice((random.choice(INTEGERS), random.randrange(-3, 20)))
    return data[: one.start()] + str(value).encode() + data[one.end() :]


def _lines(random: Random, data: bytes, other: bytes) -> bytes:
    lines = data.split(b"\n")
    at, to = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines.insert(to, lines[at])
        case 2:
            lines[at], lines[to] = lines[to], lines[at]
        case 3:
            lines[at] = random.choice(other.split(b"\n"))
        case 4:
            lines[at:to] = []
    return b"\n".join(lines)


TEXT: tuple[Operator, ...] = (_token, _token, _number, _lines)


def _is_text(data: bytes) -> bool:
    return b"\0" not in data[:256] and not data.startswith((PNG, ZIP, GZIP))


# Containers


def _change_png(random: Random, data: bytes, other: bytes) -> bytes:
    chunks, at = [], len(PNG)
    while at + 12 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        chunks.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + size]))
        at += 12 + size
    at = random.randrange(len(chunks))
    name, content = chunks[at]
    match random.randrange(8):
        case 0:
            del chunks[at]
        case 1:
            chunks.insert(random.randrange(len(chunks) + 1), chunks[at])
        case 2:
            extra = (
                b"PLTE",
                b"tRNS",
                b"zTXt",
                b"iTXt",
                b"iCCP",
                b"acTL",
                b"fdAT",
                b"gAMA",
                b"IDAT",
            )
            body = random.choice((b"", bytes(3), bytes(6), b"\0\1", zlib.compress(bytes(10**5))))
            chunks.insert(random.randrange(1, len(chunks) + 1), (random.choice(extra), body))
        case 3 if name == b"IHDR":
            fields = list(struct.unpack(">IIBBBBB", content))
            place = random.randrange(7)
            fields[place] = random.choice(
                (1, 2, 3, 5, 8192, 2**26, 2**31) if place < 2 else (0, 1, 2, 3, 4, 6, 8, 16, 255)
            )
            chunks[at] = name, struct.pack(">IIBBBBB", *fields)
        case 3 | 4 if name == b"IDAT":
            raw = zlib.decompressobj().decompress(content, MOST)
            chunks[at] = name, zlib.compress(random.choice(BYTES)(random, raw, other))
        case _:
            chunks[at] = name, random.choice(BYTES)(random, content, other)
    return PNG + b"".join(
        len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")
        for kind, body in chunks
    )


def _change_zip(random: Random, data: bytes, other: bytes) -> bytes:
    members = _members(data)
    names = list(members)
    name = random.choice(names)
    match random.randrange(6):
        case 0:
            del members[name]
        case 1:
            members[random.choice(names)] = members[name]
        case 2 if other.startswith(ZIP):
            members |= _members(other)
        case _:
            members[name] = _change_npy(random, members[name], random.choice([*members.values()]))
    stream = io.BytesIO()
    method = random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    with zipfile.ZipFile(stream, "w", method) as archive:
        for member, content in members.items():
            archive.writestr(zipfile.ZipInfo(member), content[:MOST], method)
    return stream.getvalue()


def _members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = [entry for entry in archive.infolist() if entry.file_size <= MOST]
        return {entry.filename: archive.read(entry) for entry in entries}


def _change_npy(random: Random, data: bytes, other: bytes) -> bytes:
    length = int.from_bytes(data[8:10], "little")
    text, body = data[10 : 10 + length].decode("latin-1"), data[10 + length :]
    match random.randrange(5):
        case 0:
            text = re.sub(r"\([^)]*\)", lambda _: random.choice(SHAPES), text)
        case 1:
            text = re.sub(r"'[<>|][^']*'", lambda _: repr(random.choice(DTYPES)), text)
        case 2:
            text = text.replace("False", "True")
        case 3:
            text = random.choice(TEXT)(random, text.encode("latin-1"), other).decode("latin-1")
        case _:
            body = random.choice(BYTES)(random, body, other)
    if random.random() < 0.5:  # as many bytes as it says
        found = re.search(r"'[<>|][a-zA-Z](\d+).*\(([\d, ]*)\)", text)
        if found:
            size = int(found[1]) * (4 if "U" in text else 1)
            for side in re.findall(r"\d+", found[2]):
                size *= int(side)
            if size < MOST:
                body = (body * (size // max(1, len(body)) + 1) or bytes(size))[:size]
    return NPY + b"\1\0" + struct.pack("<H", len(text) % 2**16) + text.encode("latin-1") + body


def _is_safetensors(data: bytes) -> bool:
    return data[8:9] == b"{" and int.from_bytes(data[:8], "little") <= len(data)


def _change_safetensors(random: Random, data: bytes) -> bytes:
    length = int.from_bytes(data[:8], "little")
    try:
        header = json.loads(data[8 : 8 + length])
    except (ValueError, RecursionError):
        return _flip(random, data, b"")
    body = data[8 + length :]
    inner = header.get("__metadata__") if isinstance(header, dict) else None
    match random.randrange(4):
        case 0:
            body = random.choice(BYTES)(random, body, b"")
        case 1:
            floats = bytearray(body)
            at = 4 * random.randrange(len(body) // 4 + 1)
            value = random.choice((0.0, -1.0, 1e38, -3e38, 1e-45, float("nan"), float("inf"), 1e6))
            floats[at : at + 4] = struct.pack("<f", value)
            body = bytes(floats[: len(body)])
        case 2 if isinstance(inner, dict) and isinstance(inner.get("metadata"), str):
            try:
                inner["metadata"] = json.dumps(_changed_json(random, json.loads(inner["metadata"])))
            except (ValueError, RecursionError):
                inner["metadata"] = random.choice(("", "{}", "[" * 5000, "null"))
        case _:
            header = _changed_json(random, header)
    head = json.dumps(header).encode()
    return len(head).to_bytes(8, "little") + head + body


VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3, 8, 255, 10**6, 2**31, 2**63, 10**30, 0.5, -1.5, 1e308),
    *(float("nan"), float("inf"), -float("inf"), "", "a", "\0", "\x1b[31m", "\ud800", "a" * 3000),
    *([], [0], [1, 1], [[]], {}, {"a": 1}, [[[[[[]]]]]], "F32", "F64", "BF16", "phil", "sail"),
)


def _changed_json(random: Random, value: Any) -> Any:
    """A value with one part changed, somewhere inside."""
    if isinstance(value, dict) and value and random.random() < 0.9:
        key = random.choice(list(value))
        changed = dict(value)
        match random.randrange(12):
            case 0:
                del changed[key]
            case 1:
                changed[random.choice(("", "a", "\x1b", key + "_", key * 99))] = value[key]
            case 2:
                changed[key] = value[random.choice(list(value))]
            case _:
                changed[key] = _changed_json(random, value[key])
        return changed
    if isinstance(value, list) and value and random.random() < 0.8:
        at = random.randrange(len(value))
        new = random.choice(([], [value[at]] * 2, [_changed_json(random, value[at])]))
        return [*value[:at], *new, *value[at + 1 :]]
    if isinstance(value, int | float) and random.random() < 0.4:
        return value + random.choice((-1, 1, 0.5))
    return random.choice(VALUES)


def _wrapped(random: Random, data: bytes) -> bytes:
    packed = gzip.compress(data, 1, mtime=0)
    match random.randrange(5):
        case 0:
            return packed + gzip.compress(b"", mtime=0) + gzip.compress(data[:9], mtime=0)
        case 1:
            return packed + random.randbytes(3)
        case 2:
            return random.choice(BYTES)(random, packed, b"")
        case _:
            return packed


CONTAINERS: dict[bytes, Operator] = {PNG: _change_png, ZIP: _change_zip, NPY: _change_npy}
# What reading a damaged container raises: then its bytes are changed.
DAMAGED = (
    *(ValueError, LookupError, EOFError, OSError, RuntimeError, NotImplementedError),
    *(OverflowError, struct.error, zlib.error, zipfile.BadZipFile),
)
