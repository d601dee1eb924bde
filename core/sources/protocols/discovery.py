"""Service discovery: where a host's provider registry answers, from `https://HOST/.well-known/terraform.json`.

Both clients use the same protocol (terraform-svchost). A service's URL may be relative to where the document came from
in the end; whether it may be asked is judged when it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from lockwarden.core.http.server_words import quoted
from lockwarden.core.values.addresses import Hostname
from lockwarden.core.values.clients import DEFAULT_REGISTRIES
from lockwarden.core.values.errors import BadAnswerError, NotThereError, SourceError, Stage
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import resolved

PROVIDERS: Final = "providers.v1"
"""The service that this client knows: version 1 of the provider registry protocol."""
WELL_KNOWN: Final = "/.well-known/terraform.json"
_OTHERS_ANSWER: Final = (
    "this host is a provider registry, so a proxy, a filter or an entry for its name may answer in its place: look at"
    " what it answers to a browser here, or try from another network"
)


def discovery_url(host: Hostname) -> str:
    """Where the host's discovery document is."""
    return f"https://{host.ascii}{WELL_KNOWN}"


def providers_service(services: Mapping[str, Any], *, base: str, host: Hostname, said: str = "") -> str:
    """The absolute URL of the provider registry among a host's services; `base` is the URL of the document, `said` what
    the host says in its place.

    Raises NotThereError when the host offers none of this version, BadAnswerError when its URL cannot be used.
    """
    if PROVIDERS not in services:
        raise _not_offered(services, host, said)
    value = services[PROVIDERS]
    if not isinstance(value, str) or not value:
        raise _unusable(host, "it is null" if value is None else "it is not a text, or an empty one")
    return resolved(base, value, stage=Stage.DISCOVERY)


def configured_service(services: Mapping[str, str | None], host: Hostname) -> str:
    """The absolute URL of the provider registry that the operator's `host` block names in place of discovery.

    It is the operator's word, wherever it leads. What that registry names then is a server's word again. Raises
    BadAnswerError when the block names none: no server was asked, so that nothing is known to be absent.
    """
    value = services.get(PROVIDERS)
    if not value:
        raise _block_unusable(host, f"no URL for {PROVIDERS}", "add the URL of its provider registry to the block")
    try:
        return resolved(discovery_url(host), value, stage=Stage.DISCOVERY, by_operator=True)
    except BadAnswerError as error:
        raise _block_unusable(host, "a text that is no URL", "correct the URL in the block") from error


def _block_unusable(host: Hostname, what: str, remedy: str) -> BadAnswerError:
    return BadAnswerError(
        f"the host block for {host.display} in the CLI configuration has {what}",
        stage=Stage.DISCOVERY,
        code=ProblemCode.HOST_BLOCK_UNUSABLE,
        hint=f"{remedy}, or remove it so that the host itself is asked",
    )


def mirror_instead(error: NotThereError, mirror: str) -> NotThereError:
    """The same answer of a host without a registry, at whose root a network mirror serves the provider."""
    return NotThereError(
        f"{error.message}, but answers as a network mirror does; give {mirror} as a source of its own",
        stage=error.stage,
        code=error.code,
        hint="the host in a provider's address is that of its origin registry, never a mirror's",
    )


def _not_offered(services: Mapping[str, Any], host: Hostname, said: str) -> SourceError:
    others = sorted(name for name in services if name.startswith("providers."))
    if others:
        return BadAnswerError(
            f"{host.display} offers its provider registry only as {', '.join(others[:4])}, which is another protocol",
            stage=Stage.DISCOVERY,
            code=ProblemCode.REGISTRY_PROTOCOL_UNKNOWN,
            hint="neither client knows it; ask who runs the registry whether it offers providers.v1, too",
        )
    return NotThereError(
        f"{host.display} does not offer a provider registry{quoted(said)}",
        stage=Stage.DISCOVERY,
        code=ProblemCode.NO_PROVIDER_REGISTRY,
        hint=_OTHERS_ANSWER
        if host.ascii in DEFAULT_REGISTRIES
        else "check the host in the provider's address, and whether it wants credentials first; "
        "a mirror's URL has to be given as a source of its own",
    )


def _unusable(host: Hostname, why: str) -> BadAnswerError:
    return BadAnswerError(
        f"the URL of the provider registry of {host.display} cannot be used: {why}",
        stage=Stage.DISCOVERY,
        code=ProblemCode.URL_REFUSED,
        hint="ask who runs the registry to correct its discovery document",
    )
