"""Who is served what: the page, its files and the WebSocket."""

from __future__ import annotations

import http.client
import socket
from typing import TYPE_CHECKING, Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from phil.errors import InputError
from phil.play.desk import MOST_BYTES
from phil.play.server import MOST_PAGES, open_socket

if TYPE_CHECKING:
    from tests.play.conftest import Page, Served


def get(served: Served, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    """The answer to a request."""
    connection = http.client.HTTPConnection("127.0.0.1", served.guard.port, timeout=30)
    connection.putrequest("GET", path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, text


def page_path(served: Served) -> str:
    return f"/?token={served.guard.token}"


def test_the_page_may_run_only_its_own_scripts(served: Served) -> None:
    status, headers, text = get(served, page_path(served))
    assert status == 200
    assert "playground" in text.lower()
    policy = headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


@pytest.mark.parametrize("path", ["/", "/?token=", "/?token=wrong", "/?token=%00%ff"])
def test_a_page_without_the_token_is_refused(served: Served, path: str) -> None:
    status, headers, text = get(served, path)
    assert status == 403
    assert "phil play printed" in text
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", "", "[::1"])
def test_a_foreign_host_is_refused(served: Served, host: str) -> None:
    name = host.format(port=served.guard.port)
    for path in (page_path(served), "/page/main.js"):
        status, _, text = get(served, path, Host=name)
        assert status in (400, 403)
        assert "<" not in text


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}"])
def test_own_names_are_served(served: Served, host: str) -> None:
    status, _, _ = get(served, page_path(served), Host=host.format(port=served.guard.port))
    assert status == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_a_foreign_origin_is_refused(served: Served, origin: str) -> None:
    status, _, _ = get(served, page_path(served), Origin=origin)
    assert status == 403


@pytest.mark.parametrize(
    "path",
    [
        "/page/../protocol.py",
        "/page/%2e%2e%2fprotocol.py",
        "/page/..%5cprotocol.py",
        "/page//etc/passwd",
        "/page/nothing.js",
        "/page/",
        "/docs",
        "/openapi.json",
    ],
)
def test_nothing_but_the_files_of_the_page_is_served(served: Served, path: str) -> None:
    status, _, text = get(served, path)
    assert status == 404
    assert "import" not in text


def refused(served: Served, token: str | None, **options: Any) -> bool:
    """Whether a WebSocket is refused."""
    query = "" if token is None else f"?token={token}"
    address = f"ws://127.0.0.1:{served.guard.port}/ws{query}"
    try:
        with connect(address, **options) as talk:
            talk.recv(timeout=30)
    except (InvalidStatus, ConnectionClosed):
        return True
    return False


def test_a_socket_needs_the_token(served: Served) -> None:
    assert not refused(served, served.guard.token)
    assert refused(served, None)
    assert refused(served, "wrong")


def test_a_socket_of_another_site_is_refused(served: Served) -> None:
    own = f"http://127.0.0.1:{served.guard.port}"
    assert not refused(served, served.guard.token, origin=own)
    assert refused(served, served.guard.token, origin="https://evil.example")
    assert refused(served, served.guard.token, additional_headers={"Host": "evil.example"})


def test_a_message_that_is_too_long_ends_the_connection(served: Served) -> None:
    # The server closes the connection while it is still being sent to, or afterwards.
    with served.page() as page, pytest.raises(ConnectionClosed):
        talk_too_long(page)
    with served.page() as page:  # others are served
        page.open("preset", name="open")


def talk_too_long(page: Page) -> None:
    page.socket.send(bytes(MOST_BYTES + 1))
    page.receive()


def test_only_so_many_pages_are_served_at_a_time(served: Served) -> None:
    from contextlib import ExitStack

    with ExitStack() as pages:
        for _ in range(MOST_PAGES):
            pages.enter_context(served.page())
        assert refused(served, served.guard.token)
    with served.page() as page:
        assert page.welcome["type"] == "welcome"


def test_a_taken_port_is_passed_over() -> None:
    first, none = open_socket("127.0.0.1", 0)
    port = first.getsockname()[1]
    second, taken = open_socket("127.0.0.1", port)
    try:
        assert none == []
        assert taken[0] == port
        assert second.getsockname()[1] not in taken
    finally:
        first.close()
        second.close()


def test_a_host_that_is_not_here_is_refused() -> None:
    with pytest.raises(InputError, match="host"):
        open_socket("no-such-host.invalid", 0)
    assert socket.getdefaulttimeout() is None


def test_frames_do_not_wait_for_each_other() -> None:
    listener, _ = open_socket("127.0.0.1", 0)
    with listener:
        assert listener.proto == socket.IPPROTO_TCP  # which asyncio sets TCP_NODELAY for
