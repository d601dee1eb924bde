"""Joins two lists of what an installation consists of: sbom.py REQUIREMENTS.json ENVIRONMENT.json > SBOM.json

The requirements know the digest of each package, the environment where they are installed knows licences and which
package needs which. Both are CycloneDX. A package that only one of them has ends this with an error.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def joined(requirements: dict[str, Any], environment: dict[str, Any]) -> dict[str, Any]:
    """The environment's list with the digests of the requirements' one.

    Raises ValueError where they are not lists of the same packages.
    """
    digests = {_package(each): each.get("externalReferences", []) for each in requirements["components"]}
    installed = {_package(each) for each in environment["components"]}
    if differing := set(digests) ^ installed:
        raise ValueError(f"only one of the lists has: {', '.join(sorted(map('=='.join, differing)))}")
    for each in environment["components"]:
        each["externalReferences"] = digests[_package(each)]
    return environment


def _package(component: dict[str, Any]) -> tuple[str, str]:
    return component["name"].lower().replace("_", "-").replace(".", "-"), component["version"]


if __name__ == "__main__":
    lists = [json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:3]]
    json.dump(joined(*lists), sys.stdout, indent=2)
    sys.stdout.write("\n")
