"""The figures as an experiment: each is drawn once, and its facts are kept."""

from __future__ import annotations

from functools import partial

from phil.errors import InputError
from phil.files import write_atomic
from reproduction.experiment import Document, Experiment, Request, Value
from reproduction.figures import learning
from reproduction.figures.searches import DRAWN, Figure
from reproduction.markup import Section, table_markdown
from reproduction.page import Page, Picture
from reproduction.runner import Part, Stage, Told
from reproduction.store import Content, Parts

TITLE = "Figures"
LEAD = (
    "Every figure shows what searches and trainings really did. The text above each one says which "
    "problem it shows: one chosen by a rule, never by its looks."
)


class Figures(Experiment):
    """What searches and trainings do, drawn."""

    name = "figures"
    title = "Figures"

    def stages(self, request: Request) -> list[Stage]:
        """The pictures, and the trainings of the learning curves."""
        drawings = [Part(each.name, partial(_draw, each, request)) for each in DRAWN]
        return [Stage([*learning.parts_of(request), *drawings])]

    def assemble(self, parts: Parts, *, quick: bool) -> Document:
        """The facts of every figure."""
        found = {each.name: parts[each.name]["facts"] for each in DRAWN if each.name in parts}
        if learning.found(parts):
            found[learning.NAME] = learning.facts(parts)
        return {"figures": found}

    def page(self, document: Document, request: Request) -> Page:
        """Every figure under what it shows."""
        found = document["figures"]
        lead = f"Made by `{document['command']}`. {LEAD}"
        parts: list[Section | Picture] = [Section("What is shown", [lead])]
        for figure in DRAWN:
            if figure.name in found:
                text = figure.text(found[figure.name], request.quick)
                parts += [
                    Section(figure.title, [text]),
                    Picture(figure.title, f"{figure.name}.png", None, heading=False),
                ]
        if learning.NAME in found:
            curves = learning.curves(self.store(request).parts())
            parts += [learning.section(found[learning.NAME]["families"]), curves]
        return Page(TITLE, document["command"], parts)

    def reproduce(self, request: Request, told: Told) -> str:
        """As every experiment, but a figure that cannot be drawn here does not stop the others."""
        try:
            return super().reproduce(request, told)
        except InputError as error:
            told(str(error))
            return table_markdown(self.summary(self.write_page(request)))

    def values(self, document: Document) -> dict[str, Value]:
        """Expansions of the searches that are drawn."""
        return {
            f"{name}, {method}": Value(expansions)
            for name, facts in document["figures"].items()
            for method, expansions in facts.get("expansions", {}).items()
        }

    def summary(self, document: Document) -> Section:
        """Which figures there are."""
        known = {each.name: each.title for each in DRAWN} | {learning.NAME: learning.TITLE}
        rows = [
            [name, title, "yes" if name in document["figures"] else "missing"]
            for name, title in known.items()
        ]
        return Section(TITLE, [], ["name", "figure", "drawn"], rows)


def _draw(figure: Figure, request: Request) -> Content:
    content, facts = figure.draw(request)
    request.docs.mkdir(parents=True, exist_ok=True)
    write_atomic(request.docs / f"{request.named('figures')}-{figure.name}.png", content)
    return {"facts": dict(facts)}


FIGURES = Figures()
