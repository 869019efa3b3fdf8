"""Problem sets as Parquet files, one row per graph, read when their problems are used.

The columns are:

- `name`: string, the name of the graph;
- `split`: string, one of train, validation and test;
- `graph`: binary, the bytes of a `.npz` file (see `phil.graphs.formats.npz`);
- `starts` and `goals`: lists of integers of the same length, one pair per problem on the graph;
- `names`: lists of strings, the names of the problems; optional, by default the name of the graph,
  with a number if it has several problems;
- `published`: lists of numbers, the optimal costs that the source of a problem publishes, or null;
  optional.

A set is a file or a folder of files, whose rows are taken in the order of file names. When a set is
opened, only splits and the numbers of problems are read. A graph is read with its row group, so row
groups should be small.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from phil.errors import InputError, one_line, quoted
from phil.files import write_atomic
from phil.graphs import AnyGraph
from phil.graphs.formats.npz import graph_in, write_to
from phil.graphs.formats.source import errors_name, read_head
from phil.problems.lazy import Store, by_graph
from phil.problems.problem import SPLITS, Problem, ProblemSet, check_known

if TYPE_CHECKING:
    import pyarrow
    from pyarrow.parquet import ParquetFile

ENDING = ".parquet"
SIGNATURE = b"PAR1"
GROUP_BYTES = 2**22  # of graphs in a row group that is written
GROUP_ROWS = 1000
REQUIRED = ("name", "split", "graph", "starts", "goals")
OPTIONAL = ("names", "published")


def is_parquet(path: Path) -> bool:
    """Whether a file is a Parquet file, or a folder has any."""
    if path.is_dir():
        return bool(parquet_files(path))
    return read_head(path, len(SIGNATURE)) == SIGNATURE


def parquet_files(folder: Path) -> list[Path]:
    """The Parquet files of a folder, sorted; hidden ones are left out."""
    found = (file for file in folder.iterdir() if file.suffix.lower() == ENDING)
    return sorted(file for file in found if not file.name.startswith(".") and file.is_file())


def open_parquet(path: Path) -> ProblemSet:
    """The problems of a Parquet file, or of a folder of them."""
    store = recipe_of(path).open()
    return ProblemSet(str(path), *store.splits())


@dataclass(frozen=True)
class ParquetRecipe:
    """The files of a set, with their sizes: those of a file that is written anew may differ."""

    name: str
    files: tuple[tuple[str, int], ...]

    def open(self) -> ParquetStore:
        """Open the files, in whatever process."""
        for file, size in self.files:
            if not Path(file).is_file() or Path(file).stat().st_size != size:
                raise InputError(f"{file} is missing or has changed since its set was opened")
        return ParquetStore(self)


def recipe_of(path: Path) -> ParquetRecipe:
    """The files of a set as they are now."""
    files = parquet_files(path) if path.is_dir() else [path]
    return ParquetRecipe(
        str(path), tuple((str(file.resolve()), file.stat().st_size) for file in files)
    )


class ParquetStore(Store):
    """The problems of Parquet files."""

    def __init__(self, recipe: ParquetRecipe) -> None:
        self._lock = threading.Lock()
        self._digests: dict[int, bytes] = {}  # of the graphs that were used, by row
        self._files = [_Shards(Path(file)) for file, _ in recipe.files]
        split_of = np.concatenate([shards.splits for shards in self._files])
        problems = np.concatenate([shards.problems for shards in self._files])
        self._first_rows = np.cumsum([0, *(shards.rows for shards in self._files)])
        # Problems are numbered by split, then by row.
        self._rows = np.argsort(split_of, kind="stable")
        self._ends = np.cumsum(problems[self._rows])
        counts = [int(problems[split_of == split].sum()) for split in range(len(SPLITS))]
        super().__init__(recipe.name, recipe, counts)
        self.rows = len(problems)
        self.shards = sum(shards.groups for shards in self._files)

    def problem(self, number: int) -> Problem:
        """The problem with a number, on a graph that is read if need be."""
        row = self.graph_of(number)
        at = int(np.searchsorted(self._ends, number, "right"))
        pair = number - (int(self._ends[at - 1]) if at else 0)
        file = int(np.searchsorted(self._first_rows, row, "right")) - 1
        shards, own_row = self._files[file], row - int(self._first_rows[file])
        where = shards.where(own_row)
        with self._lock, errors_name(where):
            found = shards.row(own_row)
            # Splits of problems on one graph have a row each: it is still one graph.
            if row not in self._digests:
                self._digests[row] = sha256(shards.graph(own_row)).digest()
            graph = self.graphs.get(
                self._digests[row], lambda: graph_in(io.BytesIO(shards.graph(own_row)), where)
            )
            return _problem(graph, found, pair)

    def graph_of(self, number: int) -> int:
        """The number of a problem's graph: that of its row."""
        return int(self._rows[np.searchsorted(self._ends, number, "right")])


def _problem(graph: AnyGraph, row: Mapping[str, Any], pair: int) -> Problem:
    """A problem of a row."""
    starts, goals = row["starts"], row["goals"]
    for key in OPTIONAL:
        if row.get(key) is not None and len(row[key]) != len(starts):
            raise InputError(f"{key} has {len(row[key])} values for {len(starts)} problems")
    names, published = (row.get(key) or [None] * len(starts) for key in OPTIONAL)
    named = row["name"] if len(starts) == 1 else f"{row['name']}/{pair}"
    return Problem(graph, starts[pair], goals[pair], names[pair] or named, published[pair])


class _Shards:
    """A file, of which one row group is kept."""

    def __init__(self, path: Path) -> None:
        self._path = path
        pyarrow_parquet = _pyarrow_parquet()
        with _readable(path):
            self._file: ParquetFile = pyarrow_parquet.ParquetFile(path)
            self._columns = _checked_columns(path, self._file.schema_arrow)
            self.groups: int = self._file.num_row_groups
        self._kept: tuple[int, pyarrow.Table] | None = None
        splits: list[int] = []
        problems: list[int] = []
        first_rows = [0]
        for group in range(self.groups):  # as many rows as there are, whatever the file declares
            for split, count in self._counts(group, len(splits)):
                splits.append(split)
                problems.append(count)
            first_rows.append(len(splits))
        self.rows = len(splits)
        self.splits, self.problems = np.array(splits, np.int8), np.array(problems, np.int64)
        self._first_rows = np.array(first_rows)

    def where(self, row: int) -> str:
        """A row in the words of errors; rows count from 0."""
        return f"{self._path}, row {row}"

    def _counts(self, group: int, first: int) -> Iterator[tuple[int, int]]:
        """The split and the number of problems of every row of a group."""
        with _readable(self._path):
            read = self._file.read_row_group(group, columns=["split", "starts", "goals"])
            splits = read["split"].to_pylist()
            starts, goals = (_lengths(read[key]) for key in ("starts", "goals"))
        for row, (split, one, other) in enumerate(zip(splits, starts, goals, strict=True), first):
            if split not in SPLITS:
                raise InputError(
                    f"{self.where(row)}: split is {quoted(split)}; it must be "
                    f"{', '.join(SPLITS[:-1])} or {SPLITS[-1]}"
                )
            if one is None or one != other:
                raise InputError(
                    f"{self.where(row)}: starts and goals must be lists of the same length, not "
                    f"of {one} and {other}"
                )
            yield SPLITS.index(split), one

    def row(self, row: int) -> dict[str, Any]:
        """The values of a row, but for its graph."""
        values = {key: self._value(row, key) for key in self._columns if key != "graph"}
        for key in ("name", "starts", "goals"):
            if values[key] is None or (key != "name" and None in values[key]):
                raise InputError(f"{key} must not be null")
        return values

    def graph(self, row: int) -> bytes:
        """The bytes of a graph."""
        content: bytes | None = self._value(row, "graph")
        if content is None:
            raise InputError("graph must not be null")
        return content

    def _value(self, row: int, key: str) -> Any:
        """A value of a row, whose whole group is read if it is not at hand."""
        group = int(np.searchsorted(self._first_rows, row, "right")) - 1
        with _readable(self._path):
            if self._kept is None or self._kept[0] != group:
                self._kept = group, self._file.read_row_group(group, columns=self._columns)
            return self._kept[1][key][row - int(self._first_rows[group])].as_py()


def _lengths(lists: Any) -> list[int | None]:
    import pyarrow.compute

    found: list[int | None] = pyarrow.compute.list_value_length(lists).to_pylist()
    return found


def _checked_columns(path: Path, schema: pyarrow.Schema) -> list[str]:
    """The columns to read, which must exist and have the right types."""
    from pyarrow import types

    def is_list(kind: Any, fits: Any) -> bool:
        return bool((types.is_list(kind) or types.is_large_list(kind)) and fits(kind.value_type))

    def is_text(kind: Any) -> bool:
        return bool(types.is_string(kind) or types.is_large_string(kind))

    fitting = {
        "name": ("strings", is_text),
        "split": ("strings", is_text),
        "graph": ("bytes", lambda kind: types.is_binary(kind) or types.is_large_binary(kind)),
        "starts": ("lists of integers", lambda kind: is_list(kind, types.is_integer)),
        "goals": ("lists of integers", lambda kind: is_list(kind, types.is_integer)),
        "names": ("lists of strings", lambda kind: is_list(kind, is_text)),
        "published": ("lists of numbers", lambda kind: is_list(kind, types.is_floating)),
    }
    for key in REQUIRED:
        if key not in schema.names:
            known = ", ".join(REQUIRED)
            raise InputError(f"{path} has no column {key}; a problem set has the columns {known}")
    columns = [key for key in fitting if key in schema.names]
    for key in columns:
        what, fits = fitting[key]
        kind = schema.field(key).type
        if not fits(kind):
            raise InputError(f"{path}: the column {key} must hold {what}, not {kind}")
    return columns


def write_parquet(path: Path, problems: ProblemSet) -> None:
    """Write a set as a Parquet file; of a set that is larger than memory, one graph at a time."""
    for split in SPLITS:
        check_known(problems.split(split), "a Parquet file")
    pyarrow_parquet = _pyarrow_parquet()
    write_atomic(path, lambda stream: _write(stream, problems, pyarrow_parquet))


def _write(stream: BinaryIO, problems: ProblemSet, pyarrow_parquet: Any) -> None:
    import pyarrow as pa

    whole = pa.list_(pa.int64())
    kinds = (pa.string(), pa.string(), pa.binary(), whole, whole)
    schema = pa.schema(
        [
            *zip(REQUIRED, kinds, strict=True),
            ("names", pa.list_(pa.string())),
            ("published", pa.list_(pa.float64())),
        ]
    )
    # Graphs are compressed already.
    with pyarrow_parquet.ParquetWriter(
        stream, schema, compression="none", use_dictionary=False, write_statistics=False
    ) as writer:
        for split in SPLITS:
            for group in _groups(_rows(problems.split(split), split)):
                writer.write_table(pa.Table.from_pylist(group, schema))


def _groups(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Rows in groups that are small enough to be read for a single graph."""
    waiting: list[dict[str, Any]] = []
    size = 0
    for row in rows:
        waiting.append(row)
        size += len(row["graph"])
        if size >= GROUP_BYTES or len(waiting) >= GROUP_ROWS:
            yield waiting
            waiting, size = [], 0
    if waiting:
        yield waiting


def _rows(problems: Sequence[Problem], split: str) -> Iterator[dict[str, Any]]:
    for places in by_graph(problems):
        some = [problems[place] for place in places]
        names = [problem.name for problem in some]
        content = io.BytesIO()
        write_to(content, some[0].graph)
        yield {
            "name": names[0] if len(names) == 1 else names[0].rpartition("/")[0] or names[0],
            "split": split,
            "graph": content.getvalue(),
            "starts": [problem.start for problem in some],
            "goals": [problem.goal for problem in some],
            "names": names,
            "published": [problem.published for problem in some],
        }


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Turn what a damaged file raises into `InputError`."""
    import pyarrow

    try:
        yield
    except (pyarrow.ArrowException, OSError, ValueError, IndexError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{path} is not a Parquet file, or is damaged ({one_line(error)}); write it again"
        ) from error


def _pyarrow_parquet() -> Any:
    try:
        import pyarrow.parquet
    except ModuleNotFoundError as error:
        raise InputError('Parquet files need pyarrow: pip install "phil-search[ray]"') from error
    return pyarrow.parquet
