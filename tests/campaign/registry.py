"""All parts of the campaign; each is one module that declares a `PART`."""

from __future__ import annotations

from importlib import import_module

from tests.campaign.part import Part

MODULES: tuple[str, ...] = ("fuzz", "graphs", "adversarial", "load", "scenes", "kills", "full_disk")


def parts() -> list[Part]:
    """All parts, in the order of the page."""
    return [import_module(f"tests.campaign.{module}").PART for module in MODULES]
