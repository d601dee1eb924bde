"""Records of approvals: what each says, when it holds, and what is refused."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.approvals.model import MAX_BYTES, NO_APPROVALS, Approvals, ApprovalSignature
from lockwarden.core.approvals.read import read_approvals
from lockwarden.core.hcl.diagnostics import MAX_DIAGNOSTICS
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import ApprovalsError, InputError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.signature_schemes import SignatureScheme
from lockwarden.core.values.versions import Version

H1 = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
ZH = "zh:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
FINGERPRINT = "0123456789ABCDEF0123456789ABCDEF01234567"
ADDRESS = ProviderAddress.parse("registry.example.test/acme/widget")
VERSION = Version.parse("1.2.3")

SETTINGS = {
    "version": '"1.2.3"',
    "hashes": f'["{H1}"]',
    "verdict": '"unexplained"',
    "signed_by": f'["{FINGERPRINT}"]',
    "by": '"Ada <ada@example.test>"',
    "at": '"2026-11-28T05:00:00Z"',
    "reason": '"we built it ourselves"',
    "until": '"2027-01-31"',
}


def record(label: str = str(ADDRESS), **changed: str | None) -> str:
    """A record with some settings changed, or left out where the change is None; each stands on a line of its own."""
    settings = {name: value for name, value in (SETTINGS | changed).items() if value is not None}
    return "\n".join([f'approval "{label}" {{', *(f"  {name} = {value}" for name, value in settings.items()), "}", ""])


def read(text: str) -> Approvals:
    return read_approvals(text.encode(), path=".lockwarden/approvals.hcl")


def test_a_record_says_who_accepts_what_until_when() -> None:
    (approval,) = read("# ours\n" + record()).records
    assert (approval.address, approval.version) == (ADDRESS, VERSION)
    assert approval.hashes == {Hash(H1)}
    assert (approval.verdict, approval.signers) == ("unexplained", (FINGERPRINT,))
    assert (approval.by, approval.reason) == ("Ada <ada@example.test>", "we built it ourselves")
    assert approval.at == datetime(2026, 11, 28, 5, tzinfo=UTC)
    assert approval.until == date(2027, 1, 31)
    assert str(approval) == ".lockwarden/approvals.hcl line 2"


def test_what_was_not_signed_and_does_not_end_leaves_that_out() -> None:
    (approval,) = read(record(signed_by=None, until=None)).records
    assert (approval.signers, approval.until) == ((), None)
    assert approval.ends == date(2027, 11, 28)


def test_times_are_kept_in_utc() -> None:
    (approval,) = read(record(at='"2026-11-28T05:00:00+02:00"')).records
    assert (approval.at.isoformat(), approval.at.tzinfo) == ("2026-11-28T03:00:00+00:00", UTC)


def test_a_record_holds_on_its_last_day_and_not_on_the_next() -> None:
    approvals = read(record())
    last, next_ = date(2027, 1, 31), date(2027, 2, 1)
    held = approvals.of(ADDRESS, VERSION, Hash(H1), today=last)
    assert held == approvals.records[0]
    assert approvals.expired(ADDRESS, VERSION, Hash(H1), today=last) is None
    assert approvals.of(ADDRESS, VERSION, Hash(H1), today=next_) is None
    assert approvals.expired(ADDRESS, VERSION, Hash(H1), today=next_) == approvals.records[0]


def test_another_hash_version_or_provider_is_not_accepted() -> None:
    approvals, today = read(record()), date(2026, 12, 1)
    other = ProviderAddress.parse("registry.example.test/acme/other")
    assert approvals.of(ADDRESS, VERSION, Hash(ZH), today=today) is None
    assert approvals.of(ADDRESS, Version.parse("1.2.4"), Hash(H1), today=today) is None
    assert approvals.of(other, VERSION, Hash(H1), today=today) is None
    assert approvals.expired(ADDRESS, VERSION, Hash(ZH), today=date(2099, 1, 1)) is None


def test_a_later_record_can_go_on_where_one_has_expired() -> None:
    approvals = read(record() + record(until='"2028-01-31"'))
    held = approvals.of(ADDRESS, VERSION, Hash(H1), today=date(2027, 6, 1))
    assert held is not None
    assert held.until == date(2028, 1, 31)
    assert approvals.expired(ADDRESS, VERSION, Hash(H1), today=date(2029, 1, 1)) == approvals.records[1]


def test_a_file_without_records_accepts_nothing() -> None:
    assert read("# nothing yet\n").records == ()
    assert NO_APPROVALS.path == ""


MISTAKES: dict[str, tuple[str, int, str, str]] = {
    "no HCL": ("approval {", 1, "never ends", "close it"),
    "a misspelt block": (record().replace("approval", "aproval"), 1, "no block “aproval”", "did you mean approval?"),
    "a misspelt setting": (record(untill='"2027-01-31"'), 10, "no setting “untill”", "did you mean until?"),
    "no label": ('approval {\n  by = "x"\n}\n', 1, "one label, the address of the provider", ""),
    "an address without its host": (record("acme/widget"), 1, "has no host", "registry.opentofu.org/acme/widget"),
    "no address": (record("a/b/c/d"), 1, "is not a provider address", ""),
    "no version": (record(version='"one"'), 2, "“one” is not a version", "1.2.3"),
    "constraints as the version": (record(version='"~> 1.2"'), 2, "is not a version", ""),
    "no hash": (record(hashes='["47DEQ"]'), 3, "is not a hash", "h1:"),
    "a hash that is cut": (record(hashes='["h1:47DEQ"]'), 3, "can never match", "whole hash"),
    "a hash of a scheme that no client knows": (record(hashes='["h9:x"]'), 3, "no client knows", "whole hash"),
    "hashes as a text": (record(hashes=f'"{H1}"'), 3, "a list of texts", ""),
    "an empty list of hashes": (record(hashes="[]"), 3, "is empty", "between the brackets"),
    "a key ID": (record(signed_by='["89ABCDEF01234567"]'), 5, "is a key ID of 16 digits", "full fingerprint"),
    "nobody": (record(by='" "'), 6, "“by” has an empty text", ""),
    "a time without a zone": (record(at='"2026-11-28T05:00:00"'), 7, "is not a time", "in UTC"),
    "a day as the time": (record(at='"2026-11-28"'), 7, "is not a time", "in UTC"),
    "a time that never was": (record(at='"2026-02-30T05:00:00Z"'), 7, "is not a time", ""),
    "a time before all times": (record(at='"0001-01-01T00:00:00+12:00"'), 7, "is not a time", ""),
    "no reason": (record(reason='""'), 8, "“reason” has an empty text", ""),
    "a time as the last day": (record(until='"2027-01-31T00:00:00Z"'), 9, "is not a day", "2027-01-31"),
    "a week as the last day": (record(until='"2027-W05-1"'), 9, "is not a day", ""),
    "a day that never comes": (record(until='"2027-02-29"'), 9, "is not a day", ""),
    "an end before the beginning": (record(until='"2026-11-27"'), 9, "ends on 2026-11-27, before", "year"),
}


@table(("text", "line", "message", "hint"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_told_with_its_line_and_what_to_do(text: str, line: int, message: str, hint: str) -> None:
    with pytest.raises(ApprovalsError) as caught:
        read(text)
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.line, message in diagnostic.message) == (line, True), diagnostic
    assert hint in diagnostic.hint
    assert caught.value.message.startswith(f".lockwarden/approvals.hcl:{line}: ")


@table("name", ["version", "hashes", "verdict", "by", "at", "reason"])
def test_a_record_without_a_needed_setting_is_refused(name: str) -> None:
    with pytest.raises(ApprovalsError, match=f"needs the setting “{name}”"):
        read(record(str(ADDRESS), **{name: None}))


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(ApprovalsError) as caught:
        read(record("x", version='"y"', at='"z"') + record(hashes="[1]"))
    assert [each.line for each in caught.value.diagnostics] == [1, 2, 7, 13]
    assert isinstance(caught.value, InputError)


def test_after_many_mistakes_the_rest_is_not_judged() -> None:
    with pytest.raises(ApprovalsError) as caught:
        read("x {}\n" * 500)
    assert len(caught.value.diagnostics) == MAX_DIAGNOSTICS + 1


def test_a_file_that_is_too_large_is_refused() -> None:
    with pytest.raises(ApprovalsError, match=f"larger than the limit of {MAX_BYTES} bytes"):
        read("#" * (MAX_BYTES + 1))


def test_the_document_has_a_serial_number_and_says_who_signs_it() -> None:
    found = read('document {\n  serial = 7\n  signer = "ada@example.test"\n}\n' + record())
    assert (found.serial, found.signer) == (7, "ada@example.test")
    assert (read(record()).serial, read(record()).signer) == (0, "")
    assert read("document {\n  serial = 1\n}\n").signer == ""


@table(
    ("block", "why"),
    [
        ("document {\n}\n", "needs the setting “serial”"),
        ("document {\n  serial = 0\n}\n", "not a whole number from 1"),
        ("document {\n  serial = -1\n}\n", "not a whole number|Unexpected|not"),
        ("document {\n  serial = 1e3\n}\n", "without quotation marks|not a whole number"),
        ("document {\n  serial = 1000000000000000\n}\n", "not a whole number from 1"),
        (f"document {{\n  serial = {'9' * 400}\n}}\n", "not a whole number from 1"),
        ('document {\n  serial = "7"\n}\n', "a whole number without quotation marks, not a text"),
        ('document {\n  serial = 7\n  signer = "a\\u202eb"\n}\n', "can be printed"),
        (f'document {{\n  serial = 7\n  signer = "{"a" * 300}"\n}}\n', "at most 256 characters"),
        ("document {\n  serial = 7\n}\ndocument {\n  serial = 8\n}\n", "on line 1 already"),
        ('document "a" {\n  serial = 7\n}\n', "takes no label"),
    ],
)
def test_a_document_that_is_not_understood_is_refused(block: str, why: str) -> None:
    with pytest.raises(ApprovalsError) as refused:
        read(block + record())
    told = " ".join(each.message for each in refused.value.diagnostics)
    assert any(part in told for part in why.split("|")), told


def test_a_record_can_say_of_which_platform_its_hashes_are() -> None:
    approvals, today = read(record(platform='"linux_amd64"')), date(2026, 12, 1)
    linux, darwin = Platform.parse("linux_amd64"), Platform.parse("darwin_arm64")
    assert approvals.records[0].platform == linux

    def of(*platforms: Platform, on: date = today) -> bool:
        named = frozenset(platforms)
        held = approvals.of(ADDRESS, VERSION, Hash(H1), today=on, platforms=named)
        gone = approvals.expired(ADDRESS, VERSION, Hash(H1), today=on, platforms=named)
        return (held or gone) is not None

    assert of(), "of what nobody knows the platform of, it can be about that one"
    assert of(linux)
    assert of(linux, darwin)
    assert not of(darwin)
    assert not of(darwin, on=date(2099, 1, 1))


@table("platform", ["linux", "Linux_amd64", "linux_amd64_x", "l" * 300 + "_-"])
def test_a_platform_is_written_as_the_clients_write_it(platform: str) -> None:
    with pytest.raises(ApprovalsError, match="not a platform"):
        read(record(platform=f'"{platform}"'))


def test_of_two_records_the_signed_one_is_told() -> None:
    found = read(record() + record(by='"Eve <eve@example.test>"'))
    signature = ApprovalSignature(
        scheme=SignatureScheme.SSHSIG, signer="SHA256:x", owner="Ada", serial=7, rules=("p line 1",)
    )
    signed = replace(found, records=(found.records[0], replace(found.records[1], signature=signature)))
    held = signed.of(ADDRESS, VERSION, Hash(H1), today=date(2026, 12, 1))
    assert held is not None
    assert held.signature == signature
    assert signature.who == "Ada (SHA256:x)"
    assert replace(signature, owner="").who == "SHA256:x"
