"""The pictures of the report on Table 3: learning curves, and searches to turn in the browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from phil.experiments.curves import TrainingCurve, curves_svg
from phil.experiments.report_files import Picture
from phil.experiments.table3.columns import COLUMNS


def learning_curves(document: Mapping[str, Any]) -> Picture:
    """The best validation so far: a panel a room, a line a training."""
    titles = document["titles"]
    panels = {
        room: [
            TrainingCurve(titles[name], training["curve"])
            for name, summary in row["methods"].items()
            for training in summary.get("trainings", [])
        ]
        for room, row in document["rooms"].items()
    }
    learned = [titles[name] for name in titles if COLUMNS[name].learned]
    label = "mean expansions on validation problems, best so far"
    return Picture("Learning curves", "curves.svg", curves_svg(panels, learned, label, "table3"))
