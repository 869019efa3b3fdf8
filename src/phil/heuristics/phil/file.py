"""A heuristic as one `.safetensors` file: weights, and JSON metadata on what it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError
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


def encode(metadata: HeuristicMetadata, tensors: Tensors) -> bytes:
    """The bytes of a heuristic file."""
    check_tensors(metadata.network, tensors)
    header = {
        "format": FORMAT,
        "format_version": str(FORMAT_VERSION),
        "metadata": json.dumps(metadata.model_dump(mode="json"), sort_keys=True),
    }
    return save({name: np.ascontiguousarray(tensors[name]) for name in sorted(tensors)}, header)


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
    except (SafetensorError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path} is not a heuristic file, or it is damaged ({_one_line(error)}); "
            "train it again or fetch it again"
        ) from error
    if header.get("format") != FORMAT:
        raise InputError(f"{path} is a safetensors file, but not a PHIL heuristic")
    version = header.get("format_version", "?")
    if version != str(FORMAT_VERSION):
        raise InputError(
            f"{path} has format version {version}; this phil reads version {FORMAT_VERSION}: "
            "install a newer phil-search"
        )
    try:
        metadata = HeuristicMetadata.model_validate_json(header.get("metadata", ""))
        check_tensors(metadata.network, tensors)
    except ValidationError as error:
        raise InputError(f"{path}: damaged metadata: {_one_line(error)}") from error
    except InputError as error:
        raise InputError(f"{path} is damaged: {error}") from error
    return metadata, tensors


def _header(data: bytes) -> dict[str, str]:
    """The metadata of a safetensors file: its reader gives the tensors only."""
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > len(data) - 8:
        raise ValueError("it is cut off")
    header = json.loads(data[8 : 8 + length])
    metadata = header.get("__metadata__", {}) if isinstance(header, dict) else {}
    return {str(key): str(value) for key, value in metadata.items()}


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
