"""Signs what lies on a shelf as cosign does, in both layouts, and answers for lists of referrers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from builders.cosign import BUNDLE_TYPE, SIMPLE_TYPE, Private, bundle, layer_annotations, payload, statement, text
from contract.oci.kinds import CONFIG, Json, Shelf, image, index
from servers.https import Respond
from servers.oci_registry import OCI_INDEX, OCI_MANIFEST

from lockwarden.demo.world import Response


def hexadecimal(about: Json) -> str:
    """The digits of a descriptor's digest."""
    return str(about["digest"]).removeprefix("sha256:")


def sign_old(shelf: Shelf, about: Json, *keys: Private, over: bytes | None = None) -> None:
    """One layer a signer under the tag `.sig`."""
    signed = payload(about["digest"]) if over is None else over
    layers = [{**shelf.blob(signed, SIMPLE_TYPE), "annotations": layer_annotations(key, signed)} for key in keys]
    document = image(shelf.blob(b"{}", CONFIG), layers)
    shelf.manifest(document, OCI_MANIFEST, f"sha256-{hexadecimal(about)}.sig")


def sign_new(shelf: Shelf, about: Json, key: Private, **changes: Any) -> Json:
    """A bundle of a key that refers to it; the descriptor that a list of referrers has."""
    return refer(shelf, about, bundle(key, statement(about["digest"])), **changes)


def refer(shelf: Shelf, about: Json, value: Json, **changes: Any) -> Json:
    """The same with any bundle."""
    layer = shelf.blob(text(value), BUNDLE_TYPE)
    subject = {name: about[name] for name in ("mediaType", "digest", "size")}
    document = {**image(shelf.empty(), [layer], BUNDLE_TYPE), "subject": subject, **changes}
    return shelf.manifest(document, OCI_MANIFEST, artifactType=BUNDLE_TYPE)


def list_by_tag(shelf: Shelf, about: Json, *referrers: Json) -> None:
    """The list that pushing clients keep where the registry has no API."""
    shelf.manifest(index(list(referrers), ""), OCI_INDEX, f"sha256-{hexadecimal(about)}")


@dataclass
class WithReferrers:
    """A registry in front of another one that knows the API of referrers."""

    behind: Respond
    listed: Mapping[str, Sequence[Json]] = field(default_factory=dict)
    """Digest → descriptors of its referrers."""
    page: int = 1000
    """Descriptors on one page."""

    def respond(self, host: str, path: str, headers: Mapping[str, str]) -> Response:
        """Answer as such a registry does."""
        bare, _, query = path.partition("?")
        name, found, digest = bare.partition("/referrers/")
        if not found:
            return self.behind(host, path, headers)
        start = int(query.removeprefix("from=") or 0)
        entries = self.listed.get(digest, [])
        body = json.dumps(index(list(entries[start : start + self.page]), "")).encode()
        more = start + self.page < len(entries)
        link = (("Link", f'<{name}/referrers/{digest}?from={start + self.page}>; rel="next"'),) if more else ()
        return Response(headers=(("Content-Type", OCI_INDEX), *link), body=body)
