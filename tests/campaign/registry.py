"""All parts of the campaign; each is one module that declares a `PART`."""

from __future__ import annotations

from importlib import import_module

from tests.campaign.part import Budget, Part, Report

MODULES: tuple[str, ...] = (
    "fuzz",
    "graphs",
    "adversarial",
    "load",
    "scenes",
    "kills",
    "full_disk",
    "mutants",
)


def parts() -> list[Part]:
    """All parts, in the order of the page."""
    return [import_module(f"tests.campaign.{module}").PART for module in MODULES]


def run_part(name: str, seconds: float, seed: int) -> Report:
    """Run the part of this name; other processes can import this function by its name."""
    part = next(part for part in parts() if part.name == name)
    return part.run(Budget(seconds, seed))
