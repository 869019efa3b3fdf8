"""Verdicts follow the figures: what changes a figure beyond the paper's changes the verdict."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from reproduction.everything.claims import JUDGES, verdicts
from reproduction.everything.claims.verdicts import Verdict
from reproduction.table2.methods import OF_PHIL
from tests.pages import results


@pytest.fixture(scope="module")
def documents() -> dict[str, Any]:
    """The committed results."""
    return {name: results(name) for name in JUDGES}


def the(found: list[Verdict], words: str) -> Verdict:
    """The one verdict whose claim has these words."""
    [verdict] = [verdict for verdict in found if words in verdict.claim]
    return verdict


def test_every_document_is_judged(documents: dict[str, Any]) -> None:
    for name, document in documents.items():
        assert verdicts({name: document}), name
    assert len(verdicts(documents)) == sum(len(verdicts({n: d})) for n, d in documents.items())


def test_what_is_not_reproduced_has_a_reason(documents: dict[str, Any]) -> None:
    for verdict in verdicts(documents):
        assert verdict.outcome in ("better", "reproduced") or verdict.why, verdict


def test_no_documents_no_verdicts() -> None:
    assert verdicts({}) == []


def test_maps(documents: dict[str, Any]) -> None:
    document = deepcopy(documents["table1"])
    methods = document["families"]["forest"]["methods"]
    phil, own = methods["phil"], "PHIL on forest"
    astar = methods["astar"]["by_problem"][0]
    paper = phil["printed"]
    for times, outcome in ((0.5, "better"), (2.0, "not reproduced")):
        phil["by_problem"] = [[each and times * paper * each for each in astar]] * 2
        assert the(verdicts({"table1": document}), own).outcome == outcome
    # Two trainings, one on either side of the paper's figure.
    phil["by_problem"] = [[each and times * paper * each for each in astar] for times in (0.5, 1.5)]
    assert the(verdicts({"table1": document}), own).outcome == "reproduced"


def test_against_sail(documents: dict[str, Any]) -> None:
    document = deepcopy(documents["table1"])
    claim = "than SaIL on every family"
    assert the(verdicts({"table1": document}), claim).outcome == "reproduced"
    methods = document["families"]["forest"]["methods"]
    sail = methods["sail"]["by_problem"] = [methods["sail"]["by_problem"][0]]
    for beside, outcome, why in (
        ((-1, 1), "undecided", "undecided on forest"),
        ((1, 2), "not reproduced", "not on forest"),
    ):
        methods["phil"]["by_problem"] = [
            [each and each + more for each in sail[0]] for more in beside
        ]
        found = the(verdicts({"table1": document}), claim)
        assert (found.outcome, found.why) == (outcome, why)
    assert "SaIL" in the(verdicts({"table1": document}), "none of the paper's baselines").why


def test_per_cent_are_judged_in_both_units(documents: dict[str, Any]) -> None:
    document = deepcopy(documents["table1"])
    for row in document["families"].values():
        for name in ("phil", "sail"):
            summary = row["methods"][name]
            summary["in_sail_unit"] = summary["printed"]
            summary["expansions"] = 200 + 4800 * summary["printed"]
    saving = "over all families"
    assert the(verdicts({"table1": document}), saving).outcome == "reproduced"
    for row in document["families"].values():
        row["methods"]["phil"]["expansions"] += 20
    assert the(verdicts({"table1": document}), saving).outcome == "not reproduced"


def test_graphs(documents: dict[str, Any]) -> None:
    document = deepcopy(documents["table2"])
    for row in document["sets"].values():
        for tier in row["tiers"].values():
            if "phil" not in tier["methods"]:
                continue
            tier["methods"]["phil"]["ratio"] = 0.9 * min(
                summary["ratio"]
                for name, summary in tier["methods"].items()
                if name not in (*OF_PHIL, "oracle") and not name.startswith("bi")
            )
    found = verdicts({"table2": document})
    ahead = the(found, "PHIL expands less than every baseline")
    assert (ahead.ours, ahead.outcome) == ("12 of 12 (12 with our best features)", "better")
    saved = the(found, "PHIL saves 13.4 %")
    assert saved.outcome == "not reproduced"
    assert saved.ours.startswith("10.0 % (10.0 % with our best features)")
    # The paper's own figure, from its table.
    assert saved.paper == "13.4 %; mean over its table: 13.4 %"
    del document["sets"]["cora"]["tiers"]["1"]["methods"]["sail"]
    assert "SaIL was not run on cora" in the(verdicts({"table2": document}), "every baseline").why


def test_the_papers_method_on_graphs(documents: dict[str, Any]) -> None:
    document = deepcopy(documents["table2"])
    own = [row for row in document["sets"].values() if not row["printed_for"]]
    for row in own:
        printed = row["printed"]["phil"]
        paper = {"ratio_interval": [0.9 * printed, 1.1 * printed]}
        row["tiers"]["1"]["methods"]["phil_paper"] = paper
    claim = "the paper's method reaches the paper's figures"
    found = the(verdicts({"table2": document}), claim)
    assert (found.ours, found.outcome) == (f"{len(own)} of {len(own)}", "reproduced")
    paper["ratio_interval"] = [1.1 * printed, 1.2 * printed]
    found = the(verdicts({"table2": document}), claim)
    assert (found.ours, found.outcome) == (f"{len(own) - 1} of {len(own)}", "not reproduced")


def test_rooms(documents: dict[str, Any]) -> None:
    document = deepcopy(documents["table3"])
    methods = document["rooms"]["simple"]["methods"]
    rivals = ("sail", "supervised", "euclidean", "bfws", "astar", "bfs")
    best = min((methods[name] for name in rivals), key=lambda each: each["ratio"])
    counts = best["by_problem"][0]
    best["by_problem"] = [counts]
    claim = "every baseline in the room `simple`"
    for beside, outcome, why in (
        ((-2, -1), "reproduced", ""),
        ((-1, 1), "undecided", "holds zero"),
        ((1, 2), "not reproduced", "by heart"),
    ):
        methods["phil"]["by_problem"] = [
            [each and each + more for each in counts] for more in beside
        ]
        found = the(verdicts({"table3": document}), claim)
        assert found.outcome == outcome
        assert why in found.why
    over = methods["phil"]["over_shortest"]
    for interval, outcome in (
        ([1.0, 1.001], "better"),
        ([1.0, 1.1], "reproduced"),
        ([1.05, 1.1], "not reproduced"),
    ):
        over["ratio_interval"] = interval
        assert the(verdicts({"table3": document}), "a shortest path in `simple`").outcome == outcome


def test_constant_time(documents: dict[str, Any]) -> None:
    document = deepcopy(documents["speed"])
    assert the(verdicts({"speed": document}), "constant time").outcome == "reproduced"
    sizes = document["parts"]["growth"]["methods"]["PHIL"].values()
    list(sizes)[-1]["us_per_expansion"] *= 2
    assert the(verdicts({"speed": document}), "constant time").outcome == "not reproduced"


def test_ablations_within_the_noise_say_what_would_decide_them() -> None:
    claim = {"text": "n = 2 expands less than n = 0", "families": ["forest"], "difference": -0.01}
    judged = {
        outcome: verdicts(
            {"ablations": {"claims": {"neighbourhood": [claim | found | {"outcome": outcome}]}}}
        )[0]
        for outcome, found in (
            ("yes", {"spread": 0.001, "needed": None}),
            ("undecided", {"spread": 0.05, "needed": 97}),
            ("no", {"spread": 0.001, "needed": None}),
        )
    }
    outcomes = [v.outcome for v in judged.values()]
    assert outcomes == ["reproduced", "undecided", "not reproduced"]
    assert "97 of each side would decide" in judged["undecided"].why


def test_our_own_ablations_are_no_claims_of_the_paper() -> None:
    claim = {"text": "a", "families": ["forest"], "difference": 0, "spread": 0, "outcome": "yes"}
    assert verdicts({"ablations": {"claims": {"maps": [claim]}}}) == []


@pytest.mark.parametrize(
    ("ratio", "outcome"), [(0.3, "better"), (0.5, "reproduced"), (0.9, "not reproduced")]
)
def test_runtime_is_judged_by_phils_share_of_the_time(ratio: float, outcome: str) -> None:
    ours = {"compiled": {name: {"ratio": ratio} for name in ("phil", "phil_paper")}}
    document = {
        "titles": {"phil": "PHIL", "bfws": "BFWS"},
        "claims": [{"method": "phil", "other": "bfws", "ratio": 0.421, "ours": ours}],
    }
    [verdict] = verdicts({"runtime": document})
    assert verdict.outcome == outcome


def test_data_that_learning_takes() -> None:
    def judged(own: int, rival: int, *, as_good: bool = True) -> str:
        phil = {"converged": own, "met_rival": own if as_good else None}
        families = {"forest": {"phil_printed": phil, "sail": {"converged": rival}}}
        learning = {"paper": {"distances": 9216, "factor": 5.0}, "families": families}
        [verdict] = verdicts({"figures": {"figures": {"learning": learning}}})
        return verdict.outcome

    assert judged(9000, 50_000) == "reproduced"
    assert judged(9000, 18_000) == "not reproduced"
    assert judged(10_000, 100_000) == "not reproduced"
    assert judged(9000, 50_000, as_good=False) == "not reproduced"
