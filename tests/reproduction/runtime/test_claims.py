"""The paper's percentages and ours are computed alike."""

from __future__ import annotations

import pytest

from reproduction.runtime.claims import CLAIMS, Claim, agrees, in_words, ratio

# Times per node that would give the paper's percentages.
AS_PRINTED = {
    "phil": 1.0,
    "bfws": 1 / 0.421,
    "sail": 1 / 0.678,
    "astar": 1 / 1.347,
    "manhattan": 1 / 1.183,
    "neural_astar": 0.29,
}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim.method}-{claim.other}")
def test_the_paper_agrees_with_itself(claim: Claim) -> None:
    ours = ratio(claim, AS_PRINTED, "phil")
    assert ours == pytest.approx(claim.ratio)
    assert agrees(ours, claim)


def test_in_the_papers_words() -> None:
    assert [in_words(claim.ratio) for claim in CLAIMS] == [
        "57.9 % faster",
        "32.2 % faster",
        "34.7 % slower",
        "18.3 % slower",
        "71.0 % faster",
    ]


def test_another_network_is_put_in_its_place() -> None:
    times = {**AS_PRINTED, "phil_paper": 10.0}
    against_astar, of_neural_astar = CLAIMS[2], CLAIMS[4]
    assert ratio(against_astar, times, "phil_paper") == pytest.approx(13.47)
    assert ratio(of_neural_astar, times, "phil_paper") == pytest.approx(0.029)
    assert not agrees(ratio(CLAIMS[0], times, "phil_paper"), CLAIMS[0])
