"""What a signature over approvals is worth: each state, and for which records it counts."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders.document_signing import NAMESPACE, Minisigner, Signer, ed25519, every_kind, security_key
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.approvals.model import Approvals
from lockwarden.core.approvals.read import read_approvals
from lockwarden.core.policy.model import NO_POLICY, Policy, together
from lockwarden.core.policy.read import read_policy
from lockwarden.core.review.document_verdicts import DocumentVerdict
from lockwarden.core.review.signed_approvals import judge_signature
from lockwarden.core.values.signature_schemes import EvidenceState

ADA, EVE = ed25519(), ed25519(bytes(32))
NOW = datetime(2026, 6, 1, tzinfo=UTC)
HOST = "registry.example.test"


def record(name: str = "acme/widget") -> str:
    return (
        f'approval "{HOST}/{name}" {{\n  version = "1.2.3"\n'
        '  hashes = ["h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]\n'
        '  verdict = "unexplained"\n  by = "Ada"\n  at = "2026-05-28T05:00:00Z"\n  reason = "ours"\n}\n'
    )


TEXT = 'document {\n  serial = 7\n  signer = "ada@example.test"\n}\n' + record() + record("other/gadget")
DOCUMENT = TEXT.encode()
APPROVALS = read_approvals(DOCUMENT, path=".lockwarden/approvals.hcl")


def key(signer: Signer | Minisigner = ADA, scheme: str = "sshsig", providers: str = "*/*/*", more: str = "") -> str:
    name = signer.fingerprint if isinstance(signer, Signer) else signer.public
    about = f'  scheme = "{scheme}"\n  owner = "Ada Example"\n  providers = ["{providers}"]\n'
    return f'signing_key "{name}" {{\n{about}{more}}}\n'


def policy(*blocks: str, allowed: str = "") -> Policy:
    text = "".join(blocks)
    return read_policy(
        text.encode(), path=".lockwarden.hcl", folder=Path("/srv"), named_file=lambda _: allowed.encode()
    )


def judged(
    signature: str | bytes | None, *policies: Policy, approvals: Approvals = APPROVALS
) -> tuple[list[bool], DocumentVerdict | None]:
    """For which records the signature counts, and the verdict."""
    given = signature.encode() if isinstance(signature, str) else signature
    marked, verdict = judge_signature(approvals, given, together(policies or [policy(key())]), NOW)
    assert [replace(each, signature=None) for each in marked.records] == list(approvals.records)
    return [each.signature is not None for each in marked.records], verdict


def state(signature: str | bytes, *policies: Policy, approvals: Approvals = APPROVALS) -> tuple[EvidenceState, str]:
    """The state of a signature that must count for nothing, and its detail."""
    counts, verdict = judged(signature, *policies, approvals=approvals)
    assert not any(counts)
    assert verdict is not None
    assert not verdict.counts
    return verdict.state, verdict.detail


def test_without_a_signature_there_is_no_verdict() -> None:
    assert judged(None) == ([False, False], None)


@table("signer", every_kind(), ids=lambda each: each.name)
def test_a_good_one_by_a_key_of_any_kind_that_the_policy_names_counts(signer: Signer) -> None:
    marked, verdict = judge_signature(APPROVALS, signer.over(DOCUMENT).encode(), policy(key(signer)), NOW)
    assert verdict is not None
    assert (verdict.counts, verdict.serial) == (True, 7)
    assert verdict.who == f"Ada Example ({signer.fingerprint})"
    signature = marked.records[0].signature
    assert signature is not None
    assert (signature.scheme, signature.signer, signature.serial) == ("sshsig", signer.fingerprint, 7)
    assert signature.rules == (".lockwarden.hcl line 1",)


def test_it_counts_for_the_providers_of_the_key_alone() -> None:
    counts, verdict = judged(ADA.over(DOCUMENT), policy(key(providers=f"{HOST}/acme/*")))
    assert counts == [True, False]
    assert verdict is not None
    assert verdict.counts


def test_of_several_policies_each_has_to_name_the_key_for_the_provider() -> None:
    one, two = policy(key(providers=f"{HOST}/acme/*")), policy(key(providers=f"{HOST}/other/*"))
    assert judged(ADA.over(DOCUMENT), one, one)[0] == [True, False]
    assert judged(ADA.over(DOCUMENT), one, two)[0] == [False, False]
    assert state(ADA.over(DOCUMENT), one, policy(key(EVE)))[0] is EvidenceState.NO_KNOWN_KEY
    assert state(ADA.over(DOCUMENT), NO_POLICY) == (EvidenceState.NO_KNOWN_KEY, "no policy does not name the key")


def test_a_key_that_the_policy_does_not_name_for_this_scheme_does_not_count() -> None:
    assert state(EVE.over(DOCUMENT))[0] is EvidenceState.NO_KNOWN_KEY
    other = policy(key(Minisigner(), "minisign"), key(Minisigner(), "signify"))
    assert state(ADA.over(DOCUMENT), other)[0] is EvidenceState.NO_KNOWN_KEY


def test_a_signature_over_another_file_is_bad() -> None:
    assert state(ADA.over(DOCUMENT + b" "))[0] is EvidenceState.BAD
    changed = read_approvals(DOCUMENT.replace(b"1.2.3", b"1.2.4"), path="p")
    assert state(ADA.over(DOCUMENT), approvals=changed)[0] is EvidenceState.BAD


def test_a_signature_for_something_else_is_none_of_approvals() -> None:
    found, why = state(ADA.over(DOCUMENT, namespace="git"))
    assert found is EvidenceState.SOMETHING_ELSE
    assert "“git”" in why


@table("signature", [b"", b"\xff", "hello", "-----BEGIN SSH SIGNATURE-----\n", ADA.over(DOCUMENT)[:-9]])
def test_what_is_no_signature_is_malformed(signature: str | bytes) -> None:
    assert state(signature)[0] is EvidenceState.MALFORMED


def test_what_cannot_be_verified_is_named() -> None:
    certificate = ADA.over(DOCUMENT)
    signer = replace(ADA, blob=b"\0\0\0\x20ssh-ed25519-cert-v01@openssh.com" + ADA.blob[15:])
    assert state(signer.over(DOCUMENT)) == (
        EvidenceState.UNSUPPORTED,
        "it is an SSH certificate, and certificates are not verified",
    )
    untouched = security_key("sk-ssh-ed25519@openssh.com", flags=0)
    found, why = state(untouched.over(DOCUMENT), policy(key(untouched)))
    assert (found, "nobody touched" in why) == (EvidenceState.UNSUPPORTED, True)
    assert certificate


def test_a_key_past_its_end_or_revoked_does_not_count_whoever_else_names_it() -> None:
    over = policy(key(more='  not_after = "2026-05-31T00:00:00Z"\n'))
    found, why = state(ADA.over(DOCUMENT), over)
    assert (found, "until 2026-05-31" in why) == (EvidenceState.KEY_EXPIRED, True)
    assert judged(ADA.over(DOCUMENT), policy(key(more='  not_after = "2026-06-01T00:00:00Z"\n')))[0] == [True, True]
    longer = policy(key(more='  not_after = "2026-05-31T00:00:00Z"\n'), key(providers=f"{HOST}/acme/*"))
    assert judged(ADA.over(DOCUMENT), longer)[0] == [True, False]
    revoked = policy(key(), f'approvals {{\n  revoked = ["{ADA.fingerprint}"]\n}}\n')
    assert state(ADA.over(DOCUMENT), revoked)[0] is EvidenceState.KEY_REVOKED


LISTED = 'approvals {\n  allowed_signers = "keys/allowed"\n}\n'


def listing(*lines: str) -> Policy:
    return policy(LISTED, allowed="".join(f"{line}\n" for line in lines))


def test_a_line_of_the_list_lets_the_signer_that_it_names_sign_for_every_provider() -> None:
    line = f'*@example.test namespaces="{NAMESPACE}" {ADA.public}'
    counts, verdict = judged(ADA.over(DOCUMENT), listing("# ours", line))
    assert counts == [True, True]
    assert verdict is not None
    assert (verdict.owner, verdict.signer) == ("ada@example.test", ADA.fingerprint)


@table(
    ("line", "expected", "why"),
    [
        (f"ada@example.test {ADA.public}", EvidenceState.NO_KNOWN_KEY, "and not the namespace"),
        (f'ada@example.test namespaces="git" {ADA.public}', EvidenceState.NO_KNOWN_KEY, "and not the namespace"),
        (f'bob@example.test namespaces="{NAMESPACE}" {ADA.public}', EvidenceState.NO_KNOWN_KEY, "“ada@example.test”"),
        (
            f'ada@example.test namespaces="{NAMESPACE}" {EVE.public}',
            EvidenceState.NO_KNOWN_KEY,
            "does not name the key",
        ),
        (
            f'ada@example.test namespaces="{NAMESPACE}",valid-after="20260701Z" {ADA.public}',
            EvidenceState.KEY_NOT_YET_VALID,
            "from 2026-07-01 on",
        ),
        (
            f'ada@example.test namespaces="{NAMESPACE}",valid-before="20260501Z" {ADA.public}',
            EvidenceState.KEY_EXPIRED,
            "until 2026-05-01",
        ),
        (
            f'ada@example.test cert-authority,namespaces="{NAMESPACE}" {ADA.public}',
            EvidenceState.NO_KNOWN_KEY,
            "does not name the key",
        ),
    ],
)
def test_a_line_that_does_not_let_sign_says_why(line: str, expected: EvidenceState, why: str) -> None:
    found, detail = state(ADA.over(DOCUMENT), listing(line))
    assert found is expected
    assert why in detail


def test_a_file_that_does_not_say_who_signs_it_is_signed_by_nobody_of_the_list() -> None:
    data = DOCUMENT.replace(b'  signer = "ada@example.test"\n', b"")
    line = f'* namespaces="{NAMESPACE}" {ADA.public}'
    _, why = state(ADA.over(data), listing(line), approvals=read_approvals(data, path="p"))
    assert "who signs, which the file does not say" in why


def test_a_file_without_a_serial_number_could_be_of_any_age() -> None:
    data = record().encode()
    found, why = state(ADA.over(data), approvals=read_approvals(data, path="p"))
    assert (found, "no serial number" in why) == (EvidenceState.SOMETHING_ELSE, True)


OURS = Minisigner()


@pytest.mark.parametrize(
    ("scheme", "text"), [("minisign", OURS.over(DOCUMENT)), ("signify", OURS.by_signify(DOCUMENT))]
)
def test_minisign_and_signify_count_by_the_whole_key_and_in_their_own_form(scheme: str, text: str) -> None:
    counts, verdict = judged(text, policy(key(OURS, scheme)))
    assert counts == [True, True]
    assert verdict is not None
    assert (verdict.scheme, verdict.signer) == (scheme, OURS.public)
    other = "signify" if scheme == "minisign" else "minisign"
    assert state(text, policy(key(OURS, other)))[0] is EvidenceState.NO_KNOWN_KEY


def test_the_same_id_with_another_key_is_bad_and_another_id_is_not_known() -> None:
    found, why = state(OURS.over(DOCUMENT), policy(key(Minisigner(bytes(32)), "minisign")))
    assert (found, "which has its ID" in why) == (EvidenceState.BAD, True)
    counts, verdict = judged(OURS.over(DOCUMENT), policy(key(Minisigner(id=bytes(8)), "minisign")))
    assert not any(counts)
    assert verdict is not None
    assert (verdict.state, verdict.who) == (EvidenceState.NO_KNOWN_KEY, "a key with the ID 0706050403020100")
    both = policy(key(Minisigner(bytes(32)), "minisign"), key(OURS, "minisign"))
    assert judged(OURS.over(DOCUMENT), both)[0] == [True, True]


def test_a_changed_trusted_comment_or_an_end_makes_minisign_count_for_nothing() -> None:
    text = OURS.over(DOCUMENT, comment="serial 7").replace("serial 7", "serial 8")
    assert state(text, policy(key(OURS, "minisign")))[0] is EvidenceState.BAD
    ended = policy(key(OURS, "minisign", more='  not_after = "2026-05-31T00:00:00Z"\n'))
    assert state(OURS.over(DOCUMENT), ended)[0] is EvidenceState.KEY_EXPIRED
    revoked = policy(key(OURS, "minisign"), f'approvals {{\n  revoked = ["{OURS.public}"]\n}}\n')
    counts, verdict = judged(OURS.over(DOCUMENT), revoked)
    assert not any(counts)
    assert verdict is not None
    assert (verdict.state, verdict.signer) == (EvidenceState.KEY_REVOKED, OURS.public)
