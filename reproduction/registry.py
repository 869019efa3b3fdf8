"""All experiments by name, and what else `python -m reproduction` can do."""

from __future__ import annotations

from dataclasses import dataclass

from reproduction.ablations.table import ABLATIONS
from reproduction.bounds import BOUNDS
from reproduction.carry.table import CARRY
from reproduction.domain.table import DOMAIN
from reproduction.experiment import Experiment
from reproduction.figures.experiment import FIGURES
from reproduction.one_map import ONE_MAP
from reproduction.paths import PATHS
from reproduction.planning import PLANNING
from reproduction.runtime.table import RUNTIME
from reproduction.speed.experiment import SPEED
from reproduction.table1.table import TABLE1
from reproduction.table2.table import TABLE2
from reproduction.table3.table import TABLE3
from reproduction.transfer import TRANSFER

# What `all` runs. Runtime takes the heuristics of Table 1; the figures those of the tables and the
# ablations. Speed needs an idle machine and other libraries; bounds, carry, planning, one map,
# domain and paths are not in the paper.
IN_ALL: tuple[Experiment, ...] = (TABLE1, TABLE2, TABLE3, TRANSFER, ABLATIONS, RUNTIME, FIGURES)
EXPERIMENTS: dict[str, Experiment] = {
    each.name: each for each in (*IN_ALL, BOUNDS, CARRY, PLANNING, ONE_MAP, DOMAIN, PATHS, SPEED)
}


@dataclass(frozen=True)
class Command:
    """Something else that is measured or made: `run(request, names)` of a module.

    It returns whether what it checks holds.
    """

    module: str
    options: tuple[str, ...] = ()  # those of `Request.only` that it knows


COMMANDS = {
    "features": Command("reproduction.speed.features"),
    "scenarios": Command("reproduction.scenarios"),
    "playground-pictures": Command("reproduction.playground.pictures"),
    "generated-maps": Command("reproduction.generated_maps", ("families",)),
    "shipped": Command("reproduction.shipped", ("families", "rooms", "maps")),
}
