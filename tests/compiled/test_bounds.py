"""With NUMBA_BOUNDSCHECK=1, an access outside an array is an IndexError, wherever it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

import phil
from tests.compiled.process import process

SOURCES = Path(phil.__file__).parents[1]

# Functions that access place i of what has n places; `sound` is a place that exists.
MODULE = """
import numpy as np
from phil.compiled import Array1, Array2, Array3, Struct, cache_misses, kernel, primitive, routine
from phil.compiled.dense import affine
from phil.compiled.gru import gru_cell
from phil.compiled.messages import softmax_messages, softmax_messages_grad
from phil.compiled.softmax import softmax_mean
from phil.compiled.tiles import dot

class One(Struct):
    line: Array1[np.int64]
    table: Array2[np.float32]
    cube: Array3[np.float32]

class Many(Struct):
    parts: tuple[One, ...]

@primitive
def inlined(line, i):
    return line[i]

@routine
def called(line, i):
    line[i] = 5
    return line[i]

@kernel
def of_an_array(one, line, i): return line[i]
@kernel
def of_a_struct(one, line, i): return one.line[i]
@kernel
def of_a_row(one, line, i): return one.table[i, 0]
@kernel
def of_a_column(one, line, i): return one.table[0, i]
@kernel
def of_a_cube(one, line, i): return one.cube[0, 0, i]
@kernel
def written(one, line, i): one.line[i] = 3
@kernel
def in_a_primitive(one, line, i): return inlined(line, i)
@kernel
def in_a_primitive_of_a_struct(one, line, i): return inlined(one.line, i)
@kernel
def in_a_routine(one, line, i): return called(line, i)
@kernel
def in_a_routine_of_a_struct(one, line, i): return called(one.line, i)
@kernel
def of_structs(many, i): return many.parts[i].line[0]
@kernel
def run_dot(left, right): return dot(left, right)
@kernel
def run_gru(gates, memory, out): gru_cell(gates, gates, memory, 16, out, out)
@kernel
def run_mean(rows, count, out): softmax_mean(rows, count, np.float32(1), out)
@kernel
def run_affine(x, x_row, rows, depth, matrix, bias, out, out_row):
    affine(x, x_row, rows, depth, matrix, bias, out, out_row)
@kernel
def run_messages(x, node, near, mask, edge, weight, kept, out):
    softmax_messages(x, node, near, mask, edge, weight, np.float32(1), kept, out)
@kernel
def run_messages_grad(x, near, mask, edge, weight, kept, out, x_grad, weight_grad, sharp):
    softmax_messages_grad(
        x, 0, near, mask, edge, weight, np.float32(1), kept, out, x_grad, weight_grad, sharp
    )

def floats(*shape): return np.zeros(shape, np.float32)

one = One(np.arange(4), floats(4, 4), floats(4, 4, 4))
many = Many((one, one, one, one))
line = np.arange(4)

def simple(function): return lambda i: function(one, line, i)

def message(node=0, near=1, rows=2, width=5, mask=2, edges=2, features=3, kept=3):
    return run_messages(
        floats(rows, width), node, np.array([0, near]), np.ones(mask, bool),
        floats(edges, features), floats(3, 5), floats(kept, 5), floats(5))

def message_grad(near=1, x_rows=2, weight_rows=3, width=5):
    return run_messages_grad(
        floats(2, 5), np.array([0, near]), np.ones(2, bool), floats(2, 3), floats(3, 5),
        np.ones((3, 5), np.float32), floats(5), floats(x_rows, 5), floats(weight_rows, 5),
        floats(width))

def product(x=2, wide=3, matrix=3, columns=16, bias=16, out=2, to=16, x_row=0, rows=2, out_row=0):
    return run_affine(floats(x, wide), x_row, rows, 3, floats(matrix, columns), floats(bias),
                      floats(out, to), out_row)

# What is called, with arguments that are sound, and with others that are not.
TRIED = {
    **{f.__name__: (simple(f), [(3,), (-1,)], [(4,), (-5,), (10**9,)]) for f in (
        of_an_array, of_a_struct, of_a_row, of_a_column, of_a_cube, written, in_a_primitive,
        in_a_primitive_of_a_struct, in_a_routine, in_a_routine_of_a_struct)},
    "of_structs": (lambda i: of_structs(many, i), [(3,)], [(4,), (-1,)]),
    "dot": (lambda l, r: run_dot(floats(l), floats(r)), [(32, 32), (32, 16), (0, 0)],
            [(16, 32), (32, 20)]),
    "gru": (lambda g, m, o: run_gru(floats(g), floats(m), floats(o)), [(48, 16, 16)],
            [(47, 16, 16), (48, 15, 16), (48, 16, 15)]),
    "mean": (lambda r, w, n, o: run_mean(floats(r, w), n, floats(o)), [(2, 16, 2, 16)],
             [(2, 16, 3, 16), (2, 16, 0, 16), (2, 15, 2, 16), (2, 16, 2, 17)]),
    "affine": (lambda given: product(**given), [({},), ({"rows": 1, "x_row": 1, "out_row": 1},)],
               [({name: value},) for name, value in dict(
                   x=1, wide=2, matrix=2, columns=15, bias=17, out=1, to=15, x_row=1,
                   rows=3, out_row=-1).items()]),
    "messages": (lambda given: message(**given), [({},)],
                 [({name: value},) for name, value in dict(
                     node=2, near=2, rows=1, width=4, mask=1, edges=1, features=2,
                     kept=2).items()] + [({"near": -1},), ({"node": -1},)]),
    "messages_grad": (lambda given: message_grad(**given), [({},)],
                      [({"near": 2},), ({"x_rows": 1},), ({"weight_rows": 2},), ({"width": 4},)]),
}

def attempt(call, arguments):
    try:
        call(*arguments)
        return "done"
    except IndexError:
        return "IndexError"
"""
CHECKED = """
from tried import TRIED, attempt
for name, (call, sound, others) in TRIED.items():
    for arguments in sound:
        assert attempt(call, arguments) == "done", (name, arguments)
    for arguments in others:
        assert attempt(call, arguments) == "IndexError", (name, arguments)
    print(name)
"""
UNCHECKED = """
from tried import TRIED, attempt, cache_misses
for name, (call, sound, _) in TRIED.items():
    for arguments in sound:
        assert attempt(call, arguments) == "done", (name, arguments)
print(cache_misses())
"""


@pytest.mark.slow
def test_every_access_outside_an_array_is_found(tmp_path: Path) -> None:
    (tmp_path / "tried.py").write_text(MODULE)
    cache = str(tmp_path / "cache")

    def run(code: str, **variables: str) -> list[str]:
        return process(code, tmp_path, SOURCES, PHIL_CACHE=cache, **variables).stdout.split()

    # Code without checks is in the same cache, and not mistaken for code with them.
    [compiled] = run(UNCHECKED, NUMBA_BOUNDSCHECK="0")
    assert int(compiled) > 0
    assert len(run(CHECKED, NUMBA_BOUNDSCHECK="1")) == 17
    assert run(UNCHECKED, NUMBA_BOUNDSCHECK="0") == ["0"]
