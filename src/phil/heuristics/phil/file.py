"""A heuristic as one `.safetensors` file: weights, and JSON metadata on what it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, model_validator
from safetensors import SafetensorError
from safetensors.numpy import load, save

from phil.errors import InputError
from phil.files import write_atomic
from phil.heuristics.phil.scaling import Scaling
from phil.heuristics.phil.settings import NetworkSettings
from phil.heuristics.phil.weights import check_tensors

FORMAT = "phil-heuristic"
FORMAT_VERSION = 1
MAX_BYTES = 1 << 30

Tensors = dict[str, NDArray[np.float32]]


class HeuristicMetadata(BaseModel):
    """What a heuristic file says about itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    network: NetworkSettings
    feature_names: tuple[str, ...]
    scaling: Scaling
    training: dict[str, Any] = {}  # settings, seed, problem set, versions: how it was made
    validation: dict[str, Any] = {}  # how it scored, and against what

    @model_validator(mode="after")
    def _fits(self) -> HeuristicMetadata:
        features = self.network.features
        scaled = 2 if self.scaling.grid else len(self.scaling.centre)
        if not features == scaled == len(self.feature_names):
            raise ValueError(
                f"{len(self.feature_names)} feature names and a scaling of {scaled} features, but "
                f"the network takes {features}"
            )
        return self


def encode(metadata: HeuristicMetadata, tensors: Tensors) -> bytes:
    """The bytes of a heuristic file."""
    check_tensors(metadata.network, tensors)
    header = {
        "format": FORMAT,
        "format_version": str(FORMAT_VERSION),
        "metadata": json.dumps(metadata.model_dump(mode="json"), sort_keys=True),
    }
    data = save({name: np.ascontiguousarray(tensors[name]) for name in sorted(tensors)}, header)
    # Its metadata stand in any order: sorted, the same heuristic is always the same file.
    length = int.from_bytes(data[:8], "little")
    parsed = json.loads(data[8 : 8 + length])
    text = json.dumps(parsed, sort_keys=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data[8 + length :]


def write_tensors(path: Path, metadata: HeuristicMetadata, tensors: Tensors) -> None:
    """Write a heuristic file, whole or not at all."""
    write_atomic(path, encode(metadata, tensors))


def read_tensors(path: Path) -> tuple[HeuristicMetadata, Tensors]:
    """Read a heuristic file; anything wrong with it is an `InputError` of one line."""
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise InputError(f"{path} is {size} bytes: too large for a heuristic file")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    try:
        header = _header(data)
        tensors = load(data)
    except (SafetensorError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(
            f"{path} is not a heuristic file, or it is damaged ({_one_line(error)}); "
            "train it again or fetch it again"
        ) from error
    if header.get("format") != FORMAT:
        raise InputError(f"{path} is a safetensors file, but not a PHIL heuristic")
    version = header.get("format_version", "?")
    if version != str(FORMAT_VERSION):
        raise InputError(
            f"{path} has format version {_one_line(version)}; this phil reads version "
            f"{FORMAT_VERSION}: install a newer phil-search"
        )
    try:
        metadata = HeuristicMetadata.model_validate_json(header.get("metadata", ""))
        check_tensors(metadata.network, tensors)
    except InputError as error:
        raise InputError(f"{path} is damaged: {_one_line(error)}") from error
    except ValueError as error:
        raise InputError(f"{path}: damaged metadata: {_one_line(error)}") from error
    return metadata, tensors


def _header(data: bytes) -> dict[str, str]:
    """The metadata of a safetensors file: its reader gives the tensors only."""
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > len(data) - 8:
        raise ValueError("it is cut off")
    header = json.loads(data[8 : 8 + length])
    metadata = header.get("__metadata__", {}) if isinstance(header, dict) else None
    if not isinstance(metadata, dict):
        raise ValueError("its header is no safetensors header")
    return {str(key): str(value) for key, value in metadata.items()}


def _one_line(text: object) -> str:
    """A text that a file may have written: short, without line breaks or control characters."""
    line = " ".join(str(text).split())[:200]
    return "".join(character if character.isprintable() else "?" for character in line)
