"""The encoder without torch computes what the trained one does, on maps scaled down."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from phil.graphs import GridGraph
from phil.heuristics.neural_astar import EncoderSettings
from phil.heuristics.neural_astar.encoder import (
    block_of,
    encode,
    folded,
    picture,
    scaled_down,
    tensor_shapes,
    unfolded,
)
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


def test_a_block_is_free_if_half_of_it_is() -> None:
    free = np.array(
        [
            [1, 0, 0, 0, 1],
            [1, 0, 0, 1, 0],
            [0, 1, 1, 0, 0],
        ],
        bool,
    )
    # At the edge only the cells of the map count: 1 of 2, and 0 of 1.
    expected = [[True, False, True], [True, True, False]]
    assert scaled_down(GridGraph(free), 2).free.tolist() == expected


def test_start_and_goal_stay_free() -> None:
    grid = GridGraph(np.eye(6, dtype=bool))
    coarse = scaled_down(grid, 3, grid.node(0, 0), grid.node(5, 5))
    assert coarse.free.tolist() == [[True, False], [False, True]]


def test_moves_stay_the_same() -> None:
    grid = GridGraph(np.ones((5, 7)) == 1, connectivity=4, corners="both_free", diagonal_cost=1.0)
    coarse = scaled_down(grid, 2)
    assert coarse.shape == (3, 4)
    assert (coarse.connectivity, coarse.corners, coarse.diagonal_cost) == (4, "both_free", 1.0)


def test_every_cell_is_part_of_its_block() -> None:
    grid = GridGraph(np.ones((5, 7), bool))
    coarse = scaled_down(grid, 2)
    for node in range(grid.size):
        row, column = grid.cell(node)
        assert coarse.cell(block_of(grid, 2, node)) == (row // 2, column // 2)


def test_the_picture() -> None:
    grid = GridGraph([[True, False, True], [True, True, True]])
    image = picture(grid, grid.node(1, 0), grid.node(0, 2))
    assert image[:, :, 0].tolist() == [[1, 0, 1], [1, 1, 1]]
    assert image[:, :, 1].tolist() == [[0, 0, 1], [1, 0, 0]]


@pytest.mark.parametrize("channels", [(), (0,), (-1, 2), (3, 0), (10**9,), (1,) * 9])
def test_channels_that_cannot_be(channels: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="channels"):
        EncoderSettings(channels=channels, patch=1, most_cost=1.0)
