"""Every reader of something from outside, by the name of its folder in `fuzz/corpus.tar.xz`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from servers.packed import contents

from fuzzing.cli_configurations import cli_config, docker_file
from fuzzing.lock_files import lock_file
from fuzzing.oci_answers import oci_headers, oci_json
from fuzzing.openpgp import openpgp_armor, openpgp_packets
from fuzzing.own_files import approvals, policy
from fuzzing.packages import image_layer, zip_archive
from fuzzing.registry_answers import mirror_json, registry_json, sums
from fuzzing.urls import url

Target = Callable[[bytes], None]

CORPUS: Final = Path(__file__).parents[2] / "fuzz" / "corpus.tar.xz"

# A new reader of input from outside gets a function here and a folder of small inputs there.
TARGETS: Final[Mapping[str, Target]] = MappingProxyType(
    {
        "lock_file": lock_file,
        "cli_config": cli_config,
        "docker_file": docker_file,
        "policy": policy,
        "approvals": approvals,
        "sums": sums,
        "registry_json": registry_json,
        "mirror_json": mirror_json,
        "oci_json": oci_json,
        "oci_headers": oci_headers,
        "zip_archive": zip_archive,
        "image_layer": image_layer,
        "openpgp_packets": openpgp_packets,
        "openpgp_armor": openpgp_armor,
        "url": url,
    }
)


@cache
def kept_inputs() -> Mapping[str, Mapping[str, bytes]]:
    """Target → name → input, in the order of the names."""
    inputs: dict[str, dict[str, bytes]] = {}
    for path, content in contents(CORPUS).items():
        target, _, name = path.partition("/")
        inputs.setdefault(target, {})[name] = content
    return inputs
