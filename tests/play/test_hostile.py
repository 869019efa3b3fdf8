"""Whatever a page sends, it gets an answer and the session goes on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, get_args

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from phil.play.desk import Desk
from phil.play.frames import pack, unpack
from phil.play.protocol import FromPage
from phil.play.runs import Run
from phil.play.session import Session

KINDS = [
    get_args(model.model_fields["type"].annotation)[0]
    for model in get_args(get_args(FromPage)[0])
    if model.__name__ != "Film"  # which takes long
]
VALUES: Any = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 2**40)
    | st.floats(allow_nan=False)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=4,
)
FIELDS = ("request", "pane", "method", "problem", "start", "goal", "columns", "nodes", "bound")
PROBLEMS = st.sampled_from(
    [
        {"source": "preset", "name": "open"},
        {"source": "map", "shape": [2, 3], "cells": "-w8A"},
        {"source": "map", "shape": [3, 3]},
        {"source": "file", "id": "../../etc"},
        {"source": "given", "index": 99},
    ]
)
MESSAGES = st.fixed_dictionaries(
    {"type": st.sampled_from(KINDS) | VALUES},
    optional={
        **dict.fromkeys(FIELDS, VALUES),
        "request": st.integers(0, 9) | VALUES,
        "pane": st.integers(0, 4) | VALUES,
        "problem": PROBLEMS | VALUES,
        "method": st.sampled_from(["bfs", "astar", "mha()", "greedy(", "a" * 2000]) | VALUES,
        "start": st.integers(0, 20),
        "goal": st.integers(0, 20),
    },
)
ARRAYS = st.dictionaries(
    st.sampled_from(["free", "cell", "bytes"]),
    st.lists(st.integers(0, 255), max_size=12).map(lambda each: np.array(each, np.uint8)),
    max_size=2,
)


@contextmanager
def session() -> Iterator[tuple[Session, list[bytes]]]:
    sent: list[bytes] = []

    def send(frame: bytes, run: Run | None) -> None:
        sent.append(frame)

    with ThreadPoolExecutor(2) as threads:
        opened = Session(Desk(seconds=1.0), send, threads)
        try:
            yield opened, sent
        finally:
            opened.close()


def answers(messages: list[str | bytes]) -> list[str]:
    """The kinds of frames that messages are answered with, after which a problem still opens."""
    with session() as (opened, sent):

        async def talk() -> None:
            for message in messages:
                await opened.receive(message)
            source = {"source": "preset", "name": "open"}
            await opened.receive(json.dumps({"type": "open", "request": 1, "problem": source}))
            await asyncio.sleep(0)

        asyncio.run(talk())
        kinds = [unpack(frame)[0] for frame in sent]
    assert kinds[-1]["type"] in ("problem", "cancelled")
    failed = [each["text"] for each in kinds if "this failed" in str(each.get("text"))]
    assert failed == []
    return [each["type"] for each in kinds]


@settings(max_examples=30)
@given(st.lists(MESSAGES, max_size=4))
def test_any_text(messages: list[dict[str, Any]]) -> None:
    answers([json.dumps(message) for message in messages])


@settings(max_examples=40)
@given(MESSAGES, ARRAYS)
def test_any_frame(message: dict[str, Any], arrays: dict[str, Any]) -> None:
    message.pop("columns", None)
    answers([pack(message, arrays)])


@settings(max_examples=40)
@given(st.binary(max_size=60) | st.text(max_size=30))
def test_anything_at_all(data: bytes | str) -> None:
    assert answers([data])[0] == "error"
