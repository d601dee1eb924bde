"""The names of configuration files: which a client reads, and what a name makes of a file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lockwarden.core.values.clients import Client

_ENDINGS: Final = (
    ".tf",
    ".tf.json",
    ".tofu",
    ".tofu.json",
    ".tftest.hcl",
    ".tftest.json",
    ".tofutest.hcl",
    ".tofutest.json",
)
"""What the names of configuration files end with."""


def chosen_names(names: Iterable[str], client: Client) -> list[str]:
    """The names of configuration files that a client reads, in order.

    OpenTofu reads `x.tofu` instead of `x.tf` where both are there. Terraform does not know `.tofu`. Both pass over
    hidden files, and over the backups that editors leave.
    """
    ours = {each for each in names if is_configuration(each)}
    if client is Client.TERRAFORM:
        return sorted(each for each in ours if ".tofu" not in _ending(each))
    return sorted(each for each in ours if _in_place_of(each) not in ours)


def is_configuration(name: str) -> bool:
    """Whether some client reads files of this name."""
    ignored = name.startswith(".") or name.endswith("~") or (name.startswith("#") and name.endswith("#"))
    return not ignored and _ending(name) != ""


def _in_place_of(name: str) -> str:
    """The name of the `.tofu` file that OpenTofu would read instead of this one."""
    ending = _ending(name)
    return f"{name.removesuffix(ending)}{ending.replace('.tf', '.tofu', 1)}" if ".tofu" not in ending else ""


def _ending(name: str) -> str:
    return max((each for each in _ENDINGS if name.endswith(each) and name != each), key=len, default="")


def is_test(name: str) -> bool:
    """Whether a configuration file of this name holds tests."""
    return "test" in _ending(name)


def is_override(name: str) -> bool:
    """Whether a configuration file of this name replaces what others say."""
    stem = name.removesuffix(_ending(name))
    return stem == "override" or stem.endswith("_override")


def is_json(name: str) -> bool:
    """Whether a configuration file of this name is written in JSON."""
    return name.endswith(".json")
