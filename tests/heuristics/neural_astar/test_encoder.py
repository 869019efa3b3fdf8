"""The encoder without torch computes what the trained one does."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from phil.heuristics.neural_astar import EncoderSettings
from phil.heuristics.neural_astar.encoder import encode, folded, unfolded
from phil.heuristics.neural_astar.metadata import tensor_shapes
from phil.heuristics.neural_astar.network import Encoder


def random_encoder(settings: EncoderSettings, seed: int) -> Encoder:
    """An encoder with random weights in every tensor."""
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        torch.manual_seed(seed)
        encoder = Encoder(settings)
        for parameter in encoder.parameters():
            parameter.add_(0.3 * torch.randn(parameter.shape))
    return encoder


@settings(deadline=None, max_examples=30)
@given(
    st.tuples(st.integers(1, 23), st.integers(1, 23)),
    st.lists(st.integers(1, 7), min_size=1, max_size=4),
    st.integers(1, 4),
    st.integers(0, 5),
)
def test_both_encoders_agree(
    shape: tuple[int, int], channels: list[int], patch: int, seed: int
) -> None:
    chosen = EncoderSettings(channels=tuple(channels), patch=patch, most_cost=7.0, least_cost=0.5)
    encoder = random_encoder(chosen, seed)
    picture = np.random.default_rng(seed).random((*shape, 2), np.float32)
    with torch.no_grad():
        expected = encoder(torch.from_numpy(picture)[None].permute(0, 3, 1, 2))[0].numpy()
    found = encode(chosen, encoder.tensors(), picture)
    assert found.shape == shape
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)
    assert np.ptp(expected) > 0 or expected.size == 1 or max(channels) < 4  # not all the same


def test_the_tensors_are_those_that_a_file_must_hold() -> None:
    chosen = EncoderSettings(channels=(3, 5, 4), patch=3, most_cost=1.0)
    tensors = Encoder(chosen).tensors()
    assert {name: tensor.shape for name, tensor in tensors.items()} == tensor_shapes(chosen)


def test_tensors_are_copies() -> None:
    encoder = Encoder(EncoderSettings(channels=(3,), patch=1, most_cost=1.0))
    before = encoder.tensors()
    with torch.no_grad():
        for parameter in encoder.parameters():
            parameter.add_(1.0)
    assert not np.array_equal(before["out.bias"], encoder.tensors()["out.bias"])


@pytest.mark.parametrize("patch", [1, 2, 3])
def test_unfolding_is_the_other_way_of_folding(patch: int) -> None:
    image = np.arange(6 * 12, dtype=np.float32).reshape(6, 12, 1)
    np.testing.assert_array_equal(unfolded(folded(image, patch), patch), image[:, :, 0])


def test_costs_stay_finite_for_huge_weights() -> None:
    chosen = EncoderSettings(channels=(2,), patch=1, most_cost=5.0)
    tensors = {
        name: np.full(shape, -1e6 if name == "out.bias" else 1.0, np.float32)
        for name, shape in tensor_shapes(chosen).items()
    }
    assert encode(chosen, tensors, np.ones((3, 4, 2), np.float32)).max() == 0.0
