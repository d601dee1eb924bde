"""What is told of a signature over approvals: its own code, and as loud as it is."""

from __future__ import annotations

from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.approvals.model import Approvals
from lockwarden.core.document_signatures.allowed_signers import AllowedSigners, VoidLine
from lockwarden.core.policy.model import Policy
from lockwarden.core.review.approvals_signature_problems import signature_problems, signed_note, unsigned_warning
from lockwarden.core.review.document_verdicts import DocumentVerdict
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signature_schemes import EvidenceState, SignatureScheme

APPROVALS = Approvals(path="approvals.hcl")
GOOD = DocumentVerdict(
    state=EvidenceState.GOOD, scheme=SignatureScheme.SSHSIG, signer="SHA256:lbms", owner="Ada", serial=7
)
PLAIN = Policy(path=".lockwarden.hcl")


def told(verdict: DocumentVerdict, policy: Policy = PLAIN) -> list[tuple[str, Severity]]:
    return [(each.code, each.severity) for each in signature_problems(verdict, APPROVALS, policy)]


def test_of_a_good_one_nothing_is_told_unless_the_file_is_an_older_one() -> None:
    assert told(GOOD) == []
    assert told(replace(GOOD, replayed="its serial number is not higher")) == [("approvals-replayed", Severity.ERROR)]
    assert told(replace(GOOD, age_unknown="nobody knows")) == [("approvals-age-unknown", Severity.WARNING)]


@table(
    ("state", "code", "severity"),
    [
        (EvidenceState.BAD, "approvals-signature-bad", Severity.ERROR),
        (EvidenceState.MALFORMED, "approvals-signature-unusable", Severity.ERROR),
        (EvidenceState.SOMETHING_ELSE, "approvals-signature-unusable", Severity.ERROR),
        (EvidenceState.UNSUPPORTED, "approvals-signature-unsupported", Severity.WARNING),
        (EvidenceState.NO_KNOWN_KEY, "approvals-signer-unknown", Severity.NOTE),
        (EvidenceState.KEY_REVOKED, "approvals-signer-not-valid", Severity.ERROR),
        (EvidenceState.KEY_EXPIRED, "approvals-signer-not-valid", Severity.WARNING),
        (EvidenceState.KEY_NOT_YET_VALID, "approvals-signer-not-valid", Severity.WARNING),
    ],
)
def test_each_state_has_its_own_words(state: EvidenceState, code: str, severity: Severity) -> None:
    (problem,) = signature_problems(replace(GOOD, state=state, detail="so it is"), APPROVALS, PLAIN)
    assert (problem.code, problem.severity) == (code, severity)
    assert problem.message.endswith("approvals.hcl by Ada (SHA256:lbms): so it is")
    nobody = DocumentVerdict(state=state, detail="so it is")
    (problem,) = signature_problems(nobody, Approvals(), PLAIN)
    assert problem.message.endswith(".lockwarden/approvals.hcl: so it is")


def test_lines_that_might_have_let_it_count_are_told_where_it_does_not() -> None:
    void = tuple(VoidLine(line, "it has no key") for line in range(1, 6))
    listing = Policy(path="p", allowed_signers=AllowedSigners(path="keys/allowed", void=void))
    assert told(GOOD, listing) == []
    *_, problem = signature_problems(replace(GOOD, state=EvidenceState.NO_KNOWN_KEY), APPROVALS, listing)
    assert problem.code == "allowed-signers-void"
    assert "line 3: it has no key; and 2 more" in problem.message
    few = replace(listing, allowed_signers=AllowedSigners(path="keys/allowed", void=void[:1]))
    *_, problem = signature_problems(replace(GOOD, state=EvidenceState.NO_KNOWN_KEY), APPROVALS, few)
    assert problem.message.endswith("line 1: it has no key")


def test_what_counts_and_what_does_not_is_told() -> None:
    note = signed_note(replace(GOOD, owner=""), APPROVALS, "main")
    assert "is signed by SHA256:lbms, serial 7, and the policy of main" in note.message
    strict = Policy(path="strict.hcl", approvals_signed=True)
    for policy in (strict, replace(PLAIN, also=(strict,))):
        assert (
            "2 records in approvals.hcl count for nothing: strict.hcl" in unsigned_warning(APPROVALS, 2, policy).message
        )
    assert "1 record in" in unsigned_warning(APPROVALS, 1, strict).message
