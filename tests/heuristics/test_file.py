"""Heuristic files: what is written comes back; whatever else is read is one clear error."""

from __future__ import annotations

import json
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file, save

from phil.errors import InputError
from phil.graphs import GridGraph, ImplicitGraph
from phil.heuristics.file import encode, write_heuristic
from phil.heuristics.phil import PhilHeuristic, PhilMetadata, read_heuristic
from phil.heuristics.phil.specification import NetworkSettings
from phil.heuristics.scaling import Scaling
from tests.networks import networks, random_heuristic, random_tensors

SMALL = NetworkSettings(width=3, memory=2, layers=1)
HEURISTIC = random_heuristic(SMALL)
BYTES = encode(HEURISTIC)
HEADER = 8 + int.from_bytes(BYTES[:8], "little")

in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def refusal(path: Path, content: bytes) -> str:
    """The message with which a file is refused: one line that names the file."""
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_heuristic(path)
    message = str(caught.value)
    assert str(path) in message
    assert message.isprintable()
    assert len(message) < 600
    return message


def with_header(**changes: Any) -> bytes:
    """The small heuristic's file with other entries in its header; None takes one away."""
    header = json.loads(BYTES[8:HEADER])
    header["__metadata__"] |= changes
    header["__metadata__"] = {k: v for k, v in header["__metadata__"].items() if v is not None}
    return with_json(header)


def with_json(header: object) -> bytes:
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + BYTES[HEADER:]


def with_metadata(**changes: Any) -> bytes:
    """The small heuristic's file with other metadata."""
    return with_header(metadata=json.dumps(HEURISTIC.metadata.model_dump(mode="json") | changes))


@given(networks(), st.integers(0, 100))
@settings(in_one_folder, max_examples=30)
def test_what_is_written_comes_back(tmp_path: Path, network: NetworkSettings, seed: int) -> None:
    metadata = PhilMetadata(
        network=network,
        feature_names=("x", "y"),
        scaling=Scaling(),
        training={"seed": seed, "set": "generated/forest", "settings": {"rate": 0.1}},
        validation={"expansions": {"mean": 280.5, "median": None}},
    )
    tensors = random_tensors(network, seed)
    write_heuristic(tmp_path / "mine.safetensors", PhilHeuristic(metadata, tensors))
    again = read_heuristic(tmp_path / "mine.safetensors")
    assert again.metadata == metadata
    assert again.name == "mine"
    assert again.tensors.keys() == tensors.keys()
    assert all(np.array_equal(again.tensors[name], tensors[name]) for name in tensors)


def test_the_same_heuristic_is_the_same_file() -> None:
    shuffled = dict(reversed(HEURISTIC.tensors.items()))
    assert encode(PhilHeuristic(HEURISTIC.metadata, shuffled)) == BYTES


def test_any_reader_of_safetensors_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.safetensors"
    write_heuristic(path, HEURISTIC)
    assert load_file(path).keys() == HEURISTIC.tensors.keys()
    header = json.loads(path.read_bytes()[8:HEADER])["__metadata__"]
    assert (header["format"], header["format_version"]) == ("phil-heuristic", "1")
    assert json.loads(header["metadata"])["network"]["width"] == 3


@given(st.integers(0, len(BYTES) - 1))
@settings(in_one_folder, max_examples=200)
def test_a_truncated_file(tmp_path: Path, length: int) -> None:
    refusal(tmp_path / "cut", BYTES[:length])


@given(st.integers(0, HEADER - 1), st.integers(1, 255))
@settings(in_one_folder, max_examples=300)
def test_a_damaged_header_gives_no_other_error(tmp_path: Path, position: int, flip: int) -> None:
    damaged = bytearray(BYTES)
    damaged[position] ^= flip
    path = tmp_path / "damaged"
    path.write_bytes(bytes(damaged))
    try:
        read_heuristic(path)
    except InputError:
        refusal(path, bytes(damaged))


@given(st.binary(max_size=300))
@settings(in_one_folder)
def test_any_other_file(tmp_path: Path, content: bytes) -> None:
    refusal(tmp_path / "other", content)


@given(st.recursive(st.none() | st.integers() | st.text(), st.lists) | st.integers())
@settings(in_one_folder)
def test_any_other_header(tmp_path: Path, header: object) -> None:
    refusal(tmp_path / "other", with_json(header))
    refusal(tmp_path / "other", with_json({"__metadata__": header}))


def test_a_header_nested_without_end(tmp_path: Path) -> None:
    text = b"[" * 200_000
    refusal(tmp_path / "deep", len(text).to_bytes(8, "little") + text)


@given(st.text(max_size=20))
@settings(in_one_folder)
def test_texts_of_a_file_never_break_the_line(tmp_path: Path, text: str) -> None:
    refusal(tmp_path / "strange", with_header(format_version="2" + text))
    tensors = HEURISTIC.tensors | {"strange" + text: np.zeros(1, np.float32)}
    metadata = json.loads(BYTES[8:HEADER])["__metadata__"]
    refusal(tmp_path / "strange", save(tensors, metadata))
    refusal(tmp_path / "strange", with_metadata(**{"strange" + text: 1}))


def test_foreign_files(tmp_path: Path) -> None:
    path = tmp_path / "foreign"
    foreign = save({"weight": np.zeros((2, 2), np.float32)})
    assert "but not a PHIL heuristic" in refusal(path, foreign)
    named = save({"weight": np.zeros((2, 2), np.float32)}, {"format": "pt"})
    assert "but not a PHIL heuristic" in refusal(path, named)
    assert "not a heuristic file" in refusal(path, b"\x89PNG\r\n\x1a\n" + b"\0" * 100)
    assert "not a heuristic file" in refusal(path, b"")


def test_a_newer_format(tmp_path: Path) -> None:
    message = refusal(tmp_path / "newer", with_header(format_version="2"))
    assert "format version 2" in message
    assert "reads version 1: install a newer phil-search" in message
    refusal(tmp_path / "none", with_header(format_version=None))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e30, -3e38])
def test_numbers_that_are_none(tmp_path: Path, bad: float) -> None:
    at = BYTES.index(HEURISTIC.tensors["out.2.bias"].tobytes())
    spoiled = BYTES[:at] + np.float32(bad).tobytes() + BYTES[at + 4 :]
    assert "tensor out.2.bias holds NaN or infinite" in refusal(tmp_path / "nan", spoiled)


def test_a_tensor_of_another_shape_or_kind(tmp_path: Path) -> None:
    header = json.loads(BYTES[8:HEADER])["__metadata__"]

    def saved(**changes: Any) -> bytes:
        named = {name.replace("_", "."): value for name, value in changes.items()}
        return save(HEURISTIC.tensors | named, header)

    path = tmp_path / "shape"
    assert "f.0.bias has shape (4,), expected (3,)" in refusal(
        path, saved(f_0_bias=np.zeros(4, np.float32))
    )
    assert "expected float32" in refusal(path, saved(f_0_bias=np.zeros(3)))
    assert "expected float32" in refusal(path, saved(f_0_bias=np.zeros(3, np.float16)))
    assert "expected float32" in refusal(path, saved(f_0_bias=np.zeros(3, np.int64)))


@pytest.mark.parametrize(
    "changes",
    [
        {"network": {"width": 0}},
        {"network": {"convolution": "attention"}},
        {"network": {"width": 3, "memory": 2, "layers": 1, "sample_seed": 2**70}},
        {"scaling": {"grid": True, "distance": float("nan")}},
        {"scaling": {"grid": False, "centre": [0.0, 0.0], "spread": [1.0]}},
        {"scaling": {"grid": False, "centre": [0.0, 0.0], "spread": [1.0, 0.0]}},
        {"scaling": {"grid": False, "centre": [0.0, float("inf")], "spread": [1.0, 1.0]}},
        {"scaling": {"grid": False, "centre": [0.0], "spread": [1.0]}},
        # In float32, in which kernels compute, these are 0 and infinite.
        {"scaling": {"grid": False, "centre": [0.0, 0.0], "spread": [1.0, 1e-300]}},
        {"scaling": {"grid": False, "centre": [0.0, 0.0], "spread": [1.0, 1e300]}},
        {"scaling": {"grid": False, "centre": [0.0, -1e300], "spread": [1.0, 1.0]}},
        {"scaling": {"grid": True, "edge_spread": [1.0, 1e-300]}},
        {"scaling": {"grid": True, "edge_spread": [1.0]}},
        {"network": {"width": 3, "memory": 2, "layers": 10**9}},
        {"network": {"width": 3, "memory": 2, "layers": 1, "features": 2**62}},
        {"network": {"width": 3, "memory": 2, "layers": 1, "neighbors": -1}},
        {"feature_names": ["x"]},
        {"feature_names": None},
        {"unknown": 1},
        {"training": []},
    ],
)
def test_metadata_that_cannot_be(tmp_path: Path, changes: dict[str, Any]) -> None:
    refusal(tmp_path / "metadata", with_metadata(**changes))


@pytest.mark.parametrize(
    "validation",
    [{"expansions": 3}, {"expansions": {}}, {"expansions": {"mean": "low"}}, {"x": []}],
)
def test_any_scores_can_be_shown(tmp_path: Path, validation: dict[str, Any]) -> None:
    path = tmp_path / "file"
    path.write_bytes(with_metadata(validation=validation, training={"set": "a\nb"}))
    assert "trained on a b)" in repr(read_heuristic(path))


def test_a_grid_has_two_or_three_coordinates() -> None:
    space = NetworkSettings(width=3, memory=2, layers=1, features=3)
    PhilMetadata(network=space, feature_names=("x", "y", "z"), scaling=Scaling(grid=True))
    wide = NetworkSettings(width=3, memory=2, layers=1, features=4)
    with pytest.raises(ValueError, match="scaling for 0 features, but the network takes 4"):
        PhilMetadata(network=wide, feature_names=tuple("xyzt"), scaling=Scaling(grid=True))


@pytest.mark.parametrize(
    ("scaling", "other"),
    [
        (Scaling(), "grids of 2 axes"),
        (Scaling(grid=False, centre=(0.0, 0.0), spread=(1.0, 1.0)), "general graphs"),
    ],
)
def test_a_network_for_a_grid_has_the_scaling_of_one(scaling: Scaling, other: str) -> None:
    # Kernels would read what is known of cells that the graph does not have.
    flat = NetworkSettings(width=3, memory=2, layers=1, axes=3, known=1)
    with pytest.raises(ValueError, match=f"grids of 3 axes, but a scaling for {other}"):
        PhilMetadata(network=flat, feature_names=("x", "y"), scaling=scaling)


def test_metadata_that_are_no_json(tmp_path: Path) -> None:
    for text in ("", "{", "[]", "null", '"\\ud800"', "[" * 10_000, "NaN"):
        assert "damaged metadata" in refusal(tmp_path / "text", with_header(metadata=text))
    refusal(tmp_path / "none", with_header(metadata=None))


class Boom:
    """A pickle that leaves a trace when it is loaded."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self._path,))


def test_a_pickle_is_never_loaded(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    content = pickle.dumps(Boom(trace))
    refusal(tmp_path / "pickle", content)
    pickle.loads(content)
    assert trace.exists()  # it would have left its trace


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*No such file"):
        read_heuristic(tmp_path / "none")
    with pytest.raises(InputError, match=r"cannot read .*directory"):
        read_heuristic(tmp_path)


def test_a_file_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with open(path, "wb") as stream:
        stream.truncate(2**31)
    with pytest.raises(InputError, match="too large for a heuristic file"):
        read_heuristic(path)


def test_a_heuristic_that_could_not_be_read_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "mine"
    write_heuristic(path, HEURISTIC)
    bad = HEURISTIC.tensors | {"out.2.bias": np.array([np.nan], np.float32)}
    with pytest.raises(InputError, match="NaN"):
        write_heuristic(path, PhilHeuristic(HEURISTIC.metadata, bad))
    assert path.read_bytes() == BYTES


def test_the_features_that_a_file_names_are_quoted_briefly() -> None:
    metadata = HEURISTIC.metadata.model_copy(update={"added_features": "\x1b[31m" * 1000})
    heuristic = PhilHeuristic(metadata, HEURISTIC.tensors)
    discovered = ImplicitGraph(lambda node: [node + 1]).discover(0, 1)
    for graph, message in ((discovered, "with the features"), (GridGraph([[True]]), "unknown")):
        with pytest.raises(InputError, match=message) as caught:
            heuristic.with_learned_features(graph)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 500


def test_a_pipe_or_device_is_not_read(tmp_path: Path) -> None:
    """It might never end."""
    os.mkfifo(tmp_path / "pipe.safetensors")
    for path in (tmp_path / "pipe.safetensors", Path("/dev/zero")):
        with pytest.raises(InputError, match="is not a regular file"):
            read_heuristic(path)
