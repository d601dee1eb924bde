"""Whether gpg works at all, asked only when it said nothing about something from outside.

Newer versions end without a status line for some broken input and for a broken installation alike; a key and a
signature that are known to be good tell the two apart.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Final

from lockwarden.core.signatures.gpg import INSTALL_HINT, BoundedGpg
from lockwarden.core.values.errors import ToolError

FINGERPRINT: Final = "1B151D527F4327562CCD2C2987E44C61DD26E967"
_DOCUMENT: Final = b"Lockwarden\n"
_KEY: Final = base64.b64decode(
    "xjMEZ3SFgBYJKwYBBAHaRw8BAQdAR/j5LSRJ8rwjAgoBtk/EdRajc17G6od2QzpVFAvplSjNFExvY2t3YXJkZW4gc2VsZi10ZXN0"
    "wogEExYKACz/AAAABQJnwk4A/wAAAAIbA/8AAAAWIQQbFR1Sf0MnVizNLCmH5Exh3SbpZwAO/wAAAAkQh+RMYd0m6WddwwD/Xl9Q"
    "Ap8La5E1mM4XhZLN5V2SA0lQheBQZQ0QyJQQuOwBAL2Nx7ukHJz3YMuw8PCdyBz3Zs4naGMOXCSyJbPKdH4M"
)
"""An Ed25519 key made for this one signature; its secret part was never stored."""
_SIGNATURE: Final = base64.b64decode(
    "woEEABYKACX/AAAABQJnwk4A/wAAABYhBBsVHVJ/QydWLM0sKYfkTGHdJulnAA7/AAAACRCH5Exh3SbpZzv+AP0di3DQDC1R6qr/"
    "Xi7e23gPtA/8u7RUrOBKaVIOC++B3wD/UEg0TCgBnizTBvpw6AYpRc9g5pnP2R9pl1iXs+UzgQc="
)


def require_working_gpg(gpg: BoundedGpg, home: Path) -> None:
    """Import the key and verify the signature in `home`, which must be empty and is gpg's home.

    Raises:
        ToolError: gpg cannot even do that.
    """
    imported = any(words[1:2] == [FINGERPRINT] for words in gpg.read_keys(_KEY).values("IMPORT_OK"))
    document = home / "self-test"
    document.write_bytes(_DOCUMENT)
    if not imported or not gpg.check(signature=_SIGNATURE, document=document).has("GOODSIG"):
        raise ToolError("gpg does not work: it cannot verify a signature that is known to be good", hint=INSTALL_HINT)
