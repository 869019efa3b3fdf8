"""Problems on the functions of this machine's Python source, and their trees as graphs."""

from __future__ import annotations

import ast
import platform

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import Graph
from phil.problems import ProblemSet, open_set, syntax_trees
from phil.problems.syntax_trees import (
    BUCKETS,
    PLAIN,
    TYPES,
    Project,
    parse_functions,
    project_split,
    projects,
    tree_graph,
)


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
    info = syntax_trees.syntax_trees_info("python", None)
    assert info.found
    assert info.name == "syntax_trees/python"
    assert info.where.startswith("a substitute for OGBG-Code2")


EVERYTHING = """
async def f(a, *b, c: int = 1, **d) -> None:
    global g
    for i in range(3):
        x[i:2] = -i ** 2 if not i else ~i
        del x.y, [z]
    else:
        pass
    while a < b and c is not d or e in {1, 2}:
        break
    try:
        with open(f"{a!r:>{b}}") as h, k:
            x += (yield)
    except* ValueError as e:
        raise e from None
    match a:
        case {"k": 1, **r} | [1, *_] | A(b=2) | None | v.w as q if (n := 3):
            continue
    async for j in [k async for k in l if m]:
        async with p:
            await p
    assert lambda: {k: v for k, v in s}, {*t}
    import a.b as c
    from d import e
    return (u @ v, *w)
"""


def tree(source: str) -> Graph:
    [function] = parse_functions(source.encode())
    graph = tree_graph(function, range(1000))
    assert graph is not None
    return graph


def test_every_node_of_a_function_is_known() -> None:
    graph = tree(EVERYTHING)
    assert graph.features[:, 0].min() > 0
    assert len(set(graph.features[:, 0])) > 60
    assert graph.indices.size // 2 == graph.size - 1


def test_every_type_of_this_python_is_known() -> None:
    """A new version of Python with new nodes: add them at the end of TYPES."""
    kinds = (ast.stmt, ast.expr, ast.pattern, ast.excepthandler)
    abstract = {kind.__name__ for kind in kinds}
    replaced = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Index", "ExtSlice", "Suite"}
    names = {
        name
        for name, value in vars(ast).items()
        if isinstance(value, type) and issubclass(value, kinds)
    }
    unknown = {
        name
        for name in names - abstract - replaced
        if name not in PLAIN and not any(known.startswith(name) for known in TYPES)
    }
    assert not unknown


def test_numbers_stay() -> None:
    """Heuristic files depend on them."""
    assert (TYPES[0], TYPES[20 - 1], TYPES[76 - 1]) == ("AnnAssign", "FunctionDef", "NameStore")
    assert len(set(TYPES)) == len(TYPES) == 125
    attributes = tree("def f(a): return a.b + 1").features[:, 1]
    assert attributes.tolist() == [0, 0, 68, 0, 0, 250, 68, 184]


def test_attributes_are_names_and_constants_without_the_function_itself() -> None:
    one, other, renamed = (
        tree(source).features
        for source in ("def f(a): g(a, 1)", "def h(a): g(a, 1)", "def f(b): g(b, 2)")
    )
    np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(one[:, [0, 2]], renamed[:, [0, 2]])
    assert (one[:, 1] != renamed[:, 1]).sum() == 3
    assert 0 <= one[:, 1].min() <= one[:, 1].max() <= BUCKETS


def test_size_limits() -> None:
    [function] = parse_functions(b"def f(a): return a + 1")
    for sizes, fits in ((range(7, 8), True), (range(1, 7), False), (range(8, 20), False)):
        assert (tree_graph(function, sizes) is not None) == fits


@pytest.mark.parametrize(
    "source",
    [
        b"def f(:",
        b"\xff\xfe\x00",
        b"# coding: no-such\ndef f(): pass",
        b"def f(): pass\n\x00",
        b"(" * 10_000,
        b"",
    ],
)
def test_what_does_not_parse_has_no_functions(source: bytes) -> None:
    assert parse_functions(source) == []


def test_old_escapes_do_not_warn() -> None:
    assert len(parse_functions(rb"def f(): return '\d'")) == 1


def test_deep_nesting_is_no_recursion() -> None:
    source = "def f(): return " + "-" * 80 + "1"
    assert tree(source).features[:, 2].max() == 82


def test_an_integer_with_more_digits_than_python_shows() -> None:
    assert tree("def f(): return 0x1" + "f" * 5000).num_nodes == 4
