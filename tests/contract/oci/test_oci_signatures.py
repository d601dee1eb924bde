"""Signatures beside an index: found in every place where they can be; never absent where nobody could look."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from builders.cosign import DIGEST, ED25519, P256, STRANGER, fingerprint, naming, payload
from builders.mirrors import LINUX, PLAIN, VERSION, zh
from contract.oci.asking import HOST, Asking, Scripted, manifest_response, redirect, refused, without_connection
from contract.oci.kinds import Json, Shelf, image
from contract.oci.providers import NAME
from contract.oci.signed import WithReferrers, hexadecimal, list_by_tag, sign_new, sign_old
from servers.https import Respond
from servers.oci_registry import OCI_INDEX, OCI_MANIFEST, Registry

from lockwarden.core.evidence.observations import OtherSignature
from lockwarden.core.evidence.source_answers import Audit, SourceAnswer
from lockwarden.core.oci import referrers
from lockwarden.core.policy.applied_policy import apply_policy
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signature_schemes import EvidenceState
from lockwarden.demo.responses import Response

API = f"/v2/{NAME}/referrers/"
NOW = datetime(2027, 1, 1, tzinfo=UTC)


@pytest.fixture
def asking() -> Asking:
    return without_connection()


class Signed:
    """A shelf with a provider, to be signed."""

    def __init__(self) -> None:
        self.shelf = Shelf()
        self.index: Json = self.shelf.provider()
        self.scripted = Scripted({NAME: self.shelf})

    @property
    def api(self) -> str:
        return f"{API}{self.index['digest']}"


@pytest.fixture
def signed() -> Signed:
    return Signed()


def asked(asking: Asking, respond: Respond) -> SourceAnswer:
    asking.server.serve(respond)
    return asking.ask(check=False)


def states(answer: SourceAnswer, *keys: object) -> list[str]:
    """Fingerprint and state of each signature under a policy that names these keys."""
    return [f"{each.signer.fingerprint} {each.state}" for each in judged(answer, *keys).other_signatures]


def judged(answer: SourceAnswer, *keys: object) -> SourceAnswer:
    audit = Audit(address=PLAIN, version=VERSION, source_answers=(answer,))
    return apply_policy(naming(*keys), audit, NOW).audit.source_answers[0]  # type: ignore[arg-type]


GOOD = f"{fingerprint(P256)} good"


def test_both_layouts_and_all_places_are_one_list(asking: Asking, signed: Signed) -> None:
    """S1, S2, S7: whatever lies where, and whatever a descriptor says of itself."""
    by_stranger = {**sign_new(signed.shelf, signed.index, STRANGER), "artifactType": ""}
    sign_old(signed.shelf, signed.index, P256, ED25519)
    list_by_tag(signed.shelf, signed.index, sign_new(signed.shelf, signed.index, P256))
    answer = asked(asking, WithReferrers(signed.scripted.respond, {signed.index["digest"]: [by_stranger]}).respond)
    assert states(answer, P256) == [GOOD, " no known key", f"{fingerprint(STRANGER)} no known key", GOOD]
    assert states(answer, P256, ED25519)[:2] == [GOOD, f"{fingerprint(ED25519)} good"]
    places = [each.found_at for each in answer.other_signatures]
    assert places[:2] == [f"the tag sha256-{hexadecimal(signed.index)}.sig"] * 2
    assert places[2].startswith("the registry's list of referrers, manifest sha256:")
    assert places[3].startswith(f"the tag sha256-{hexadecimal(signed.index)}, manifest")
    assert answer.signature_gaps == ()


def test_a_signed_index_leads_to_the_archives_of_every_platform(asking: Asking, signed: Signed) -> None:
    sign_old(signed.shelf, signed.index, P256)
    answer = judged(asked(asking, signed.scripted.respond), P256)
    covered = {
        (str(seen.platform), hash_)
        for hash_, seen in answer.observations
        if isinstance(seen, OtherSignature) and seen.vouches
    }
    assert len(covered) == 3
    assert ("linux_amd64", zh(LINUX)) in covered
    assert {hash_.scheme for _, hash_ in covered} == {"zh"}
    assert not asking.asked("/blobs/sha256:" + zh(LINUX).text[3:])


def test_a_platform_whose_manifest_cannot_be_had_is_incomplete_and_not_unsigned(asking: Asking, signed: Signed) -> None:
    sign_old(signed.shelf, signed.index, P256)
    first = next(iter(signed.shelf.manifests))
    signed.scripted.special[f"/v2/{NAME}/manifests/{first}"] = refused(500, "UNKNOWN")
    answer = asked(asking, signed.scripted.respond)
    assert answer.signature_gaps == ("to which linux_amd64 package the signed index leads could not be read",)
    assert states(answer, P256) == [GOOD]


def test_pages_are_followed(asking: Asking, signed: Signed) -> None:
    listed = [sign_new(signed.shelf, signed.index, key) for key in (STRANGER, P256)]
    answer = asked(asking, WithReferrers(signed.scripted.respond, {signed.index["digest"]: listed}, page=1).respond)
    assert states(answer, P256)[1] == GOOD
    assert len(asking.asked(API)) == 2


WITHOUT_API: dict[str, Response] = {
    "404 text": Response(status=404, body=b"not found"),
    "404 method": refused(404, "METHOD_UNKNOWN"),
    "404 manifest": refused(404, "MANIFEST_UNKNOWN"),
    "404 name": refused(404, "NAME_UNKNOWN"),
    "405": refused(405, "UNSUPPORTED"),
    "406": refused(406, "UNSUPPORTED"),
    "501": Response(status=501),
    "a web page": Response(body=b"<!doctype html><html>", headers=(("Content-Type", "text/html"),)),
    "some JSON": Response.of_json([]),
    "an empty list": manifest_response(OCI_INDEX, b'{"schemaVersion":2,"manifests":[]}'),
    "elsewhere": redirect("https://elsewhere.example.test/web", 303),
    "elsewhere, insecurely": redirect("http://elsewhere.example.test/web", 303),
}
UNASKED: dict[str, Response] = {
    "400": refused(400, "BAD"),
    "401": Response(status=401),
    "403": refused(403, "DENIED"),
    "429": Response(status=429),
    "503": Response(status=503),
}


@pytest.mark.parametrize("answered", WITHOUT_API.values(), ids=WITHOUT_API.keys())
def test_a_registry_without_the_api_is_asked_by_the_tag(asking: Asking, signed: Signed, answered: Response) -> None:
    """S3."""
    list_by_tag(signed.shelf, signed.index, sign_new(signed.shelf, signed.index, P256))
    signed.scripted.special[signed.api] = answered
    elsewhere = lambda host, path, headers: (  # noqa: E731
        signed.scripted.respond(host, path, headers) if host == HOST else Response(body=b"<html>")
    )
    answer = asked(asking, elsewhere)
    assert states(answer, P256) == [GOOD]
    assert answer.signature_gaps == ()


@pytest.mark.parametrize("answered", UNASKED.values(), ids=UNASKED.keys())
def test_where_nobody_could_ask_nothing_is_called_unsigned(asking: Asking, signed: Signed, answered: Response) -> None:
    """S3, S43."""
    signed.scripted.special[signed.api] = answered
    answer = asked(asking, signed.scripted.respond)
    (gap,) = answer.signature_gaps
    assert "list of referrers" in gap
    assert "could not be asked" in gap
    audit = Audit(address=PLAIN, version=VERSION, source_answers=(answer,))
    severities = {
        bool(keys): [each.severity for each in apply_policy(naming(*keys), audit, NOW).problems]
        for keys in ((), (P256,))
    }
    assert severities == {False: [Severity.NOTE], True: [Severity.WARNING]}


def test_what_is_found_elsewhere_stays_where_one_place_cannot_be_asked(asking: Asking, signed: Signed) -> None:
    sign_old(signed.shelf, signed.index, P256)
    signed.scripted.special[signed.api] = refused(400, "BAD")
    answer = asked(asking, signed.scripted.respond)
    assert states(answer, P256) == [GOOD]
    audit = Audit(address=PLAIN, version=VERSION, source_answers=(answer,))
    assert {each.severity for each in apply_policy(naming(P256), audit, NOW).problems} == {Severity.NOTE}


def test_nothing_there_is_nothing(asking: Asking, signed: Signed) -> None:
    answer = asked(asking, WithReferrers(signed.scripted.respond).respond)
    assert (answer.other_signatures, answer.signature_gaps) == ((), ())


@pytest.mark.parametrize("digest", ["sha256:" + "0" * 64, None], ids=["of something else", "of nothing"])
def test_a_referrer_of_something_else_is_an_error_of_the_list_and_its_signature_decides(
    asking: Asking, signed: Signed, digest: str | None
) -> None:
    """S6."""
    subject = None if digest is None else {"mediaType": OCI_INDEX, "digest": digest, "size": 1}
    listed = sign_new(signed.shelf, signed.index, P256, subject=subject)
    answer = asked(asking, WithReferrers(signed.scripted.respond, {signed.index["digest"]: [listed]}).respond)
    assert "and says that it is about" in answer.signature_gaps[0]
    assert states(answer, P256) == [GOOD]


def test_a_copied_signature_is_of_something_else(asking: Asking, signed: Signed) -> None:
    """S8, S40: where it lies says nothing of what it signs."""
    sign_old(signed.shelf, signed.index, P256, over=payload(DIGEST))
    assert states(asked(asking, signed.scripted.respond), P256) == [f"{fingerprint(P256)} of something else"]


@pytest.mark.parametrize("part", ["manifest", "layer"])
def test_what_has_not_its_digest_is_refused(asking: Asking, signed: Signed, part: str) -> None:
    """S5."""
    listed = sign_new(signed.shelf, signed.index, P256)
    if part == "manifest":
        _, body = signed.shelf.manifests[listed["digest"]]
        signed.shelf.manifests[listed["digest"]] = (OCI_MANIFEST, body.replace(b"2", b"3", 1))
    else:
        bundle = next(digest for digest, body in signed.shelf.blobs.items() if b"dsseEnvelope" in body)
        signed.shelf.blobs[bundle] = signed.shelf.blobs[bundle].replace(b"sig", b"gis")
    answer = asked(asking, WithReferrers(signed.scripted.respond, {signed.index["digest"]: [listed]}).respond)
    assert answer.other_signatures == ()
    assert "could not be had" in answer.signature_gaps[0]


def flood(signed: Signed, what: str) -> Respond:
    listed = [sign_new(signed.shelf, signed.index, P256)]
    if what == "referrers":
        listed += [{"mediaType": OCI_INDEX, "digest": f"sha256:{n:064x}", "size": 1} for n in range(900)]
    if what == "entries":
        listed += [{"mediaType": OCI_INDEX, "digest": f"sha256:{n:064x}", "size": 1} for n in range(10_000)]
    if what == "a vast manifest":
        listed.append({"mediaType": OCI_MANIFEST, "digest": f"sha256:{1:064x}", "size": 10**9})
    if what == "a vast layer":
        layer = {"mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json", "digest": f"sha256:{1:064x}"}
        document = image(signed.shelf.empty(), [{**layer, "size": 10**9}])
        listed.append(signed.shelf.manifest({**document, "subject": signed.index}, OCI_MANIFEST))
    if what == "layers":
        sign_old(signed.shelf, signed.index, *[P256] * 70)
    return WithReferrers(signed.scripted.respond, {signed.index["digest"]: listed}, page=100_000).respond


@pytest.mark.parametrize(
    ("what", "limit"),
    [
        ("referrers", "901 referrers"),
        ("entries", "could not be asked"),
        ("a vast manifest", "1000000000 bytes; the limit is 1048576"),
        ("a vast layer", "1000000000 bytes; the limit is 1048576"),
        ("layers", "71 layers with signatures; the limit is 64"),
    ],
)
def test_a_flood_ends_at_a_limit_and_what_was_found_stays(
    asking: Asking, signed: Signed, what: str, limit: str
) -> None:
    """S4."""
    sign_old(signed.shelf, signed.index, P256)
    answer = asked(asking, flood(signed, what))
    assert any(limit in gap for gap in answer.signature_gaps), answer.signature_gaps
    assert GOOD in states(answer, P256)
    assert len(asking.asked("/blobs/")) < 10


def test_a_list_without_end_ends(asking: Asking, signed: Signed, monkeypatch: pytest.MonkeyPatch) -> None:
    """S4."""
    monkeypatch.setattr(referrers, "MAX_PAGES", 3)
    sign_old(signed.shelf, signed.index, P256)
    number = iter(range(1_000))

    def endless(headers: object) -> Response:
        link = f'<{signed.api}?page={next(number)}>; rel="next"'
        return Response(headers=(("Content-Type", OCI_INDEX), ("Link", link)), body=b'{"manifests":[]}')

    signed.scripted.special[signed.api] = endless
    answer = asked(asking, signed.scripted.respond)
    assert "more than 3 pages" in answer.signature_gaps[0]
    assert states(answer, P256) == [GOOD]
    assert len(asking.asked(API)) == 3


@pytest.mark.parametrize("tag", ["", ".sig"])
def test_what_a_tag_leads_to_by_mistake_is_no_list(asking: Asking, signed: Signed, tag: str) -> None:
    wrong = image(signed.shelf.empty(), []) if not tag else {"manifests": [signed.index]}
    signed.shelf.manifest(wrong, OCI_MANIFEST, f"sha256-{hexadecimal(signed.index)}{tag}")
    (gap,) = asked(asking, signed.scripted.respond).signature_gaps
    assert "cannot be read" in gap
    signed.scripted.special[f"/v2/{NAME}/manifests/sha256-{hexadecimal(signed.index)}{tag}"] = refused(403, "DENIED")
    (gap,) = asked(asking, signed.scripted.respond).signature_gaps
    assert "could not be asked for" in gap


def test_a_manifest_that_is_no_image_is_told(asking: Asking, signed: Signed) -> None:
    listed = signed.shelf.manifest({"manifests": [signed.index]}, OCI_MANIFEST)
    answer = asked(asking, WithReferrers(signed.scripted.respond, {signed.index["digest"]: [listed]}).respond)
    assert "cannot be read" in answer.signature_gaps[0]


def test_more_signatures_than_anybody_needs_are_left_out(
    asking: Asking, signed: Signed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lockwarden.core.sources.oci_mirror.signatures.MAX_SIGNATURES", 1)
    sign_old(signed.shelf, signed.index, P256, STRANGER)
    answer = asked(asking, signed.scripted.respond)
    assert (len(answer.other_signatures), "2 signatures over" in answer.signature_gaps[0]) == (1, True)


def test_the_real_registry_keeps_both_layouts_under_tags(asking: Asking, registry: Registry, signed: Signed) -> None:
    sign_old(signed.shelf, signed.index, P256, STRANGER)
    list_by_tag(signed.shelf, signed.index, sign_new(signed.shelf, signed.index, P256))
    signed.shelf.push(registry, "signed/plain")
    asking.server.serve(registry.respond)
    answer = asking.ask(f"{HOST}/signed/{{type}}", check=False)
    assert states(answer, P256) == [GOOD, " no known key", GOOD]
    assert all(each.state is EvidenceState.NO_KNOWN_KEY for each in answer.other_signatures)
    assert answer.signature_gaps == ()
