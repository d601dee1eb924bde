"""When a list of checksums is used, what it says of each hash, and which problems are told."""

from __future__ import annotations

import pytest
from builders.listed_sums import MANIFEST, lines_problems, observations, vouching
from builders.registry_cases import (
    DARWIN,
    DARWIN_FILE,
    DARWIN_ZH,
    LINUX,
    LINUX_FILE,
    LINUX_ZH,
    MAIN_KEY,
    OTHER_KEY,
    OTHER_ZH,
    SUMS,
    judgement,
    signed_sums,
    unsigned_sums,
)
from builders.tables import table

from lockwarden.core.evidence.observations import ReportedByRegistry, SignedBy
from lockwarden.core.sources.registry.signature_problems import signature_problems
from lockwarden.core.sources.registry.signed_sums import SignedSums
from lockwarden.core.sources.registry.sums_observations import (
    left_out_signers,
    most_signers,
    zh_list,
)
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signing_keys import DOES_NOT_FIT, ConclusionKind, SignatureState

ENFORCE_EXPIRATION = ClientSettings(enforce_expiration=True)


def signature_codes(listed: SignedSums) -> dict[str, Severity]:
    return {problem.code: problem.severity for problem in signature_problems(listed, source="direct")}


def test_a_good_signature_makes_every_line_signed_and_reported() -> None:
    listed = signed_sums()
    assert not listed.refused
    assert vouching(listed) == [
        ("1", "signed by"),
        ("1", "reported by registry"),
        ("2", "signed by"),
        ("2", "reported by registry"),
    ]
    first = observations(listed)[0][1]
    assert isinstance(first, SignedBy)
    assert (first.line, first.file_name, first.platform) == (1, LINUX_FILE, LINUX)
    assert (first.fingerprint, first.key_id) == (MAIN_KEY, "A" * 16)
    assert first.document == listed.document
    assert listed.platforms == {LINUX, DARWIN}
    assert listed.signature.conclusion.kind is ConclusionKind.ACCEPTED
    assert not signature_codes(listed)


def test_a_file_that_is_no_package_is_signed_without_a_platform_and_no_problem() -> None:
    listed = signed_sums(f"{SUMS}{'3' * 64}  {MANIFEST}\n{'4' * 64}  LICENSE\n")
    seen = {digit: observation for digit, observation in observations(listed) if isinstance(observation, SignedBy)}
    assert seen["3"].platform is None
    assert seen["3"].file_name == MANIFEST
    assert seen["3"].vouches
    assert seen["4"].vouches
    assert not lines_problems(listed)


@table(
    ("state", "valid_when_signed", "reason", "code"),
    [
        (SignatureState.BAD, True, "its signature is bad", "signature-bad"),
        (SignatureState.REVOKED, True, "signed with a key that was revoked", "signing-key-revoked"),
        (SignatureState.EXPIRED_KEY, False, "key was not valid when it signed", "signed-outside-validity"),
        (SignatureState.EXPIRED_SIGNATURE, False, "not valid when it was made", "signed-outside-validity"),
        (SignatureState.UNKNOWN_ISSUER, False, "none of the offered keys", "signature-unknown-issuer"),
        (SignatureState.UNDECODABLE_KEY, False, "signing key cannot be decoded", "signing-key-undecodable"),
        (SignatureState.UNDECODABLE_SIGNATURE, False, "signature cannot be decoded", "signature-undecodable"),
    ],
)
def test_a_list_that_no_key_stands_behind_is_not_used_at_all(
    state: SignatureState, valid_when_signed: bool, reason: str, code: str
) -> None:
    listed = signed_sums(SUMS, judgement(state, valid_when_signed=valid_when_signed))
    assert reason in listed.refused
    assert vouching(listed) == []
    assert zh_list([listed], complete=True) is None
    assert signature_codes(listed)[code] is Severity.ERROR
    reported = [seen for _, seen in observations(listed) if isinstance(seen, ReportedByRegistry)]
    assert [seen.refused for seen in reported] == [listed.refused] * 2


def test_a_list_without_keys_is_used_unsigned_where_the_client_skips_the_check() -> None:
    listed = unsigned_sums()
    assert not listed.refused
    assert vouching(listed) == [("1", "reported by registry"), ("2", "reported by registry")]
    known = zh_list([listed], complete=True)
    assert known is not None
    assert not known.authenticated
    assert known.signers == frozenset()
    assert signature_codes(listed) == {"signing-skipped": Severity.WARNING}


@pytest.mark.parametrize(
    ("address", "settings"),
    [
        ("example.test", ClientSettings()),
        ("registry.opentofu.org", ClientSettings(enforce_validation=True)),
        ("registry.opentofu.org", ClientSettings(client=Client.TERRAFORM)),
    ],
)
def test_a_list_without_keys_is_not_used_where_the_client_demands_one(address: str, settings: ClientSettings) -> None:
    from lockwarden.core.values.addresses import ProviderAddress

    listed = unsigned_sums(address=ProviderAddress.parse(f"{address}/acme/widget"), settings=settings)
    assert "offers no signing key" in listed.refused
    assert vouching(listed) == []
    assert signature_codes(listed) == {"signing-key-missing": Severity.ERROR}


def test_a_key_that_expired_since_counts_with_a_warning() -> None:
    listed = signed_sums(SUMS, judgement(SignatureState.EXPIRED_KEY))
    assert ("1", "signed by") in vouching(listed)
    assert signature_codes(listed) == {"signing-key-expired": Severity.WARNING}


@pytest.mark.parametrize("state", [SignatureState.EXPIRED_KEY, SignatureState.EXPIRED_SIGNATURE])
def test_a_key_that_expired_since_does_not_count_when_the_settings_enforce_it(state: SignatureState) -> None:
    listed = signed_sums(SUMS, judgement(state), settings=ENFORCE_EXPIRATION)
    assert "expired, which the settings refuse" in listed.refused
    assert vouching(listed) == []
    refused = [seen.refused for _, seen in observations(listed) if isinstance(seen, SignedBy)]
    assert refused == ["the settings refuse what has expired since it was signed"] * 2
    assert signature_codes(listed) == {"signing-key-expired": Severity.ERROR}


def test_an_expired_key_beside_a_good_one_weighs_nothing_even_when_enforced() -> None:
    expired = judgement(SignatureState.EXPIRED_KEY, fingerprint=OTHER_KEY)
    listed = signed_sums(SUMS, expired, judgement(position=1), settings=ENFORCE_EXPIRATION)
    assert not listed.refused
    known = zh_list([listed], complete=True)
    assert known is not None
    assert known.signers == {MAIN_KEY}
    assert signature_codes(listed) == {"signing-key-expired": Severity.WARNING}


def test_a_key_behind_an_undecodable_one_vouches_though_the_client_refuses() -> None:
    listed = signed_sums(SUMS, judgement(SignatureState.UNDECODABLE_KEY, detail="not armour"), judgement(position=1))
    assert not listed.refused
    assert ("1", "signed by") in vouching(listed)
    assert signature_codes(listed) == {
        "signing-key-undecodable": Severity.ERROR,
        "client-refuses-signature": Severity.WARNING,
    }
    told = next(p for p in signature_problems(listed, source="direct") if p.code == "client-refuses-signature")
    assert told.message.startswith("OpenTofu refuses this release because key 1 of those offered ends the search")


def test_an_undecodable_key_behind_the_good_one_is_a_warning() -> None:
    listed = signed_sums(SUMS, judgement(), judgement(SignatureState.UNDECODABLE_KEY, position=1))
    assert signature_codes(listed) == {"signing-key-undecodable": Severity.WARNING}


def test_an_unknown_issuer_is_named_beside_the_keys_that_are_offered() -> None:
    listed = signed_sums(SUMS, judgement(SignatureState.UNKNOWN_ISSUER), issuers=[OTHER_KEY])
    (problem,) = signature_problems(listed, source="direct")
    assert OTHER_KEY in problem.message
    assert MAIN_KEY in problem.message
    nothing = signed_sums(SUMS, judgement(SignatureState.UNDECODABLE_KEY), issuers=[])
    told = {p.code: p.message for p in signature_problems(nothing, source="direct")}
    assert "a key that it does not name" in told[ProblemCode.SIGNATURE_UNKNOWN_ISSUER]
    assert "no key that can be read" in told[ProblemCode.SIGNATURE_UNKNOWN_ISSUER]


def test_a_bad_signature_over_a_list_that_names_its_own_signature_is_explained() -> None:
    edited = f"{SUMS}{'9' * 64}  terraform-provider-widget_1.0.0_SHA256SUMS.sig\n"
    (problem,) = signature_problems(signed_sums(edited, judgement(SignatureState.BAD)), source="direct")
    assert "line 3 lists the signature itself" in problem.message
    assert "changed after it was signed" in problem.message
    (other,) = signature_problems(signed_sums(SUMS, judgement(SignatureState.BAD)), source="direct")
    assert "made over another document" in other.message


def test_a_signature_that_is_bad_for_another_reason_accuses_nobody_of_changing_the_list() -> None:
    edited = f"{SUMS}{'9' * 64}  terraform-provider-widget_1.0.0_SHA256SUMS.sig\n"
    bad = judgement(SignatureState.BAD, detail="it carries a critical notation, which nobody here knows")
    (problem,) = signature_problems(signed_sums(edited, bad), source="direct")
    assert problem.message.endswith("is bad: it carries a critical notation, which nobody here knows")
    (same,) = signature_problems(signed_sums(SUMS, judgement(SignatureState.BAD, detail=DOES_NOT_FIT)), source="direct")
    assert "made over another document" in same.message


def test_a_revocation_is_told_with_its_reason() -> None:
    (problem,) = signature_problems(
        signed_sums(SUMS, judgement(SignatureState.REVOKED, detail="compromised")), source="direct"
    )
    assert "(compromised)" in problem.message
    (undecodable,) = signature_problems(
        signed_sums(SUMS, judgement(SignatureState.UNDECODABLE_SIGNATURE, detail="ASCII armour")), source="direct"
    )
    assert undecodable.message.endswith("cannot be decoded: ASCII armour")


@pytest.mark.parametrize("digest", ["sha1", "SHA1", "md5"])
def test_a_weak_digest_is_never_silent(digest: str) -> None:
    assert signature_codes(signed_sums(digests=[digest])) == {"signature-weak-digest": Severity.WARNING}


def test_two_keys_that_signed_both_vouch_and_one_key_offered_twice_vouches_once() -> None:
    listed = signed_sums(SUMS, judgement(), judgement(fingerprint=OTHER_KEY, position=1), judgement(position=2))
    signers = [seen.fingerprint for digit, seen in observations(listed) if isinstance(seen, SignedBy) and digit == "1"]
    assert signers == [MAIN_KEY, OTHER_KEY]


def test_many_signers_of_a_long_list_are_observed_up_to_a_limit_those_that_vouch_first() -> None:
    lines = "".join(f"{number:064}  file{number}\n" for number in range(2_000))
    judgements = [
        judgement(
            SignatureState.REVOKED if number == 0 else SignatureState.GOOD, fingerprint=f"{number:040}", position=number
        )
        for number in range(27)
    ]
    listed = signed_sums(lines, *judgements)
    seen = [each for digit, each in observations(listed) if isinstance(each, SignedBy) and each.line == 1]
    assert [each.fingerprint for each in seen] == [f"{number:040}" for number in range(1, 26)]
    known = zh_list([listed], complete=True)
    assert known is not None
    assert len(known.signers) == 26
    (told,) = left_out_signers([listed], source="direct")
    assert (told.code, told.severity) == ("too-many-signers", Severity.WARNING)
    assert told.message.startswith("2 keys that SHA256SUMS was held against are not counted for its lines")


def test_the_signers_of_several_lists_share_the_limit() -> None:
    lines = "".join(f"{number:064}  file{number}\n" for number in range(2_000))
    judgements = [judgement(SignatureState.GOOD, fingerprint=f"{number:040}", position=number) for number in range(13)]
    lists = [signed_sums(lines, *judgements), signed_sums(lines.upper(), *judgements)]
    assert most_signers(lists) == 12
    assert [each.message[:6] for each in left_out_signers(lists, source="direct")] == ["1 keys"] * 2
    assert not [*left_out_signers(lists[:1], source="direct")]


def test_a_file_with_two_hashes_confirms_neither_and_disowns_neither() -> None:
    listed = signed_sums(f"{SUMS}{OTHER_ZH.value}  {LINUX_FILE}\n")
    assert vouching(listed) == [("2", "signed by"), ("2", "reported by registry")]
    known = zh_list([listed], complete=True)
    assert known is not None
    assert known.hashes == {LINUX_ZH, DARWIN_ZH, OTHER_ZH}
    (problem,) = lines_problems(listed)
    assert (problem.code, problem.severity) == ("sums-conflict", Severity.ERROR)
    assert LINUX_FILE in problem.message
    assert "lines 1, 3" in problem.message


def test_two_lists_that_contradict_each_other_confirm_nothing_for_that_file() -> None:
    first = signed_sums(f"{LINUX_ZH.value}  {LINUX_FILE}\n")
    second = signed_sums(f"{OTHER_ZH.value}  {LINUX_FILE}\n{DARWIN_ZH.value}  {DARWIN_FILE}\n")
    assert vouching(first, second) == [("2", "signed by"), ("2", "reported by registry")]
    assert [problem.code for problem in lines_problems(first, second)] == ["sums-conflict"] * 2


def test_a_list_that_is_not_used_contradicts_nothing() -> None:
    bad = signed_sums(f"{OTHER_ZH.value}  {LINUX_FILE}\n", judgement(SignatureState.BAD))
    assert ("1", "signed by") in vouching(signed_sums(), bad)
    known = zh_list([signed_sums(), bad], complete=True)
    assert known is not None
    assert known.hashes == {LINUX_ZH, DARWIN_ZH}
    assert len(known.documents) == 1


def test_many_conflicts_are_summed_up() -> None:
    lines = "".join(f"{digit * 64}  file{number}\n" for number in range(7) for digit in "12")
    problems = [problem for problem in lines_problems(signed_sums(lines)) if problem.code == "sums-conflict"]
    assert len(problems) == 6
    assert "2 more files" in problems[-1].message
