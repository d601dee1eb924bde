"""Recorded approvals: they accept exactly the hashes that they name, for as long as they say, and nothing else."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from builders.audits import ADDRESS, DARWIN, FINGERPRINT, LINUX, VERSION, audit, h1, origin_with, zh
from builders.policies import STRANGER, TODAY, approval, key, policy, requirement, signed_by
from builders.reading import SECOND_READER
from builders.reviews import review
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.approvals.model import NO_APPROVALS, Approval, Approvals, ApprovalSignature
from lockwarden.core.policy.model import NO_POLICY, Policy
from lockwarden.core.review.decisions import Decision
from lockwarden.core.review.document_verdicts import DocumentVerdict
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.other_signings import signings_in_run
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.sentences import Tone
from lockwarden.core.review.standards import StandardFile, Standards
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.signature_schemes import EvidenceState, SignatureScheme
from lockwarden.core.values.versions import Version

STRANGE = h1("built in house")
OWN = (h1("linux_amd64"), zh("linux_amd64"))
YESTERDAY, TOMORROW = TODAY - timedelta(days=1), TODAY + timedelta(days=1)


def held(*locked: Hash, records: tuple[Approval, ...], rules: Policy = NO_POLICY, authenticated: bool = True) -> Review:
    standards = Standards(policy=rules, approvals=Approvals(records=records), today=TODAY)
    return review(locked, audit(origin_with(LINUX, authenticated=authenticated)), standards=standards)


def row_of(done: Review, hash_: Hash) -> HashRow:
    return next(row for row in done.providers[0].rows if row.hash == hash_)


class TestWhichRecordHolds:
    @table(("until", "holds"), [(None, True), (TOMORROW, True), (TODAY, True), (YESTERDAY, False)])
    def test_a_record_holds_through_its_last_day(self, until: date | None, holds: bool) -> None:
        assert approval(STRANGE, until=until).holds(TODAY) is holds

    def test_a_record_without_a_last_day_holds_for_a_year(self) -> None:
        record = approval(STRANGE, until=None)
        last = record.at.date() + timedelta(days=365)
        assert record.ends == last
        assert record.holds(last)
        assert not record.holds(last + timedelta(days=1))
        assert replace(record, at=datetime(9999, 5, 20, tzinfo=UTC)).ends == date.max

    @table(("ahead", "holds"), [(1, True), (2, False), (3000, False)])
    def test_a_record_does_not_hold_before_the_day_on_which_it_claims_to_be_made(self, ahead: int, holds: bool) -> None:
        made = datetime(TODAY.year, TODAY.month, TODAY.day, 23, tzinfo=UTC) + timedelta(days=ahead)
        record = replace(approval(STRANGE, until=None), at=made)
        assert record.holds(TODAY) is holds
        row = row_of(held(STRANGE, records=(record,)), STRANGE)
        assert (row.approval is record) is holds
        told = " ".join(each.text for each in row.reasons)
        assert ("which is still to come, and does not count" in told) is not holds
        assert "held until" not in told

    def test_one_for_exactly_this_hash_of_exactly_this_version_of_exactly_this_provider(self) -> None:
        known = Approvals(records=(approval(STRANGE, OWN[0]),))
        assert known.of(ADDRESS, VERSION, STRANGE, today=TODAY) is known.records[0]
        assert known.of(ADDRESS, VERSION, OWN[1], today=TODAY) is None
        assert known.of(ADDRESS, Version.parse("1.2.4"), STRANGE, today=TODAY) is None
        assert known.of(ADDRESS, Version.parse("1.2.3+other"), STRANGE, today=TODAY) is None
        assert known.of(ProviderAddress.parse("acme/widget"), VERSION, STRANGE, today=TODAY) is None

    def test_one_other_character_is_another_hash(self) -> None:
        known = Approvals(records=(approval(zh("a")),))
        text = zh("a").text
        assert known.of(ADDRESS, VERSION, Hash(text[:-1] + ("0" if text[-1] != "0" else "1")), today=TODAY) is None

    def test_the_first_that_holds_is_taken(self) -> None:
        records = (approval(STRANGE, until=YESTERDAY, line=1), approval(STRANGE, line=9), approval(STRANGE, line=17))
        assert Approvals(records=records).of(ADDRESS, VERSION, STRANGE, today=TODAY) is records[1]

    def test_expired_is_the_last_record_when_none_holds(self) -> None:
        older, newer = approval(STRANGE, until=YESTERDAY, line=1), approval(STRANGE, until=YESTERDAY, line=9)
        known = Approvals(records=(older, newer))
        assert known.expired(ADDRESS, VERSION, STRANGE, today=TODAY) is newer
        assert Approvals(records=(older, approval(STRANGE))).expired(ADDRESS, VERSION, STRANGE, today=TODAY) is None
        assert known.expired(ADDRESS, VERSION, zh("other"), today=TODAY) is None
        assert NO_APPROVALS.expired(ADDRESS, VERSION, STRANGE, today=TODAY) is None

    def test_a_record_is_called_by_its_file_and_line(self) -> None:
        assert str(approval(STRANGE, line=4)) == ".lockwarden/approvals.hcl line 4"


class TestWhatItAccepts:
    def test_an_unexplained_hash_stays_unexplained_and_no_longer_objects_and_who_said_so_comes_first(self) -> None:
        done = held(*OWN, STRANGE, records=(approval(STRANGE, until=TOMORROW),))
        row = row_of(done, STRANGE)
        assert (row.verdict, row.objects) == (Verdict.UNEXPLAINED, False)
        assert row.reasons[0].tone is Tone.FOR
        assert row.reasons[0].text == (
            "approved by Ann <ann@example.test> on 2026-05-20, until 2026-06-02: built in house"
        )
        assert row.reasons[0].evidence == (".lockwarden/approvals.hcl line 1",)
        assert Tone.ADVICE not in {each.tone for each in row.reasons}
        assert done.exit_code is ExitCode.NOTHING_TO_OBJECT
        assert done.providers[0].approved == 1

    def test_without_an_end_the_year_is_told(self) -> None:
        done = held(STRANGE, records=(approval(STRANGE),))
        assert (
            row_of(done, STRANGE)
            .reasons[0]
            .text.startswith("approved by Ann <ann@example.test> on 2026-05-20, until 2027-05-20: ")
        )

    def test_one_hash_of_two_leaves_the_other_a_finding(self) -> None:
        done = held(STRANGE, h1("second"), records=(approval(STRANGE),))
        assert [row_of(done, each).objects for each in (STRANGE, h1("second"))] == [False, True]
        assert done.exit_code is ExitCode.FINDINGS

    def test_a_disowned_hash_is_never_accepted_and_the_row_says_so(self) -> None:
        done = held(zh("planted"), records=(approval(zh("planted")),))
        row = row_of(done, zh("planted"))
        assert (row.verdict, row.objects) == (Verdict.DISOWNED, True)
        assert row.reasons[0].tone is Tone.AGAINST
        assert "what the origin disowns is never accepted" in row.reasons[-1].text
        assert not any(reason.tone is Tone.FOR for reason in row.reasons)
        assert done.exit_code is ExitCode.FINDINGS
        assert done.providers[0].approved == 0

    def test_an_expired_record_accepts_nothing_and_is_told(self) -> None:
        done = held(STRANGE, records=(approval(STRANGE, until=YESTERDAY),))
        assert row_of(done, STRANGE).objects
        assert "held until 2026-05-31 and no longer counts" in row_of(done, STRANGE).reasons[-1].text
        assert done.exit_code is ExitCode.FINDINGS

    def test_another_version_accepts_nothing(self) -> None:
        done = held(STRANGE, records=(approval(STRANGE, version=Version.parse("1.2.2")),))
        assert done.exit_code is ExitCode.FINDINGS

    def test_an_unchecked_hash_stays_incomplete(self) -> None:
        standards = Standards(approvals=Approvals(records=(approval(STRANGE),)), today=TODAY)
        assert review((STRANGE,), standards=standards).exit_code is ExitCode.INCOMPLETE

    def test_a_confirmed_hash_is_told_of_and_counts_as_no_approved_finding(self) -> None:
        done = held(*OWN, records=(approval(OWN[0]),))
        assert row_of(done, OWN[0]).approval is not None
        assert done.providers[0].approved == 0

    def test_a_hash_that_is_not_locked_has_no_approval(self) -> None:
        done = held(OWN[0], records=(approval(OWN[1]),))
        row = row_of(done, OWN[1])
        assert (row.locked, row.approval) == (False, None)

    def test_it_decides_nothing_and_suggests_nothing(self) -> None:
        done = held(*OWN, STRANGE, records=(approval(STRANGE),))
        assert done.decision(done.providers[0], row_of(done, STRANGE)) is Decision.UNDECIDED
        assert done.suggested(done.providers) == ()
        assert done.next_lock_file(SECOND_READER) == done.lock_file.data

    def test_it_takes_nothing_from_the_key_change_alarm(self) -> None:
        known = audit(signed_by(STRANGER, downloaded=[LINUX]))
        standards = Standards(
            policy=policy(key(FINGERPRINT)), approvals=Approvals(records=(approval(*OWN),)), today=TODAY
        )
        done = review(OWN, known, standards=standards)
        assert not any(row.objects for row in done.providers[0].rows)
        assert done.providers[0].alarmed
        assert done.exit_code is ExitCode.FINDINGS

    def test_it_takes_nothing_from_other_requirements(self) -> None:
        rules = policy(requirement(schemes=["zh"]))
        done = held(OWN[0], STRANGE, records=(approval(OWN[0], STRANGE),), rules=rules)
        assert done.exit_code is ExitCode.FINDINGS

    def test_an_unsigned_hash_is_accepted_where_a_signature_is_required(self) -> None:
        rules = policy(requirement(signed=True))
        assert held(*OWN, records=(), rules=rules, authenticated=False).exit_code is ExitCode.FINDINGS
        done = held(*OWN, records=(approval(*OWN),), rules=rules, authenticated=False)
        assert done.exit_code is ExitCode.NOTHING_TO_OBJECT


SIGNATURE = ApprovalSignature(
    scheme=SignatureScheme.SSHSIG, signer="SHA256:lbms", owner="Ada", serial=7, rules=(".lockwarden.hcl line 3",)
)


class TestSignedRecords:
    def test_who_signed_a_record_is_told_beside_who_says_so_and_is_among_the_hashs_signers(self) -> None:
        done = held(STRANGE, records=(replace(approval(STRANGE), signature=SIGNATURE),))
        row = row_of(done, STRANGE)
        told = next(each for each in row.reasons if "signed by" in each.text)
        assert (told.tone, told.evidence) == (Tone.FOR, (".lockwarden.hcl line 3",))
        assert "Ada (SHA256:lbms), sshsig, serial 7" in told.text
        assert [each.name for each in row.disposition.signed_otherwise_by] == ["SHA256:lbms"]
        assert row.disposition.signed_by_fingerprints == frozenset()
        assert row.verdict is Verdict.UNEXPLAINED
        assert done.exit_code is ExitCode.NOTHING_TO_OBJECT

    def test_a_record_for_another_platform_than_the_hash_is_known_to_be_of_does_not_help(self) -> None:
        rules = policy(requirement(signed=True))
        for platform, code in ((DARWIN, ExitCode.FINDINGS), (LINUX, ExitCode.NOTHING_TO_OBJECT)):
            records = (replace(approval(*OWN), platform=platform),)
            done = held(*OWN, records=records, rules=rules, authenticated=False)
            assert done.exit_code is code, platform


class TestRequiredSignatures:
    RULES = policy(replace(requirement(), signatures=frozenset({SignatureScheme.SSHSIG})))

    def codes(self, *locked: Hash, records: tuple[Approval, ...]) -> list[str]:
        return [each.code for each in held(*locked, records=records, rules=self.RULES).providers[0].problems]

    def test_every_locked_hash_has_to_stand_in_a_record_under_a_signature_of_the_scheme(self) -> None:
        signed = replace(approval(*OWN), signature=SIGNATURE)
        assert "signature-required" not in self.codes(*OWN, records=(signed,))
        assert "signature-required" in self.codes(*OWN, records=())
        assert "signature-required" in self.codes(*OWN, records=(approval(*OWN),)), "nobody signed it"
        other = replace(signed, signature=replace(SIGNATURE, scheme=SignatureScheme.MINISIGN))
        assert "signature-required" in self.codes(*OWN, records=(other,))
        assert "signature-required" in self.codes(*OWN, STRANGE, records=(signed, approval(STRANGE)))
        assert "signature-required" not in self.codes(
            *OWN, STRANGE, records=(signed, replace(approval(STRANGE), signature=SIGNATURE))
        )

    def test_the_record_of_an_archive_covers_what_was_computed_from_it(self) -> None:
        signed = replace(approval(OWN[1]), signature=SIGNATURE)
        assert "signature-required" not in self.codes(*OWN, records=(signed,))
        other = replace(approval(OWN[0]), signature=SIGNATURE)
        assert "signature-required" in self.codes(*OWN, records=(other,))

    def test_where_nothing_could_be_covered_the_requirement_is_not_met(self) -> None:
        done = held(STRANGE, records=(), rules=self.RULES)
        (problem,) = (each for each in done.providers[0].problems if each.code == "signature-required")
        assert "covers any locked hash" in problem.message
        assert "approve-sign" in problem.hint

    def test_the_signatures_over_approvals_are_among_those_of_the_run(self) -> None:
        signed = replace(approval(*OWN), signature=SIGNATURE)
        done = held(*OWN, records=(signed, replace(signed, hashes=frozenset({STRANGE})), approval(STRANGE)))
        verdict = DocumentVerdict(state=EvidenceState.GOOD, signer=SIGNATURE.signer, serial=SIGNATURE.serial)
        file = StandardFile(path="approvals.hcl", digest="ab" * 32, signature=verdict)
        plain = StandardFile(path="approvals.hcl", digest="cd" * 32)
        (signing,) = signings_in_run([done.with_standards(replace(done.standards, approval_files=(plain, file)))])
        assert signing.hashes == {*OWN, STRANGE}
        assert signing.signature.counts
        assert (signing.signature.document.kind, signing.signature.document.digest) == (
            "approvals",
            f"sha256:{'ab' * 32}",
        )
        assert signing.signature.signer.name == "SHA256:lbms"
        waiting = Review.start(done.lock_file, settings=done.settings, platforms=[LINUX], standards=done.standards)
        assert [each.source for each in signings_in_run([waiting])] == [signed.path], "also before any audit has ended"
        gone = replace(signed, until=YESTERDAY)
        other = replace(signed, version=Version.parse("9.9.9"))
        assert signings_in_run([held(*OWN, records=(gone, other))]) == ()
