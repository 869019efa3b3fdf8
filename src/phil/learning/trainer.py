"""Training a heuristic: candidates compete on the validation problems, the best is kept.

All decisions depend on expansions, never on wall time, so a run can be repeated: the same problems,
settings and seed give the same heuristic, in one go or resumed.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from threading import Event, Lock
from typing import Any

import numpy as np
import torch

from phil.errors import InputError
from phil.heuristics.file import write_heuristic
from phil.heuristics.phil import PhilHeuristic, PhilMetadata
from phil.heuristics.phil.specification import NetworkSettings
from phil.heuristics.scaling import Scaling
from phil.learning.candidate import Candidate
from phil.learning.caution import Waste, measure_waste, with_caution
from phil.learning.checkpoint import Checkpoint
from phil.learning.defaults import settings_for
from phil.learning.learner import Learner
from phil.learning.oracle import (
    OracleProblems,
    SolvableProblems,
    network_settings,
    scaling_of,
    solvable,
    with_oracle,
)
from phil.learning.progress import Iteration, Log, Report, beside, validation_record, versions
from phil.learning.settings import TrainingSettings
from phil.learning.validation import Validator, classical_costs
from phil.problems.problem import ProblemSet


def train_phil(
    problems: ProblemSet,
    *,
    preset: str,
    seed: int,
    settings: Mapping[str, Any] | None,
    features: str,
    output: Path | None,
    resume: bool,
    workers: int,
    report: Report | None,
) -> PhilHeuristic:
    """Learn a heuristic as PHIL does (see `phil.learning.train`).

    `features` were added to the graphs' own.
    """
    chosen = settings_for(problems, preset, settings)
    return _Run(problems, preset, chosen, features, seed, output, resume, workers, report).finish()


class _Run:
    """One call of `train`."""

    def __init__(
        self,
        problems: ProblemSet,
        preset: str,
        settings: TrainingSettings,
        features: str,
        seed: int,
        output: Path | None,
        resume: bool,
        workers: int,
        report: Report | None,
    ) -> None:
        self._began = time.monotonic()
        self._name = problems.name
        self._preset = preset
        self._settings = settings
        self._seed = seed
        self._output = output
        self._workers = workers
        self._report = report
        self._train = with_oracle(
            problems.train,
            "train",
            None if settings.unit == "auto" else settings.unit,
            settings.dead_ends,
            features,
        )
        self._validation = solvable(problems.validation[: settings.validation], "validation")
        self._network = network_settings(settings, self._train, self._validation)
        self._scalings = {
            together: scaling_of(self._train, together=together) for together in (False, True)
        }
        self._feature_names = self._train.problems[0].graph.feature_names
        self._reference = classical_costs(self._validation)
        self._candidates: list[Candidate] = []
        self._waste: Waste | None = None
        self._lock = Lock()
        self._stop = Event()
        self._identity: dict[str, Any] = {
            "settings": settings.model_dump(mode="json"),
            "seed": seed,
            "problems": _fingerprint(self._train, self._validation),
        }
        self._checkpoint = None if output is None else Checkpoint(beside(output, ".checkpoint"))
        self._log = None if output is None else Log(beside(output, ".log.jsonl"))
        self._kept: dict[str, Any] = {}
        if self._checkpoint is not None:
            if resume:
                self._kept = self._checkpoint.load(self._identity)["candidates"]
            else:
                self._checkpoint.create(self._identity)
        elif resume:
            raise InputError("resume=True needs the output file of the run to continue")
        self._done = sum(int(progress["iteration"]) for progress in self._kept.values())
        if self._log is not None:
            self._log.begin(
                {
                    _title(int(number)): int(progress["iteration"]) * settings.steps
                    for number, progress in self._kept.items()
                }
            )

    def finish(self) -> PhilHeuristic:
        """Train to the end and write the heuristic."""
        settings, workers = self._settings, self._workers
        with ThreadPoolExecutor(workers, initializer=torch.set_num_threads, initargs=(1,)) as pool:
            try:
                self._round(pool, settings.candidates)
                if self._best() > settings.hard * self._reference.shortest:
                    self._waste = self._measure_waste()
                    self._round(pool, settings.hard_candidates)
            except BaseException:
                # Ctrl-C: let the candidates end their iteration.
                self._stop.set()
                raise
        winner = self._winner()
        heuristic = PhilHeuristic(self._metadata(winner), winner.best_tensors, self._name)
        if self._output is not None:
            write_heuristic(self._output, heuristic)
        if self._checkpoint is not None:
            self._checkpoint.remove()
        return heuristic

    def _round(self, pool: ThreadPoolExecutor, count: int) -> None:
        """Train further candidates side by side, each on its own."""
        first = len(self._candidates)
        rival = self._best()
        fresh = [self._candidate(number, rival) for number in range(first, first + count)]
        self._candidates += fresh
        list(pool.map(self._train_candidate, fresh))

    def _train_candidate(self, candidate: Candidate) -> None:
        try:
            while not candidate.finished and not self._stop.is_set():
                candidate.iterate()
                with self._lock:
                    self._keep(candidate)
        except BaseException:
            # Whoever waits for another candidate would hear of it only when that one is finished.
            self._stop.set()
            raise

    def _keep(self, candidate: Candidate) -> None:
        """Write a finished iteration down and tell of it."""
        iteration = self._iteration(candidate)
        # The log is cut to the checkpoint's iterations on resuming, so it must not lag behind.
        if self._log is not None:
            self._log.write(asdict(iteration))
        if self._checkpoint is not None:
            self._checkpoint.save(self._identity, candidate)
        self._done += 1
        if self._report is not None:
            self._report(iteration)

    def _candidate(self, number: int, rival: float) -> Candidate:
        network = self._network_of(number)
        train = self._teacher(self._caution_of(number))
        scaling = self._scaling_of(number)
        learner = Learner(train, self._settings, network, scaling, self._seed, number)
        validator = Validator(self._validation, network, scaling, self._feature_names)
        candidate = Candidate(learner, validator, self._settings, rival)
        kept = self._kept.get(str(number))
        if kept is not None and self._checkpoint is not None:
            self._checkpoint.restore(candidate, kept)
        return candidate

    def _network_of(self, number: int) -> NetworkSettings:
        """The shape of a candidate: where it is to be chosen, the first ones try both ways."""
        if self._settings.trail != "choose":
            return self._network
        trail = self._winner().network.trail if self._candidates else number % 2 == 0
        return self._network.model_copy(update={"trail": trail})

    def _scaling_of(self, number: int) -> Scaling:
        """As the shape: features of a group scaled together, or each on its own."""
        if self._settings.scaling != "choose":
            return self._scalings[self._settings.scaling == "together"]
        return self._winner().scaling if self._candidates else self._scalings[number % 2 == 0]

    def _measure_waste(self) -> Waste | None:
        """Where the best network so far goes astray, if anybody is to be cautious."""
        if not any(self._settings.caution):
            return None
        winner = self._winner()
        heuristic = PhilHeuristic(self._metadata(winner), winner.best_tensors, self._name)
        return measure_waste(heuristic, self._train.problems)

    def _caution_of(self, number: int) -> float:
        """Of a candidate; the first ones have none, since nobody has gone astray yet."""
        before, cautions = self._settings.candidates, self._settings.caution
        if self._waste is None or number < before:
            return 0.0
        return cautions[(number - before) % len(cautions)]

    def _teacher(self, caution: float) -> OracleProblems:
        """The train problems with the distances of the oracle that a candidate imitates."""
        if caution == 0.0 or self._waste is None:
            return self._train
        return with_caution(self._train, self._waste, caution)

    def _winner(self) -> Candidate:
        return min(self._candidates, key=lambda candidate: candidate.best or np.inf)

    def _best(self) -> float:
        return min((c.best for c in self._candidates if c.best is not None), default=np.inf)

    def _iteration(self, candidate: Candidate) -> Iteration:
        settings = self._settings
        best = self._best()
        return Iteration(
            number=self._done + 1,
            total=settings.iterations * len(self._candidates),
            candidate=_title(candidate.number),
            steps=candidate.iteration * settings.steps,
            loss=candidate.loss,
            validation=candidate.validation,
            best=best if np.isfinite(best) else None,
            classical=self._reference.classical,
            classical_name=self._reference.classical_name,
            shortest=self._reference.shortest,
            seconds=time.monotonic() - self._began,
            part_seconds=candidate.seconds,
            distances=sum(each.nodes.size for each in candidate.fresh_trajectories),
        )

    def _metadata(self, winner: Candidate) -> PhilMetadata:
        return PhilMetadata(
            network=winner.network,
            feature_names=self._feature_names,
            added_features=self._train.features,
            scaling=winner.scaling,
            training={
                "set": self._name,
                "preset": self._preset,
                "seed": self._seed,
                "settings": self._settings.model_dump(mode="json"),
                "problems": len(self._train.problems),
                "unsolvable": self._train.unsolvable,
                "candidates": {
                    str(c.number + 1): {
                        "best": c.best,
                        "iteration": c.best_iteration,
                        "trail": c.network.trail,
                        "scaled": "together" if c.scaling == self._scalings[True] else "each",
                        "caution": self._caution_of(c.number),
                    }
                    for c in self._candidates
                },
                "versions": versions(),
            },
            validation=validation_record(
                winner.best_expansions, self._validation.unsolvable, self._reference
            ),
        )


def _title(number: int) -> str:
    return f"candidate {number + 1}"


def _fingerprint(*sets: SolvableProblems) -> str:
    """A hash of the problems, so that a run is never resumed on others."""
    digest = hashlib.sha256()
    numbers: dict[int, int] = {}  # of the graphs seen so far
    for problem in (problem for chosen in sets for problem in chosen.problems):
        graph = problem.graph
        if id(graph) not in numbers:
            numbers[id(graph)] = len(numbers)
            for array in graph.arrays:
                digest.update(np.asarray(array).tobytes())
        digest.update(json.dumps([numbers[id(graph)], problem.start, problem.goal]).encode())
    return digest.hexdigest()
