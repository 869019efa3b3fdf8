"""Problems on the functions of this machine's Python source."""

from __future__ import annotations

import platform

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import Graph
from phil.problems import ProblemSet, open_set, syntax_trees
from phil.problems.syntax_trees import Project, project_split, projects


@pytest.fixture(autouse=True)
def _few_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syntax_trees, "COUNTS", {"train": 30, "validation": 8, "test": 12})


def facts(problems: ProblemSet) -> list[tuple[str, int, int]]:
    return [(problem.name, problem.start, problem.goal) for problem in problems.all]


def test_functions_are_trees_of_the_size_asked_for_and_split_by_project() -> None:
    problems = open_set("syntax_trees/python")
    assert [len(problems.split(name)) for name in ("train", "validation", "test")] == [30, 8, 12]
    by_name = {project.name: project.split for project in projects()}
    for split in ("train", "validation", "test"):
        for problem in problems.split(split):
            assert by_name[problem.name.split("/")[3]] == split
            assert isinstance(problem.graph, Graph)
            assert 20 <= problem.graph.size <= 500
            assert problem.graph.indices.size // 2 == problem.graph.size - 1
    everything = {problem.graph.features.tobytes() for problem in problems.all}
    assert len(everything) == 50


def test_the_seed_draws_and_count_is_how_many_to_test() -> None:
    first = open_set("syntax_trees/python")
    assert facts(open_set("syntax_trees/python")) == facts(first)
    assert facts(open_set("syntax_trees/python", seed=1)) != facts(first)
    few = open_set("syntax_trees/python", count=5).test
    assert [problem.name for problem in few] == [problem.name for problem in first.test[:5]]


def test_the_projects_are_listed_with_versions() -> None:
    listed = {project.name: project for project in projects()}
    assert listed["python"] == Project("python", platform.python_version(), project_split("python"))
    assert listed["numpy"].version == np.__version__
    assert "phil-search" not in listed


def test_the_hash_shares_projects_out() -> None:
    splits = [project_split(f"project-{number}") for number in range(2000)]
    assert splits.count("validation") == pytest.approx(200, abs=45)
    assert splits.count("test") == pytest.approx(200, abs=45)


def test_a_machine_without_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    files = syntax_trees._files()
    monkeypatch.setattr(syntax_trees, "_files", lambda: files | {"test": {}})
    with pytest.raises(InputError, match=r"no installed package .* the test split"):
        open_set("syntax_trees/python")


def test_the_list_names_the_substitute() -> None:
    info = syntax_trees.syntax_trees_info("python")
    assert info.found
    assert info.name == "syntax_trees/python"
    assert info.where.startswith("a substitute for OGBG-Code2")
