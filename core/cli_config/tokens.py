"""Finds the token for a host: environment variables, then `credentials` blocks, then the credentials helper.

The first place that knows the host decides, also by knowing that there is no token. Hosts are in comparison form, with
the port unless it is 443.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cached_property
from threading import Lock
from typing import Final

from msgspec import Struct

from lockwarden.core.cli_config.settings import CliConfig, ServiceCredentials
from lockwarden.core.values.addresses import Hostname
from lockwarden.core.values.errors import InvalidAddressError, NoAnswerError
from lockwarden.core.values.origins import Origin
from lockwarden.core.values.secret import Secret

PREFIX: Final = "TF_TOKEN_"
_ACE: Final = "xn--"
_DEVIATIONS: Final = str.maketrans({"ß": "ss", "ẞ": "ss", "ς": "\u03c3", "\u200c": None, "\u200d": None})
"""What the clients' first, tolerant reading of a variable's name turns these letters into."""


class TokenSource(StrEnum):
    """The kinds of places that know tokens."""

    VARIABLE = "environment variable"
    BLOCK = "credentials block"
    HELPER = "credentials helper"


class HostToken(Struct, frozen=True, kw_only=True):
    """What the place that knows a host says. With no token the host is asked without one."""

    token: Secret | None
    source: TokenSource
    origin: Origin
    """The variable, the block, or the block that names the helper."""

    def __str__(self) -> str:
        return f"{self.source} ({self.origin})"


AskHelper = Callable[[str], Secret | None]
"""Asks the credentials helper about a host; raises NoAnswerError."""


class TokenStore:
    """Knows the tokens of one configuration and environment. Safe to use from several threads; it may block."""

    def __init__(self, config: CliConfig, environ: Mapping[str, str], *, ask_helper: AskHelper | None = None) -> None:
        """Without `ask_helper` there is no helper, or its program was not found, which the clients pass over."""
        self._config = config
        self._environ = environ
        self._ask_helper = ask_helper
        self._lock = Lock()
        self._answers: dict[str, Secret | NoAnswerError | None] = {}

    def find(self, host: str) -> HostToken | None:
        """What is known of a host; None when no place knows it.

        Raises NoAnswerError when only the helper could know and it could not be asked; it is asked once for each host.
        """
        if (variable := self.variables.get(host)) is not None:
            return variable
        if (block := self._block_of(host)) is not None:
            return HostToken(token=block.token, source=TokenSource.BLOCK, origin=block.origin)
        helper = self._config.credentials_helper
        if helper is None or self._ask_helper is None:
            return None
        token = self._asked(host, self._ask_helper)
        return None if token is None else HostToken(token=token, source=TokenSource.HELPER, origin=helper.origin)

    def __call__(self, host: str, /) -> str | None:
        """The token itself, as the HTTP client wants it. Raises NoAnswerError."""
        found = self.find(host)
        return found.token.expose() if found is not None and found.token is not None else None

    @cached_property
    def variables(self) -> Mapping[str, HostToken]:
        """The hosts that variables have tokens for; of several variables for one host the last one counts."""
        found: dict[str, HostToken] = {}
        for name, value in self._environ.items():
            host = host_of_variable(name)
            if host is not None:
                origin = Origin.of_variable(name)
                found[host.ascii] = HostToken(token=Secret(value), source=TokenSource.VARIABLE, origin=origin)
        return found

    def _block_of(self, host: str) -> ServiceCredentials | None:
        blocks = reversed(self._config.credentials)
        return next((block for block in blocks if block.hostname is not None and block.hostname.ascii == host), None)

    def _asked(self, host: str, ask: AskHelper) -> Secret | None:
        with self._lock:
            if host not in self._answers:
                try:
                    self._answers[host] = ask(host)
                except NoAnswerError as error:
                    self._answers[host] = error
            answer = self._answers[host]
        if isinstance(answer, NoAnswerError):
            raise answer
        return answer


def host_of_variable(name: str) -> Hostname | None:
    """The host that a variable called `TF_TOKEN_…` is for, or None when it is no such variable or names no host.

    Behind the prefix, two underscores stand for a dash and one for a dot; Unicode and punycode are both understood.
    """
    if not name.startswith(PREFIX):
        return None
    written = name.removeprefix(PREFIX).replace("__", "-").replace("_", ".")
    host, colon, port = written.partition(":")
    readable = ".".join(map(_readable, host.split(".")))
    try:
        return Hostname.parse(readable + colon + port)
    except InvalidAddressError:
        return None


def _readable(label: str) -> str:
    """A part of a host name without punycode."""
    lowered = label.lower()
    if not lowered.startswith(_ACE):
        return label.translate(_DEVIATIONS)
    try:
        return lowered.removeprefix(_ACE).encode("ascii").decode("punycode")
    except UnicodeError:
        return label
