"""The ablations out of their parts: one document with every figure and verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from reproduction.ablations.parts import COST, Ablations
from reproduction.ablations.studies import STUDIES, Claim, Study
from reproduction.ablations.variants import BASE, QUICK, Variant
from reproduction.ablations.verdicts import judge
from reproduction.legacy.scores import over_seeds

COMMAND = "python -m reproduction ablations"
UNITS = {"ratio_to_astar": "astar", "ratio_to_shortest": "shortest"}

Families = Mapping[str, Mapping[str, Any]]


def assemble(ablations: Ablations) -> dict[str, Any]:
    """The document of all parts that are there."""
    families = {
        family: _family(ablations, family)
        for family in ablations.families
        if ablations.maps_part(family).done
    }
    return {
        "command": COMMAND + (" --quick" if ablations.quick else ""),
        "base": {**BASE, **(QUICK if ablations.quick else {})},
        "families": families,
        "claims": {name: _claims(STUDIES[name], families) for name in ablations.studies},
    }


def summary_of(families: Families, family: str, variant: Variant) -> Mapping[str, Any] | None:
    """What the trainings of a variant on a family came to; None if there was none."""
    found: Mapping[str, Any] | None = families.get(family, {}).get("variants", {}).get(variant.name)
    return found


def _family(ablations: Ablations, family: str) -> dict[str, Any]:
    maps = ablations.maps_part(family).read()
    variants = {}
    for variant in ablations.variants:
        parts = [ablations.part(family, variant, seed) for seed in range(ablations.seeds)]
        found = [part.read() for part in parts if part.done]
        if found:
            variants[variant.name] = {
                "training": variant.training.name,
                **_summary(found, maps["expansions"]),
            }
    return {"maps": maps, "variants": variants}


def _summary(parts: list[dict[str, Any]], references: Mapping[str, float]) -> dict[str, Any]:
    summary = over_seeds([part["test"] for part in parts])
    del summary["on_new_maps"]
    for unit, reference in UNITS.items():
        ratios = [mean / references[reference] for mean in summary["by_run"]]
        summary[unit] = {
            "mean": float(np.mean(ratios)),
            "deviation": float(np.std(ratios, ddof=1)) if len(ratios) > 1 else None,
            "by_run": ratios,
        }
    if all(COST in part for part in parts):
        summary[COST] = [part[COST] for part in parts]
    return summary | {
        "seeds": [part["seed"] for part in parts],
        "seconds": [part["training_seconds"] for part in parts],
        "validation": [part["validation"] for part in parts],
    }


def _claims(study: Study, families: Families) -> list[dict[str, Any]]:
    return [_verdict(claim, families) for claim in study.claims]


def _verdict(claim: Claim, families: Families) -> dict[str, Any]:
    """The verdict on a claim over those of its families that were run with all its variants."""
    needed = (*claim.fewer, *claim.more)
    there = [
        family
        for family in claim.families
        if all(summary_of(families, family, variant) is not None for variant in needed)
    ]
    found: dict[str, Any] = {"text": claim.text, "families": there}
    if not there:
        return found | {"outcome": "not run", "difference": None, "spread": None}
    fewer, more = (
        [families[family]["variants"][v.name]["ratio_to_astar"]["by_run"] for v in group
         for family in there]
        for group in (claim.fewer, claim.more)
    )  # fmt: skip
    return found | asdict(judge(fewer, more, alike=claim.alike))
