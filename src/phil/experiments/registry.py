"""All experiments by name, in the order in which `phil reproduce all` runs them."""

from __future__ import annotations

from phil.experiments.ablations.experiment import EXPERIMENT as ABLATIONS
from phil.experiments.experiment import Experiment
from phil.experiments.figures.experiment import EXPERIMENT as FIGURES
from phil.experiments.runtime.experiment import EXPERIMENT as RUNTIME
from phil.experiments.table1.experiment import EXPERIMENT as TABLE1
from phil.experiments.table2.experiment import EXPERIMENT as TABLE2
from phil.experiments.table3.experiment import EXPERIMENT as TABLE3
from phil.experiments.transfer.experiment import EXPERIMENT as TRANSFER

# Runtime takes the heuristics of Table 1; the figures those of the tables and the ablations.
EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (TABLE1, TABLE2, TABLE3, TRANSFER, ABLATIONS, RUNTIME, FIGURES)
}
