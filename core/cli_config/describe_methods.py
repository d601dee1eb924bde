"""Installation methods in words, without any secret."""

from __future__ import annotations

from typing import assert_never

from lockwarden.core.cli_config.settings import Direct, FilesystemMirror, Method, NetworkMirror, OciMirror


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
            return f"OCI mirror {method.template.text}"
        case _:
            assert_never(method)


def selection_words(method: Method) -> str:
    """For which providers a method is asked."""
    included = ", ".join(map(str, method.include)) or "all providers"
    excluded = f" but not {', '.join(map(str, method.exclude))}" if method.exclude else ""
    elsewhere = ""
    if isinstance(method, Direct) and method.unless_in:
        elsewhere = " that are in none of the folders above"
    return f"for {included}{excluded}{elsewhere}"
