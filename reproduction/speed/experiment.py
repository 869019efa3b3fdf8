"""The parts of the speed benchmark, and what they come to."""

from __future__ import annotations

from functools import partial
from importlib import import_module

from reproduction.experiment import Document, Experiment, Request, Value
from reproduction.markup import Section
from reproduction.page import Page, Picture
from reproduction.runner import Part, Stage
from reproduction.speed import page
from reproduction.speed.common import Scale
from reproduction.speed.summary import summary
from reproduction.store import Content, Parts

# Module and function of each part, imported when it is measured: one part's libraries may be
# missing for another.
PARTS = {
    "peers": ("peers", "measure"),
    "several": ("several", "measure"),
    "network": ("network", "measure"),
    "break_even": ("break_even", "measure"),
    "growth": ("growth", "measure"),
    "mapped": ("mapped", "measure"),
    "playground": ("playground", "measure"),
    "screen": ("screen", "measure"),
    "workers": ("workers", "measure"),
    "training": ("waiting", "training"),
    "start": ("waiting", "start"),
    "versions": ("versions", "measure"),
}
ON_REQUEST = ("versions", "screen")  # which need an older version, and a browser


class Speed(Experiment):
    """How fast the engine is; what is asked for is measured again."""

    name = "speed"
    title = "Speed"
    options = ("parts",)
    again = True

    def stages(self, request: Request) -> list[Stage]:
        """Each part alone, in a process of one thread."""
        alone = [name for name in PARTS if name not in ON_REQUEST]
        chosen = request.chosen("parts", "part", PARTS, default=alone)
        return [Stage([Part(name, partial(_measure, name, request)) for name in chosen], True)]

    def assemble(self, parts: Parts, *, quick: bool) -> Document:
        """The parts in order."""
        return {"parts": {name: parts[name] for name in PARTS if name in parts}}

    def page(self, document: Document, request: Request) -> Page:
        """The figures in short, then part by part."""
        parts: list[Section | Picture] = [self.summary(document), *page.parts(document["parts"])]
        return Page(page.TITLE, document["command"], parts)

    def values(self, document: Document) -> dict[str, Value]:
        """The figures in short."""
        return {figure.text: Value(figure.value) for figure in summary(document["parts"])}

    def summary(self, document: Document) -> Section:
        """The figures in short."""
        return page.in_short(summary(document["parts"]), quick="--quick" in document["command"])


def _measure(name: str, request: Request) -> Content:
    module, function = PARTS[name]
    measure = getattr(import_module(f"reproduction.speed.{module}"), function)
    found: Content = measure(
        Scale(request.quick, request.data, request.heuristics / request.named("speed"))
    )
    return found


SPEED = Speed()
