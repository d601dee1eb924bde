"""Installation methods in words, without any secret."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final, assert_never

from lockwarden.core.cli_config.settings import Direct, FilesystemMirror, Method, NetworkMirror, OciMirror
from lockwarden.core.values.clients import Client
from lockwarden.core.values.provider_patterns import ProviderPattern

_CLIENTS: Final = {Client.OPENTOFU.default_registry: "OpenTofu", Client.TERRAFORM.default_registry: "Terraform"}


def method_words(method: Method) -> str:
    """What a method is and where it leads."""
    match method:
        case Direct():
            return "origin registries (direct)"
        case FilesystemMirror():
            return f"filesystem mirror {method.path}"
        case NetworkMirror():
            trusted = ", all of whose hashes are trusted" if method.trust_all_hashes else ""
            return f"network mirror {method.shown}{trusted}"
        case OciMirror():
            return f"OCI mirror {method.template.text.removesuffix(':')}"
        case _:
            assert_never(method)


def selection_words(method: Method) -> str:
    """For which providers a method is asked."""
    included = _listed(method.include) or "all providers"
    excluded = f" but not {_listed(method.exclude)}" if method.exclude else ""
    elsewhere = ""
    if isinstance(method, Direct) and method.unless_in:
        elsewhere = " that are in none of the folders above"
    return f"for {included}{excluded}{elsewhere}"


def _listed(patterns: Iterable[ProviderPattern]) -> str:
    """The patterns as they are written; where one means another registry to each client, both are named."""
    hosts: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for each in patterns:
        hosts[each.text][each.hostname] = None
    return ", ".join(
        text if len(meant) == 1 else f"{text} ({' or '.join(f'{host} with {_CLIENTS[host]}' for host in meant)})"
        for text, meant in hosts.items()
    )
