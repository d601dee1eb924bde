"""What helps where a registry's host refuses, or may only say that it does not have what was asked for."""

from __future__ import annotations

from typing import Final

from lockwarden.core.http.documents import HttpDocument
from lockwarden.core.values.addresses import Hostname
from lockwarden.core.values.clients import DEFAULT_REGISTRIES

REFUSED_BY_A_PUBLIC_REGISTRY: Final = (
    "this registry needs no credentials: a proxy or a filter on the way may answer in its place, or it"
    " refuses this network; look at what it answers to a browser here, or try from another network"
)


def may_be_hidden(document: HttpDocument, host: Hostname) -> bool:
    """Whether the answer that there is nothing can mean that nobody may see it who shows no credentials."""
    return not document.credentials_sent and host.ascii not in DEFAULT_REGISTRIES


def if_hidden(document: HttpDocument, host: Hostname, otherwise: str) -> str:
    """What helps where the answer that there is nothing only hides it, as registries do to whoever may not see it."""
    if host.ascii in DEFAULT_REGISTRIES:
        return otherwise
    if document.credentials_sent:
        return f"the registry may hide it from the given credentials: check what the token for {host.display} may read"
    return f"the registry may hide it, since no credentials were sent: {how_to_give_credentials(host)}"


def if_refused(document: HttpDocument, host: Hostname) -> str:
    """What helps against a 401 or 403."""
    if document.credentials_sent:
        return f"renew the token for {host.display}, or check what it may read"
    return REFUSED_BY_A_PUBLIC_REGISTRY if host.ascii in DEFAULT_REGISTRIES else how_to_give_credentials(host)


def how_to_give_credentials(host: Hostname) -> str:
    """How a host comes to be shown credentials."""
    return f"add a credentials block for {host.display} to the CLI configuration, or set its TF_TOKEN_… variable"
