"""The names and shapes of a network's tensors, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from phil.errors import InputError
from phil.heuristics.file import check_tensors
from phil.heuristics.phil.network import PhilNetwork
from phil.heuristics.phil.specification import NetworkSettings, tensor_shapes
from phil.heuristics.phil.weights import pack
from tests.networks import PRESETS, networks, random_tensors

SMALL = NetworkSettings(width=4, memory=3, layers=2)
SHAPES = tensor_shapes(SMALL)


@given(networks())
@settings(max_examples=50)
def test_names_and_shapes_are_those_of_the_torch_network(network: NetworkSettings) -> None:
    state = PhilNetwork(network).state_dict()
    shapes = {name: tuple(tensor.shape) for name, tensor in state.items()}
    assert list(tensor_shapes(network).items()) == list(shapes.items())  # in torch's order


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_every_tensor_is_checked(name: str) -> None:
    tensors = random_tensors(SMALL)
    check_tensors(SHAPES, tensors)
    without = {other: tensor for other, tensor in tensors.items() if other != name}
    with pytest.raises(InputError, match=f"tensor {name} is missing"):
        check_tensors(SHAPES, without)
    longer = np.concatenate([tensors[name], tensors[name]])
    with pytest.raises(InputError, match=f"tensor {name} has shape .*, expected"):
        check_tensors(SHAPES, tensors | {name: longer})
    for bad in (np.nan, np.inf):
        spoiled = tensors[name].copy()
        spoiled.flat[-1] = bad
        with pytest.raises(InputError, match=f"tensor {name} holds NaN or infinite numbers"):
            pack(SMALL, tensors | {name: spoiled})


def test_an_unknown_tensor_is_refused() -> None:
    tensors = random_tensors(SMALL) | {"walls.weight": np.zeros((256, 4), np.float32)}
    with pytest.raises(InputError, match=r"tensor walls\.weight is not part of the network"):
        check_tensors(SHAPES, tensors)


def test_more_numbers_carried_than_the_memory_has_are_refused() -> None:
    with pytest.raises(ValueError, match="4 numbers carried of a memory of 3"):
        NetworkSettings(memory=3, carried=4)


@pytest.mark.parametrize("dtype", [np.float64, np.float16, np.int32])
def test_other_numbers_than_float32_are_refused(dtype: type[np.generic]) -> None:
    tensors = random_tensors(SMALL)
    other = tensors | {"gru.bias_ih": tensors["gru.bias_ih"].astype(dtype)}
    with pytest.raises(InputError, match=r"tensor gru\.bias_ih holds .*, expected float32"):
        check_tensors(SHAPES, other)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_shipped_network_is_small(preset: str) -> None:
    size = sum(4 * tensor.size for tensor in random_tensors(PRESETS[preset]).values())
    assert size < {"best": 120_000, "paper": 500_000}[preset]
