"""What is concluded from one package of an origin registry, and what a client would conclude."""

from __future__ import annotations

from typing import Any

import pytest
from builders.registry_cases import (
    DARWIN,
    DARWIN_H1,
    DARWIN_ZH,
    LINUX,
    LINUX_FILE,
    LINUX_H1,
    LINUX_ZH,
    OTHER_ZH,
    SUMS,
    answer,
    archive_facts,
    judgement,
    signed_sums,
    unsigned_sums,
)
from builders.tables import table

from lockwarden.core.archives.inspection import Oddity, OddityCode
from lockwarden.core.evidence.observations import Basis, ComputedLocally
from lockwarden.core.evidence.source_answers import Outcome
from lockwarden.core.sources.protocols.registry_documents import PackageClaim, UnsignedPackages
from lockwarden.core.sources.registry.answer import PlatformAnswer
from lockwarden.core.sources.registry.checks import answer_refusal
from lockwarden.core.sources.registry.packages import ReceivedPackage, answer_problems
from lockwarden.core.sources.registry.signed_sums import SignedSums
from lockwarden.core.sources.registry.sums_observations import conflicting_files
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signing_keys import SignatureState

OPENTOFU = ClientSettings()
TERRAFORM = ClientSettings(client=Client.TERRAFORM)
SIZE = 100


def received(
    asked: PlatformAnswer | None = None,
    listed: SignedSums | None = None,
    *,
    settings: ClientSettings = OPENTOFU,
    zh: Hash = LINUX_ZH,
    **changes: Any,
) -> ReceivedPackage:
    document = listed or signed_sums(settings=settings)
    values: dict[str, Any] = {"facts": archive_facts(), "size": SIZE} | changes
    return ReceivedPackage(
        answer=asked or answer(),
        listed=document,
        conflicts=conflicting_files([document]),
        settings=settings,
        source="direct",
        location="https://example.test/package.zip",
        zh=zh,
        **values,
    )


def packages(*hashes: str, size: int = SIZE, platform: Platform = LINUX, flaw: str = "") -> UnsignedPackages:
    claim = PackageClaim(platform=platform, hashes=tuple(Hash(text) for text in hashes), size=size)
    return UnsignedPackages(claims=(claim,), flaw=flaw)


def codes(package: ReceivedPackage) -> dict[str, Severity]:
    return {problem.code: problem.severity for problem in package.problems()}


def computed(package: ReceivedPackage) -> dict[Hash, ComputedLocally]:
    found = {}
    for hash_, seen in package.observations():
        assert isinstance(seen, ComputedLocally)
        found[hash_] = seen
    return found


def test_a_package_that_answer_and_list_promise_counts_and_is_accepted() -> None:
    package = received()
    facts = package.package_facts
    assert facts.outcome is Outcome.ANSWERED
    assert (facts.zh, facts.size, facts.promised) == (LINUX_ZH, SIZE, frozenset({LINUX_ZH}))
    assert not facts.client_refusal
    assert not facts.detail
    assert not codes(package)
    seen = computed(package)
    assert set(seen) == {LINUX_ZH, LINUX_H1}
    assert all(each.vouches for each in seen.values())
    assert seen[LINUX_H1].package_zh == LINUX_ZH
    assert seen[LINUX_H1].platform == LINUX


def test_the_h1_of_the_folder_is_told_apart_where_it_differs() -> None:
    seen = computed(received(facts=archive_facts(LINUX_H1, DARWIN_H1)))
    assert {hash_: each.basis for hash_, each in seen.items()} == {
        LINUX_ZH: Basis.ARCHIVE,
        LINUX_H1: Basis.ARCHIVE,
        DARWIN_H1: Basis.DIRECTORY,
    }
    assert set(computed(received(facts=archive_facts(None, DARWIN_H1)))) == {LINUX_ZH, DARWIN_H1}
    assert set(computed(received(facts=archive_facts(LINUX_H1, None)))) == {LINUX_ZH, LINUX_H1}


def test_other_bytes_than_promised_do_not_count_and_are_refused() -> None:
    package = received(zh=OTHER_ZH)
    facts = package.package_facts
    assert facts.client_refusal.startswith(f"the archive has the wrong checksum: sha256 {OTHER_ZH.value}")
    assert facts.promised == frozenset()
    assert facts.detail == "its bytes are not what the registry's answer promises"
    assert not any(seen.vouches for seen in computed(package).values())
    assert codes(package) == {"package-contradicts-shasum": Severity.ERROR}


def test_an_answer_that_contradicts_the_list_is_told_with_all_three_digests() -> None:
    package = received(answer(shasum=OTHER_ZH.value))
    (problem,) = package.problems()
    assert problem.code == "shasum-contradicts-sums"
    assert OTHER_ZH.value in problem.message
    assert f"{LINUX_ZH.value}; the package has {LINUX_ZH.value}" in problem.message
    assert "line 1 has sha256" in package.package_facts.client_refusal
    assert package.refused
    stale_list = received(answer(shasum=OTHER_ZH.value), zh=OTHER_ZH)
    assert stale_list.refused == "its bytes are not what SHA256SUMS lists"
    assert stale_list.package_facts.promised == frozenset()


def test_a_package_that_the_list_does_not_name_does_not_count() -> None:
    package = received(listed=signed_sums(f"{DARWIN_ZH.value}  {LINUX_FILE}x\n"))
    assert package.refused == "SHA256SUMS does not list it"
    assert package.package_facts.client_refusal == f"SHA256SUMS has no hash for “{LINUX_FILE}”"
    assert codes(package) == {"package-not-listed": Severity.ERROR}
    both = received(listed=signed_sums(f"{DARWIN_ZH.value}  {LINUX_FILE}x\n"), zh=OTHER_ZH)
    assert set(codes(both)) == {"package-not-listed", "package-contradicts-shasum"}


def test_a_file_name_that_is_a_url_is_refused_by_the_client_and_found_by_its_usual_name() -> None:
    package = received(answer(filename=f"https://dl.example.test/{LINUX_FILE}"))
    assert package.package_facts.client_refusal == f"SHA256SUMS has no hash for “https://dl.example.test/{LINUX_FILE}”"
    assert not package.refused
    assert package.package_facts.promised == {LINUX_ZH}
    assert codes(package) == {"package-listed-otherwise": Severity.WARNING}


def test_an_unusual_file_name_counts_when_the_list_has_the_same() -> None:
    package = received(answer(filename="widget-linux.zip"), signed_sums(f"{LINUX_ZH.value}  widget-linux.zip\n"))
    assert not package.refused
    assert not package.package_facts.client_refusal


def test_a_file_that_the_list_has_beside_the_package_is_accepted_by_the_client_and_does_not_count() -> None:
    other = answer(filename="terraform-provider-widget_1.0.0_debug.zip", shasum=OTHER_ZH.value)
    package = received(
        other, signed_sums(f"{SUMS}{OTHER_ZH.value}  terraform-provider-widget_1.0.0_debug.zip\n"), zh=OTHER_ZH
    )
    assert package.refused == "SHA256SUMS has it beside the linux_amd64 package, not as that"
    assert not package.package_facts.client_refusal
    assert package.package_facts.promised == {OTHER_ZH}
    (problem,) = package.problems()
    assert problem.code == "shasum-contradicts-sums"
    assert "as “terraform-provider-widget_1.0.0_debug.zip”, a file beside that package" in problem.message
    assert problem.hint.startswith("the clients take it")


@table(
    ("place", "other"),
    [("darwin_arm64", "darwin_arm64"), ("linux_amd64", ""), ("Linux_AMD64", ""), ("linux_armv6", ""), ("debug", "")],
)
def test_a_file_name_says_another_platform_only_where_it_names_a_usual_one(place: str, other: str) -> None:
    asked = answer(filename=f"terraform-provider-widget_1.0.0_{place}.zip")
    assert asked.other_file == other
    assert asked.astray is bool(other)
    codes = [problem.code for problem in answer_problems(asked, OPENTOFU, source="direct")]
    assert codes == (["answer-for-other-platform"] if other else [])


def test_a_binary_marker_makes_the_client_refuse_what_the_list_promises() -> None:
    package = received(listed=signed_sums(f"{LINUX_ZH.value} *{LINUX_FILE}\n"))
    assert package.package_facts.client_refusal == f"SHA256SUMS has no hash for “{LINUX_FILE}”"
    assert not package.refused


def test_a_digest_that_the_client_cannot_read_is_refused() -> None:
    package = received(listed=signed_sums(f"{'1' * 66}  {LINUX_FILE}\n{SUMS}"))
    assert "line 1 has 66 hexadecimal digits" in package.package_facts.client_refusal
    assert not package.refused


def test_a_file_with_two_hashes_is_accepted_by_the_client_and_does_not_count() -> None:
    package = received(listed=signed_sums(f"{SUMS}{OTHER_ZH.value}  {LINUX_FILE}\n"))
    assert not package.package_facts.client_refusal
    assert package.refused == f"the registry lists several hashes for {LINUX_FILE}"
    assert not any(seen.vouches for seen in computed(package).values())
    wrong_first = received(listed=signed_sums(f"{OTHER_ZH.value}  {LINUX_FILE}\n{SUMS}"))
    assert "line 1 has sha256" in wrong_first.package_facts.client_refusal


def test_nothing_counts_when_the_signature_is_bad() -> None:
    package = received(listed=signed_sums(SUMS, judgement(SignatureState.BAD)))
    assert package.refused.startswith("SHA256SUMS cannot be used: its signature is bad")
    assert package.package_facts.client_refusal.startswith("it is not signed with a valid signing key: key 1")
    assert package.package_facts.promised == {LINUX_ZH}


def test_a_release_whose_check_is_skipped_counts() -> None:
    package = received(listed=unsigned_sums())
    assert not package.refused
    assert not package.package_facts.client_refusal


def test_an_empty_line_crashes_the_client_after_all_other_checks() -> None:
    package = received(listed=signed_sums(f"{SUMS}\n"))
    assert package.package_facts.client_refusal == "the client crashes on the empty line 3 of SHA256SUMS"
    assert not package.refused


@table(
    ("claims", "refusal", "code"),
    [
        (packages(str(LINUX_ZH)), "", None),
        (packages(str(LINUX_ZH), "h9:x", str(LINUX_H1)), "", None),
        (packages(str(LINUX_ZH), size=101), "promise 101 bytes, and 100 came", "package-size-differs"),
        (packages(str(LINUX_ZH), size=0), "invalid package size 0", None),
        (packages(str(LINUX_ZH), size=-5), "invalid package size -5", None),
        (packages(str(DARWIN_ZH), platform=DARWIN), "lack the platform linux_amd64", None),
        (packages(str(LINUX_ZH), str(OTHER_ZH)), f"list {OTHER_ZH} where its answer promises", None),
        (packages(str(LINUX_H1)), "list no zh hash for linux_amd64", None),
        (packages(f"zh:{'A' * 64}"), f"list zh:{'A' * 64} where", None),
        (packages(str(LINUX_ZH), flaw="is odd"), "the registry's answer is odd", None),
    ],
)
def test_the_checks_of_packages_are_made_by_opentofu_alone(
    claims: UnsignedPackages, refusal: str, code: str | None
) -> None:
    asked = answer(packages=claims)
    package = received(asked)
    told = package.package_facts.client_refusal
    assert refusal in told
    assert bool(told) == bool(refusal)
    assert set(codes(package)) == ({code} if code else set())
    assert not package.refused
    assert not received(asked, settings=TERRAFORM).package_facts.client_refusal


@table(
    ("changes", "refusal", "code"),
    [
        ({"protocols": ("4.0",)}, "it speaks provider protocol 4.0, and the clients 5 and 6", "protocol-unsupported"),
        ({"protocols": ("7.0", "4.1")}, "protocol 7.0, 4.1", "protocol-unsupported"),
        ({"protocols": ("five",)}, "invalid protocol version “five”", "protocol-unsupported"),
        ({"os": "plan9"}, "a package for plan9_amd64 instead of linux_amd64", "answer-for-other-platform"),
        ({"shasum": "xyz"}, "invalid SHA-256 digest “xyz”", "answer-without-digest"),
    ],
)
def test_an_answer_that_the_clients_refuse_is_told(changes: dict[str, Any], refusal: str, code: str) -> None:
    asked = answer(**changes)
    assert refusal in answer_refusal(asked, OPENTOFU)
    assert refusal in received(asked).package_facts.client_refusal
    assert [problem.code for problem in answer_problems(asked, TERRAFORM, source="direct")] == [code]


@table("protocols", [(), ("5.0",), ("6.3",), ("4.0", "5.2"), ("6",)])
def test_a_protocol_that_the_clients_speak_is_no_problem(protocols: tuple[str, ...]) -> None:
    asked = answer(protocols=protocols)
    assert not answer_refusal(asked, OPENTOFU)
    assert not list(answer_problems(asked, OPENTOFU, source="direct"))


def test_a_digest_in_upper_case_is_the_same_digest() -> None:
    zh = Hash(f"zh:{'ab' * 32}")
    package = received(answer(shasum="AB" * 32), signed_sums(f"{'aB' * 32}  {LINUX_FILE}\n"), zh=zh)
    assert not package.refused
    assert not package.package_facts.client_refusal


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"packages": packages(str(DARWIN_ZH), platform=DARWIN)}, "packages-incomplete"),
        ({"packages": packages(str(LINUX_ZH), size=0)}, "package-size-invalid"),
        ({"surplus_keys": 3}, "too-many-signing-keys"),
    ],
)
def test_what_is_wrong_with_an_answer_is_a_warning(changes: dict[str, Any], code: str) -> None:
    (problem,) = answer_problems(answer(**changes), OPENTOFU, source="direct")
    assert (problem.code, problem.severity) == (code, Severity.WARNING)


def test_bytes_that_are_no_archive_have_a_zh_and_nothing_else() -> None:
    package = received(zh=OTHER_ZH, facts=None, flaw="it is a web page")
    assert set(computed(package)) == {OTHER_ZH}
    assert set(codes(package)) == {"package-contradicts-shasum", "package-not-an-archive"}
    assert package.package_facts.h1s == frozenset()
    promised = received(facts=None, flaw="it is a web page")
    assert promised.package_facts.detail == "it is a web page"


def test_oddities_of_the_archive_are_problems() -> None:
    odd = Oddity(code=OddityCode.JUNK_PREFIX, message="it starts with 3 other bytes")
    fatal = Oddity(code=OddityCode.ENCRYPTED, message="“a” is encrypted", fatal=True)
    package = received(facts=archive_facts(None, None, (fatal, odd)))
    assert codes(package) == {"archive-encrypted": Severity.ERROR, "archive-junk-prefix": Severity.WARNING}
    assert set(computed(package)) == {LINUX_ZH}
