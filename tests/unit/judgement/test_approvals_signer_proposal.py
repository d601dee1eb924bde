"""Whose signature over approvals `init` proposes: in comments alone, for what the records speak of."""

from __future__ import annotations

from pathlib import Path

from builders.audits import h1
from builders.standards import approval
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.approvals.model import Approvals
from lockwarden.core.policy.read import read_policy
from lockwarden.core.review.document_verdicts import DocumentVerdict
from lockwarden.core.review.signers_proposal import signer_proposal
from lockwarden.core.values.signature_schemes import EvidenceState, SignatureScheme

FINGERPRINT = "SHA256:lbmsoA0yIEcEiVDRnMWuzm+nV+3ZEEpVIURqFoeSspg"
UNNAMED = DocumentVerdict(state=EvidenceState.NO_KNOWN_KEY, scheme=SignatureScheme.SSHSIG, signer=FINGERPRINT)
APPROVALS = Approvals(path=".lockwarden/approvals.hcl", records=(approval(h1("a")),), signer="ada@example.test")


def test_it_is_a_comment_that_trusts_nobody_and_a_rule_once_its_marks_are_gone() -> None:
    text = signer_proposal(APPROVALS, (UNNAMED, None, UNNAMED)).decode()
    assert all(line.startswith("#") for line in text.splitlines())
    assert "under the name ada@example.test" in text
    nobody = read_policy(text.encode(), path="p", folder=Path("/srv"))
    assert (nobody.other_keys, nobody.keys) == ((), ())
    block = text[text.index("# signing_key") :].replace("# ", "").replace("#", "")
    (key,) = read_policy(block.encode(), path="p", folder=Path("/srv")).other_keys
    assert (key.fingerprint, key.owner) == (FINGERPRINT, "ada@example.test")
    assert [each.text for each in key.providers] == [str(APPROVALS.records[0].address)]


def test_a_file_without_records_and_without_a_name_is_proposed_for_every_provider() -> None:
    text = signer_proposal(replace(APPROVALS, records=(), signer=""), (UNNAMED,)).decode()
    assert 'providers = ["*/*/*"]' in text
    assert "owner" not in text


@table(
    "verdict",
    [
        None,
        replace(UNNAMED, state=EvidenceState.BAD),
        replace(UNNAMED, state=EvidenceState.GOOD),
        replace(UNNAMED, scheme=SignatureScheme.MINISIGN),
    ],
)
def test_of_anything_else_there_is_nothing_to_propose(verdict: DocumentVerdict | None) -> None:
    assert signer_proposal(APPROVALS, (verdict,)) == b""
