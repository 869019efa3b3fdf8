"""Settings: the paper's values, presets, and what is said of a setting that cannot be."""

from __future__ import annotations

import pytest

from phil.errors import InputError
from phil.learning import TrainingSettings, training_settings
from phil.learning.settings import PRESETS


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_are_valid(preset: str) -> None:
    settings = training_settings(preset)
    assert PRESETS[preset].items() <= settings.model_dump().items()


def test_paper_printed_has_the_papers_values() -> None:
    paper = training_settings("paper-printed")
    assert (paper.horizon, paper.rollout, paper.beta) == (256, 32, 0.7)
    assert (paper.iterations, paper.rollouts) == (36, 1)
    assert (paper.validate_every, paper.validation) == (1, 70)
    assert (paper.neighbors, paper.memory, paper.layers, paper.width) == (8, 64, 3, 128)
    assert (paper.learning_rate, paper.batch, paper.convolution) == (0.001, 32, "softmax")
    assert (paper.remember, paper.memory_start, paper.stop_at_goal) == (True, "rolled", False)


def test_the_paper_preset_differs_in_how_roll_outs_end_and_in_the_learning_rate() -> None:
    printed, paper = (training_settings(name).model_dump() for name in ("paper-printed", "paper"))
    assert {name for name in printed if printed[name] != paper[name]} == {
        "horizon",
        "stop_at_goal",
        "learning_rate",
    }


@pytest.mark.parametrize("preset", ["paper", "paper-printed"])
def test_the_papers_presets_have_no_extension(preset: str) -> None:
    paper = training_settings(preset)
    extensions = (paper.walls, paper.ranking, paper.handover, paper.average)
    assert not any(extensions)
    assert paper.trail == "no"
    assert (paper.search, paper.objective, paper.tune) == ("greedy", "expansions", 0)
    assert (paper.underestimates, paper.candidates, paper.hard_candidates) == (1, 1, 0)


def test_every_setting_is_described() -> None:
    assert all(field.description for field in TrainingSettings.model_fields.values())


def test_a_change_changes_one_setting() -> None:
    before = training_settings("best").model_dump()
    after = training_settings("best", {"width": 16}).model_dump()
    assert before | {"width": 16} == after != before


def test_strings_are_read() -> None:
    """Every setting can be given as `--set` gives it."""
    best = training_settings("best")
    texts = {name: str(value) for name, value in best.model_dump().items()}
    assert training_settings("paper", texts) == best


@pytest.mark.parametrize(
    ("text", "value"), [("true", True), ("no", False), ("1", True), ("False", False)]
)
def test_switches_are_read(text: str, value: bool) -> None:
    assert training_settings("paper", {"walls": text}).walls is value


def test_settings_do_not_change_once_made() -> None:
    with pytest.raises(ValueError, match="frozen"):
        setattr(training_settings("best"), "width", 1)  # noqa: B010, as mypy refuses it


@pytest.mark.parametrize(("given", "near"), [("pper", "paper"), ("bests", "best")])
def test_an_unknown_preset(given: str, near: str) -> None:
    with pytest.raises(InputError, match=f"unknown preset '{given}'; did you mean '{near}'"):
        training_settings(given)


@pytest.mark.parametrize(("given", "near"), [("widht", "width"), ("roll_out", "rollout")])
def test_an_unknown_setting(given: str, near: str) -> None:
    with pytest.raises(InputError, match=f"unknown setting '{given}'; did you mean '{near}'"):
        training_settings("best", {given: "1"})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("width", 0),
        ("width", "many"),
        ("width", "3.5"),
        ("layers", 0),
        ("neighbors", -1),
        ("memory", 0),
        ("convolution", "mean"),
        ("remember", "perhaps"),
        ("carried", -1),
        ("beta", 1.5),
        ("beta", -0.1),
        ("beta", "nan"),
        ("iterations", 0),
        ("rollouts", 0),
        ("steps", 0),
        ("batch", 0),
        ("learning_rate", 0),
        ("learning_rate", "inf"),
        ("underestimates", "inf"),
        ("decay", "linear"),
        ("temperature", 0),
        ("ranking", -1),
        ("ranking_size", 1),
        ("ranking_rate", 0),
        ("average", 1),
        ("candidates", 0),
        ("hard", 0.5),
        ("memory_start", "none"),
        ("trail", "perhaps"),
    ],
)
def test_a_value_out_of_range(name: str, value: object) -> None:
    with pytest.raises(InputError, match=f"setting {name}={value}: "):
        training_settings("best", {name: value})


def test_settings_that_contradict_each_other() -> None:
    with pytest.raises(InputError, match="rollout=32 must not exceed horizon=31"):
        training_settings("paper", {"horizon": "31"})
    with pytest.raises(InputError, match="carried=9 must not exceed memory=8; lower carried"):
        training_settings("paper", {"memory": 8, "carried": 9})
    with pytest.raises(InputError, match="set rollout=0 or ranking=0"):
        training_settings("paper", {"ranking": "1"})
    assert training_settings("paper", {"horizon": 32}).rollout == 32
