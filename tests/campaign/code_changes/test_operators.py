"""The mutants of a small file."""

from __future__ import annotations

from pathlib import Path

from tests.campaign.code_changes.operators import Mutant, mutants_of

SOURCE = '''
"""A text."""
LIMIT: int = 5
Size = Annotated[int, Field(gt=0)]
@kernel
def fast(x):
    return x + 1
class Door:
    width = 3
    def opens(self, force: int | None = 2) -> bool:
        """Whether it opens."""
        self.push(force)
        zip(self, force, strict=True)
        if force < LIMIT:
            return cast(int | None, force)
        return not self.locked
'''


def mutants(folder: Path, source: str) -> list[Mutant]:
    (folder / "small.py").write_text(source)
    return mutants_of(Path("small.py"), folder)


def test_what_runs_as_python_is_changed(tmp_path: Path) -> None:
    found = {(one.place, *one.difference) for one in mutants(tmp_path, SOURCE.replace("@", "#@"))}
    assert found >= {
        ("LIMIT", "LIMIT: int = 5", "LIMIT: int = 6"),
        ("fast", "return x + 1", "return x - 1"),
        ("Door.opens", "self.push(force)", "pass"),
        ("Door.opens", "self.push(force)", "self.push(None)"),
        ("Door.opens", "if force < LIMIT:", "if force <= LIMIT:"),
        ("Door.opens", "if force < LIMIT:", "if not (force < LIMIT):"),
        ("Door.opens", "return not self.locked", "return self.locked"),
    }
    changed = " ".join(after for _, _, after in found)
    assert "force: int | None = 3" in changed
    assert "zip(None, force, strict=True)" in changed
    assert changed.count("zip") == changed.count("strict=True") == 4
    assert "Size" not in changed
    assert "&" not in changed  # no annotation, and no type in a call of `cast`


def test_kernels_and_their_constants_are_left_alone(tmp_path: Path) -> None:
    assert {one.place for one in mutants(tmp_path, SOURCE)} == {"Door.opens"}


def test_a_mutant_is_the_file_with_one_change(tmp_path: Path) -> None:
    for mutant in mutants(tmp_path, SOURCE):
        before, after = mutant.difference
        assert before != after
        compile(mutant.source, "small.py", "exec")
        changed = [line for line in mutant.source.splitlines() if line not in SOURCE.splitlines()]
        assert " ".join(line.strip() for line in changed) in ("", after)


def test_the_lines_are_those_of_the_statement(tmp_path: Path) -> None:
    lines = {one.difference[1]: one.lines for one in mutants(tmp_path, SOURCE)}
    assert lines["if force <= LIMIT:"] == range(14, 15)
    assert lines["def opens(self, force: int | None = 3) -> bool:"] == range(11, 17)
