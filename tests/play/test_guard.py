"""Which addresses and tokens are the server's."""

from __future__ import annotations

import pytest

from phil.play.guard import Guard


def test_tokens_differ_and_are_long() -> None:
    tokens = {Guard("127.0.0.1", 1).token for _ in range(5)}
    assert len(tokens) == 5
    assert min(map(len, tokens)) >= 32


@pytest.mark.parametrize("token", [None, "", "secre", "secrets", "SECRET"])
def test_other_tokens_are_unknown(token: str | None) -> None:
    guard = Guard("127.0.0.1", 1, "secret")
    assert not guard.knows(token)
    assert guard.knows("secret")


def test_a_server_that_listens_everywhere_is_reached_by_addresses_only() -> None:
    guard = Guard("0.0.0.0", 8000, "secret")
    assert guard.url == "http://127.0.0.1:8000/?token=secret"
    assert guard.refuses({"host": "192.168.0.7:8000"}) is None
    assert guard.refuses({"host": "[fe80::1]:8000"}) is None
    assert guard.refuses({"host": "rebound.example:8000"}) is not None
    assert guard.refuses({"host": "192.168.0.7:80"}) is not None


def test_a_server_with_a_name_is_reached_by_it() -> None:
    guard = Guard("box.lan", 8000, "secret")
    assert guard.refuses({"host": "box.lan:8000"}) is None
    assert guard.refuses({"host": "192.168.0.7:8000"}) is not None
    assert Guard("::1", 8000, "t").url == "http://[::1]:8000/?token=t"
