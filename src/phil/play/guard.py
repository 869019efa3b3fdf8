"""Who may talk to the server: pages that it sent itself, to the person who started it.

A page of any site can send requests to this machine. So requests must carry the server's token,
name the server by an address of its own (else a site could rename itself to this machine: DNS
rebinding), and come from a page of the server, which browsers tell as `Origin`.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

LOOPBACK = ("127.0.0.1", "localhost", "::1")
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True)
class Guard:
    """The checks of every request.

    Parameters
    ----------
    host, port
        Where the server listens.
    token
        What its pages know; random by default.

    Examples
    --------
    >>> guard = Guard("127.0.0.1", 8000, "secret")
    >>> guard.refuses({"host": "localhost:8000"})
    >>> guard.refuses({"host": "evil.example:8000"})
    "the address is not this server's: 'evil.example:8000'"
    >>> guard.refuses({"host": "localhost:8000", "origin": "https://evil.example"})
    "a page of another site asked: 'https://evil.example'"
    """

    host: str
    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{_authority(self.shown_host, self.port)}/?token={self.token}"

    @property
    def shown_host(self) -> str:
        """The host in the page's address: this machine, if the server listens everywhere."""
        return "127.0.0.1" if _is_any(self.host) else self.host

    def refuses(self, headers: Mapping[str, str]) -> str | None:
        """Why a request with these headers (in lower case) is refused; None if it is not."""
        host = headers.get("host", "")
        if not self._is_own(host):
            return f"the address is not this server's: {host[:100]!r}"
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"http://{host.lower()}":
            return f"a page of another site asked: {origin[:100]!r}"
        return None

    def knows(self, token: str | None) -> bool:
        """Whether a token is the server's; takes as long for any wrong one."""
        return secrets.compare_digest((token or "").encode(), self.token.encode())

    def _is_own(self, host: str) -> bool:
        names = {self.host.lower(), *LOOPBACK}
        if host.lower() in {_authority(name, self.port) for name in names}:
            return True
        # Whoever listens everywhere is reached by addresses; no site can have one as its name.
        name, _, port = host.rpartition(":")
        return _is_any(self.host) and port == str(self.port) and _is_address(name.strip("[]"))


def _authority(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _is_any(host: str) -> bool:
    return _is_address(host) and ipaddress.ip_address(host).is_unspecified


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
