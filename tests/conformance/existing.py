"""The lock files that the clients were run on: what each held before the command."""

from __future__ import annotations

from conformance.recordings import true_hashes

PLANTED = "h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
"""A hash that stands for no package of the world."""
PLANT = "wrong h1 right zh"
"""The lock file that holds it."""


def existing(case: str, address: str) -> tuple[str, ...]:
    """The hashes that a lock file held before the command, in its order."""
    named = {name: hash_ for hash_, name in true_hashes(address.rpartition("/")[2]).items()}
    zips = sorted(hash_ for name, hash_ in named.items() if name.endswith(" zh"))
    this_h1, this_zh = named["linux_amd64 h1"], named["linux_amd64 zh"]
    other_h1, other_zh = named["windows_amd64 h1"], named["windows_amd64 zh"]
    return {
        "both": (this_h1, *zips),
        "h1 only": (this_h1,),
        "zh only": tuple(zips),
        "this zh only": (this_zh,),
        "other platform h1": (other_h1,),
        "other platform both": (other_h1, other_zh),
        "none": (),
        PLANT: (PLANTED, this_zh),
        "unknown scheme": ("h9:abc",),
    }[case]
