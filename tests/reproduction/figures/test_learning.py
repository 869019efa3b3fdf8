"""Distances are counted as they are seen, and convergence by them."""

from __future__ import annotations

from reproduction.figures.learning import points_of, summaries_of


def test_distances_add_up_over_all_candidates() -> None:
    rows = [
        {"candidate": "candidate 1", "distances": 10, "validation": None},
        {"candidate": "candidate 2", "distances": 5, "validation": 90.0},
        {"candidate": "candidate 1", "distances": 7, "validation": 80.0},
    ]
    assert points_of(rows) == [(15, 90.0), (22, 80.0)]


def test_convergence_is_near_the_best_and_not_at_it() -> None:
    found = summaries_of(
        {
            "sail": [(100, 300.0), (200, 104.0), (300, 100.0)],
            "phil": [(10, 104.0), (20, 110.0), (40, 99.0)],
            "phil_paper": [(5, 500.0), (6, 400.0)],
        }
    )
    assert found["sail"] == {"best": 100.0, "converged": 200, "met_rival": 300, "seen": 300}
    assert found["phil"] == {"best": 99.0, "converged": 40, "met_rival": 40, "seen": 40}
    assert found["phil_paper"] == {"best": 400.0, "converged": 6, "met_rival": None, "seen": 6}
