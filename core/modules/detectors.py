"""Short forms of addresses, turned into whole ones as the clients' detectors do, in their order.

Sources: go-getter 1.8.6, `detect_*.go`; OpenTofu, `internal/getmodules`. The detector for Bitbucket asks a server what
a repository is, which nobody does here: the address stays as it is.
"""

from __future__ import annotations

import re
from typing import Final

from lockwarden.core.values.go_addresses import cleaned, forced_getter, read_query, read_url, split_subdirectory

_SSH: Final = re.compile(r"(?:([^@]+)@)?([^:]+):/?(.+)", re.DOTALL)
BITBUCKET: Final = "bitbucket.org/"


class DetectionProblem(Exception):  # noqa: N818
    """No detector knows the address, or one knows it and finds it wrong; the message is the end of a sentence."""


def whole_address(text: str) -> str:
    """The address in the form `[GETTER::]URL`, with its sub-directory and query. Raises DetectionProblem."""
    getter, rest = forced_getter(text)
    bare, subdirectory = split_subdirectory(rest)
    url = read_url(bare)
    if url is not None and url.scheme:
        return text
    found = _detected(bare)
    found_getter, found = forced_getter(found)
    found, inner = split_subdirectory(found)
    subdirectory = cleaned(f"{inner}/{subdirectory}") if inner and subdirectory else inner or subdirectory
    if subdirectory:
        address, mark, query = found.partition("?")
        found = f"{address}//{subdirectory}{mark}{query}"
    getter = getter or found_getter
    return f"{getter}::{found}" if getter else found


def _detected(text: str) -> str:
    if text.startswith("github.com/"):
        return _github(text)
    match = _SSH.fullmatch(text)
    if match and match[1] == "git":
        path, mark, query = match[3].partition("?")
        kept = "&".join(f"{name}={value}" for name, value in sorted(read_query(query), key=lambda pair: pair[0]))
        return f"git::ssh://git@{match[2]}/{path}{mark if kept else ''}{kept}"
    if text.startswith(BITBUCKET):
        return f"git::https://{text}"
    if ".googleapis.com/" in text:
        parts = cleaned(text).split("/")
        if len(parts) < 5:
            raise DetectionProblem("it is not a valid GCS URL")
        return f"gcs::https://www.googleapis.com/storage/{'/'.join(parts[2:])}"
    if ".amazonaws.com/" in text:
        return _s3(text)
    if text.startswith("/"):
        return f"file://{text}"
    raise DetectionProblem(
        "no kind of source looks like it: a module in a folder begins with ./ or ../, one of a registry has three or"
        " four parts, and the others are URLs"
    )


def _github(text: str) -> str:
    address, mark, query = text.partition("?")
    parts = address.split("/")
    if len(parts) < 3:
        raise DetectionProblem("addresses at GitHub look like github.com/username/repository")
    repository, hash_, fragment = "/".join(parts[:3]).partition("#")
    ending = "" if repository.endswith(".git") else ".git"
    below = f"//{'/'.join(parts[3:])}" if len(parts) > 3 else ""
    return f"git::https://{repository}{ending}{below}{hash_}{fragment}{mark if query else ''}{query}"


def _s3(text: str) -> str:
    host, _, path = text.partition("/")
    match host.split("."):
        case [region, _, _]:
            return f"s3::https://{region}.amazonaws.com/{path}"
        case [bucket, region, _, _]:
            return f"s3::https://{region}.amazonaws.com/{bucket}/{path}"
        case [bucket, "s3", region, _, _]:
            return f"s3::https://s3.{region}.amazonaws.com/{bucket}/{path}"
    raise DetectionProblem("it is not a valid S3 URL")
