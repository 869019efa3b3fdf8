"""Learned methods by name: each declares what the rest of the library derives."""

from __future__ import annotations

import subprocess
import sys

import pytest

import phil.learning
from phil.errors import InputError
from phil.learning import METHODS, train
from phil.learning.registry import load_method


@pytest.mark.parametrize("name", METHODS)
def test_a_method_declares_its_title_and_describes_its_settings(name: str) -> None:
    method = load_method(name)
    assert method.title
    fields = method.settings.model_fields
    assert "validation" in fields
    assert all(field.description for field in fields.values())


@pytest.mark.parametrize("name", METHODS)
def test_only_phil_is_resumed(name: str) -> None:
    assert load_method(name).resumable is (name == "phil")


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(InputError, match="unknown method 'sial'; did you mean 'sail'"):
        load_method("sial")


def test_names_are_listed_without_torch() -> None:
    """The command line's help must not wait for it."""
    code = (
        "import sys, phil.learning; assert phil.learning.METHODS; assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_public_names_are_imported_on_first_use() -> None:
    for name in phil.learning.__all__:
        assert getattr(phil.learning, name) is not None
    assert phil.learning.__getattr__("train") is train
    with pytest.raises(AttributeError, match=r"'phil.learning' has no attribute 'trian'"):
        phil.learning.__getattr__("trian")
