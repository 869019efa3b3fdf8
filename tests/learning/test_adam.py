"""The compiled Adam step against torch's."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from phil.learning.adam import adam_step


@pytest.mark.parametrize("clip", [0.5, 100.0])
def test_steps_are_those_of_torch(clip: float) -> None:
    random = np.random.default_rng(0)
    weights = random.normal(size=7).astype(np.float32)
    expected = torch.nn.Parameter(torch.from_numpy(weights.copy()))
    optimiser = torch.optim.Adam([expected], lr=0.1)
    average, first, second = weights.copy(), np.zeros_like(weights), np.zeros_like(weights)
    expected_average = torch.from_numpy(weights.copy())
    for step in range(1, 6):
        grads = random.normal(size=7).astype(np.float32)
        expected.grad = torch.from_numpy(grads.copy())
        torch.nn.utils.clip_grad_norm_(expected, clip)
        optimiser.param_groups[0]["lr"] = 0.1 / step
        optimiser.step()
        expected_average.lerp_(expected.detach(), 0.25)
        adam_step(weights, grads, first, second, average, step, 0.1 / step, clip, 0.75)
        assert weights == pytest.approx(expected.detach().numpy(), rel=1e-5, abs=1e-6)
        assert average == pytest.approx(expected_average.numpy(), rel=1e-5, abs=1e-6)
