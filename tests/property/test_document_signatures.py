"""Laws of signatures over documents: no changed byte counts, and nothing hostile ends in anything but a state."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from builders.document_signing import Minisigner, every_kind
from builders.thorough import with_fewer_examples
from hypothesis import given
from hypothesis import strategies as st

from lockwarden.core.approvals.read import read_approvals
from lockwarden.core.document_signatures.allowed_signers import matches, read_allowed_signers
from lockwarden.core.document_signatures.faults import MalformedError, UnsupportedError
from lockwarden.core.document_signatures.ssh_signature import read_ssh_blob
from lockwarden.core.policy.read import read_policy
from lockwarden.core.review.signed_approvals import judge_signature

TEXT = """document {
  serial = 7
}
approval "registry.example.test/acme/widget" {
  version = "1.2.3"
  hashes  = ["h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]
  verdict = "unexplained"
  by      = "Ada"
  at      = "2026-05-28T05:00:00Z"
  reason  = "ours"
}
"""
APPROVALS = read_approvals(TEXT.encode(), path="approvals.hcl")
OURS = Minisigner()
KEYS = [(each.fingerprint, "sshsig") for each in every_kind()] + [(OURS.public, "minisign"), (OURS.public, "signify")]
POLICY = read_policy(
    "".join(
        f'signing_key "{name}" {{\n  scheme = "{scheme}"\n  providers = ["*/*/*"]\n}}\n'
        for name, scheme in dict.fromkeys(KEYS)
    ).encode(),
    path="policy.hcl",
    folder=Path("/srv"),
)
NOW = datetime(2026, 6, 1, tzinfo=UTC)
SSH = [each.over(TEXT.encode()).encode() for each in every_kind()]
OTHERS = [text.encode() for text in (OURS.over(TEXT.encode()), OURS.by_signify(TEXT.encode()))]


def counts(signature: bytes) -> bool:
    marked, verdict = judge_signature(APPROVALS, signature, POLICY, NOW)
    assert verdict is not None
    assert verdict.counts is any(each.signature for each in marked.records)
    return verdict.counts


def test_as_they_are_all_count() -> None:
    assert all(map(counts, SSH + OTHERS))


@given(st.data())
def test_an_ssh_signature_with_any_byte_changed_never_counts(data: st.DataObject) -> None:
    signature = bytearray(data.draw(st.sampled_from(SSH)))
    place = data.draw(st.integers(0, len(signature) - 1))
    signature[place] = data.draw(st.integers(0, 255).filter(lambda value: value != signature[place]))
    assert not counts(bytes(signature))


@given(st.data())
def test_one_of_minisign_or_signify_never_counts_with_any_byte_changed_that_is_signed(data: st.DataObject) -> None:
    """All but the untrusted comment, which is what its name says."""
    signature = bytearray(data.draw(st.sampled_from(OTHERS)))
    place = data.draw(st.integers(signature.index(b"\n"), len(signature) - 1))
    signature[place] = data.draw(st.integers(0, 255).filter(lambda value: value != signature[place]))
    assert not counts(bytes(signature))


@given(st.data())
def test_a_document_with_any_byte_changed_is_not_the_one_that_was_signed(data: st.DataObject) -> None:
    document = bytearray(TEXT.encode())
    place = data.draw(st.integers(0, len(document) - 1))
    document[place] = data.draw(st.integers(0, 255).filter(lambda value: value != document[place]))
    changed = APPROVALS.__class__(path="p", data=bytes(document), records=APPROVALS.records, serial=7)
    _, verdict = judge_signature(changed, data.draw(st.sampled_from(SSH + OTHERS)), POLICY, NOW)
    assert verdict is not None
    assert not verdict.counts


@given(st.binary(max_size=400))
def test_any_bytes_are_a_state(data: bytes) -> None:
    assert not counts(data)
    for blob in (data, b"SSHSIG\0\0\0\1" + data):
        with suppress(MalformedError, UnsupportedError):
            read_ssh_blob(blob)


PARTS = ["a", "*", "!a", "namespaces=", '"git"', ",", " ", "\t", "\n", "ssh-ed25519", "AAAA", "#", '"', "\\"]
WORDS = st.sampled_from(PARTS)


@with_fewer_examples
@given(st.lists(st.one_of(WORDS, st.text(max_size=4)), max_size=20).map("".join))
def test_any_list_of_allowed_signers_is_read_line_by_line(text: str) -> None:
    found = read_allowed_signers(text.encode("utf-8", "surrogatepass").decode("utf-8", "replace").encode(), path="l")
    lines = [*(each.line for each in found.signers), *(each.line for each in found.void)]
    assert len(set(lines)) == len(lines) <= text.count("\n") + 1


@given(st.text("ab", max_size=8), st.text("ab?*", max_size=8))
def test_a_pattern_means_what_a_regular_expression_of_it_means(text: str, pattern: str) -> None:
    import re

    expression = re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")
    assert matches(text, (pattern,)) is (re.fullmatch(expression, text) is not None)
