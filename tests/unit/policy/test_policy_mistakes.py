"""Policies that cannot be used: every mistake is told with its line, and none becomes a rule that is not there."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders.tables import table

from lockwarden.core.hcl import blocks as hcl_blocks
from lockwarden.core.hcl.diagnostics import MAX_DIAGNOSTICS
from lockwarden.core.hcl.grammar import MAX_DEPTH
from lockwarden.core.policy.model import MAX_BYTES
from lockwarden.core.policy.read import read_policy
from lockwarden.core.values.errors import InputError, PolicyError

FINGERPRINT = "0123456789ABCDEF0123456789ABCDEF01234567"
KEY = f'signing_key "{FINGERPRINT}" {{\n  %s\n}}\n'
MIRROR = 'mirror "%s" {\n  trusted   = true\n  providers = ["*/*/*"]\n}\n'
REQUIRE = 'require {\n  providers = ["*/*/*"]\n  %s\n}\n'


def refused(text: str | bytes, **known: object) -> PolicyError:
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(PolicyError) as caught:
        read_policy(data, path="infra/.lockwarden.hcl", folder=Path("/srv"), **known)  # type: ignore[arg-type]
    return caught.value


def named_by(label: str) -> str:
    return f'signing_key "{label}" {{\n  providers = ["acme/*"]\n}}\n'


MISTAKES: dict[str, tuple[str | bytes, int, str, str]] = {
    # The file, the line of its only mistake, a part of the message, a part of the hint.
    "no HCL": ("require {", 1, "a block begins here and never ends", "close it"),
    "a word without quotation marks": (KEY % "owner = me", 2, "a value is expected here", "quotation marks"),
    "a merge that was never finished": ("<<<<<<< ours\n", 1, "“<<” must be followed", ""),
    "UTF-16": ("require {}".encode("utf-16"), 1, "UTF-16", "UTF-8"),
    "a byte order mark": ("\ufeff# rules\n".encode(), 1, "byte order mark", "without BOM"),
    "a byte that is no UTF-8": (b"# rules\n# \xff\n", 2, "not UTF-8", "UTF-8"),
    "the same setting twice": (KEY % 'providers = ["a/*"]\n  providers = ["b/*"]', 3, "on line 2 already", "keep one"),
    "the same setting in quotation marks": (
        KEY % 'providers = ["a/*"]\n  "providers" = ["b/*"]',
        3,
        "“providers” is set on line 2 already",
        "keep one",
    ),
    "a misspelt block": ("\nsigning_keys {\n}\n", 2, "there is no block “signing_keys”", "did you mean signing_key?"),
    "a block of another file": (
        "provider {\n}\n",
        1,
        "there is no block “provider”",
        "signing_key, signing_identity, mirror, require and approvals",
    ),
    "a very long name": ("x" * 5000 + " {}", 1, "x…”", "signing_key, signing_identity, mirror, require and approvals"),
    "a setting outside of all blocks": ("signed = true\n", 1, "there is no setting “signed” here", "known are"),
    "a misspelt setting": (
        KEY % 'providers = ["a/*"]\n  ownr = "me"',
        3,
        "the block signing_key has no setting “ownr”",
        "did you mean owner?",
    ),
    "a setting of another block": (KEY % 'providers = ["a/*"]\n  trusted = true', 3, "no setting “trusted”", "owner"),
    "capitals": (KEY % 'Providers = ["a/*"]\n  providers = ["a/*"]', 2, "no setting “Providers”", "mean providers?"),
    "a block with an equals sign": ("require = {}\n", 1, "takes no equals sign", "leave the ="),
    "a setting that is no block": ("require = true\n", 1, "takes no equals sign", "leave the ="),
    "a block in a block": (KEY % 'providers {\n  }\n  "providers" = ["a/*"]', 2, "needs an equals sign", ""),
    "a key without a label": ('signing_key {\n  providers = ["a/*"]\n}\n', 1, "one label, the full fingerprint", ""),
    "an empty label": (named_by(" "), 1, "one label, the full fingerprint", ""),
    "two labels": (f'signing_key "{FINGERPRINT}" "x" {{\n}}\n', 1, "one label", ""),
    "a requirement with a label": ('require "all" {\n}\n', 1, "the block require takes no label", ""),
    "no providers": (KEY % 'owner = "me"', 1, "the block signing_key needs the setting “providers”", ""),
    "providers as a text": (KEY % 'providers = "a/*"', 2, "needs a list of texts in brackets, not a text", ""),
    "providers as a block": (KEY % "providers = {}", 2, "not what stands between braces", ""),
    "no pattern": (KEY % "providers = []", 2, "the list of “providers” is empty", "between the brackets"),
    "a number among patterns": (
        KEY % "providers = [\n    7,\n  ]",
        3,
        "texts in quotation marks, not a whole number",
        "",
    ),
    "an empty pattern": (KEY % 'providers = [""]', 2, "an empty text", ""),
    "a list in a list": (KEY % 'providers = [["a/*"]]', 2, "not a list", ""),
    "a pattern with a part of a name": (
        KEY % 'providers = ["acme/wid*"]',
        2,
        "“acme/wid*” is not a pattern",
        "asterisk",
    ),
    "a pattern with one part": (KEY % 'providers = ["acme"]', 2, "it needs two or three parts", ""),
    "a pattern that skips the namespace": (KEY % 'providers = ["*/widget"]', 2, "needs * as type", ""),
    "an owner that is a list": (KEY % 'owner = ["me"]\n  providers = ["a/*"]', 2, "a text in quotation marks", ""),
    "an empty owner": (KEY % 'owner = ""\n  providers = ["a/*"]', 2, "“owner” has an empty text", ""),
    "a whole book as the owner": (KEY % f'owner = "{"x" * 257}"\n  providers = ["a/*"]', 2, "more than 256", ""),
    "no fingerprint": (named_by("Example Releases"), 1, "“Example Releases” is not a key's fingerprint", "full"),
    "a very long label": (named_by("z" * 4000), 1, "z…” is not a key's fingerprint", "full"),
    "a key ID": (named_by("89ABCDEF01234567"), 1, "is a key ID of 16 digits", "lockwarden keys prints it"),
    "a short key ID": (named_by("01234567"), 1, "is a key ID of 8 digits", "lockwarden keys prints it"),
    "a key ID in groups": (named_by("89AB CDEF 0123 4567"), 1, "89ABCDEF01234567 is a key ID", "lockwarden keys"),
    "a fingerprint of version 3": (named_by("ab" * 16), 1, "version 3 key", "full fingerprint"),
    "a digit too few": (named_by(FINGERPRINT[:-1]), 1, "40 or 64 hexadecimal digits, and this has 39", "full"),
    "digits in other groups": (named_by("01234 56789"), 1, "not a key's fingerprint", "full"),
    "trust that is a text": (
        'mirror "/srv/m" {\n  trusted = "true"\n  providers = ["*/*/*"]\n}\n',
        2,
        "true or false without quotation marks, not a text",
        "",
    ),
    "nothing about trust": ('mirror "/srv/m" {\n  providers = ["*/*/*"]\n}\n', 1, "needs the setting “trusted”", ""),
    "signed as a number": (REQUIRE % "signed = 1", 3, "without quotation marks, not a whole number", ""),
    "a requirement of nothing": (REQUIRE % "signed = false", 1, "requires nothing of its providers", "remove"),
    "a platform with a dash": (REQUIRE % 'platforms = ["linux-amd64"]', 3, "is not a platform", "linux_amd64"),
    "a platform in capitals": (REQUIRE % 'platforms = ["Linux_amd64"]', 3, "is not a platform", "small letters"),
    "a platform without a system": (REQUIRE % 'platforms = ["_amd64"]', 3, "is not a platform", "linux_amd64"),
    "platforms that are true": (REQUIRE % "platforms = true", 3, "not true or false", ""),
    "no platform": (REQUIRE % "platforms = []", 3, "the list of “platforms” is empty", "leave the setting out"),
    "a scheme that no client knows": (REQUIRE % 'schemes = ["h2"]', 3, "of the scheme “h2”", "h1 and zh"),
    "a scheme with a colon": (REQUIRE % 'schemes = ["H1:"]', 3, "of the scheme “H1:”", "did you mean h1?"),
    "a URL as a host": (REQUIRE % 'hosts = ["https://registry.example.test"]', 3, "is a full URL", ""),
    "an asterisk as a host": (REQUIRE % 'hosts = ["*"]', 3, "“*” is not a host", "left out"),
    "a namespace with a host": (REQUIRE % 'namespaces = ["example.test/acme"]', 3, "is not a namespace", "without"),
    "an asterisk as a namespace": (REQUIRE % 'namespaces = ["*"]', 3, "“*” is not a namespace", "asterisk"),
    "a namespace with a dot": (REQUIRE % 'namespaces = ["a.b"]', 3, "neither dots", ""),
    "a mirror without a slash at its end": (MIRROR % "https://m.example.test/p", 1, "does not end in a slash", "/p/"),
    "a mirror over plain HTTP": (MIRROR % "http://m.example.test/", 1, "plain HTTP", "https://"),
    "a mirror with a query": (MIRROR % "https://m.example.test/?a=b", 1, "a query or a fragment", ""),
    "a mirror of another kind": (MIRROR % "ftp://m.example.test/", 1, "“ftp://” does not stand", ""),
    "the origin as a mirror": (MIRROR % "direct", 1, "“direct” is no mirror", "network mirror"),
    "a plugin cache as a mirror": (MIRROR % "plugin-cache:/srv", 1, "“plugin-cache” is no mirror", ""),
    "a host that may be a folder": (MIRROR % "m.example.test/p", 1, "neither a URL nor clearly a folder", "https://"),
    "somebody's home": (MIRROR % "~/mirror", 1, "neither a URL nor clearly a folder", "~"),
    "a template that leads nowhere": (MIRROR % "oci://registry.example.test", 1, "is not an OCI repository", "{type}"),
    "approvals twice": (
        "approvals {\n  from_change = true\n}\napprovals {\n  from_change = true\n}\n",
        4,
        "approvals are spoken of on line 1 already",
        "keep one",
    ),
    "approvals without a word": ("approvals {\n}\n", 1, "says nothing of approvals", "set from_change, signed"),
    "approvals by a text": ('approvals {\n  from_change = "true"\n}\n', 2, "not a text", ""),
    "a mirror with a NUL byte": (MIRROR % "a\\x00b", 1, "must be named by a text", ""),
}


@table(("text", "line", "message", "hint"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_told_with_its_line_and_what_to_do(text: str | bytes, line: int, message: str, hint: str) -> None:
    error = refused(text)
    (diagnostic,) = error.diagnostics
    assert (diagnostic.line, message in diagnostic.message) == (line, True), diagnostic
    assert hint in diagnostic.hint
    assert error.message == f"infra/.lockwarden.hcl:{line}: {diagnostic.message}"
    assert error.path == "infra/.lockwarden.hcl"


def test_a_policy_that_cannot_be_used_is_wrong_input() -> None:
    assert isinstance(refused("x {}"), InputError)


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file() -> None:
    error = refused(named_by("01234567") + KEY % "providers = [7]" + MIRROR % "direct")
    assert [each.line for each in error.diagnostics] == [1, 5, 7]
    assert error.message.endswith("(and 2 more problems)")
    assert str(error.diagnostics[0]).startswith("line 1: ")


@table("key_id", ["89ABCDEF01234567", "89abcdef01234567", "0x89ABCDEF01234567", "01234567"])
def test_a_key_id_is_answered_with_the_fingerprint_to_write_when_it_is_known(key_id: str) -> None:
    error = refused(named_by(key_id), known=[FINGERPRINT, "F" * 40])
    assert error.hint == f"write the full fingerprint: {FINGERPRINT}"


def test_the_key_id_of_a_later_version_is_the_beginning_of_its_fingerprint() -> None:
    later = "89ABCDEF01234567" + "0" * 48
    assert refused(named_by("89ABCDEF01234567"), known=[later]).hint == f"write the full fingerprint: {later}"


def test_no_fingerprint_is_chosen_for_a_key_id_that_two_keys_have() -> None:
    twins = ["A" * 32 + "01234567", "B" * 32 + "01234567"]
    assert refused(named_by("01234567"), known=twins).hint == "write the full fingerprint; lockwarden keys prints it"


@table(
    "location",
    [
        "https://ada:s3cret@m.example.test/",
        "oci://ada:s3cret@m.example.test/{namespace}/{type}",
        "ada:s3cret@m.example.test/p",
        "ftp://ada:s3cret@m.example.test/",
    ],
)
def test_a_password_in_a_location_is_refused_and_never_repeated(location: str) -> None:
    error = refused(MIRROR % location)
    assert "s3cret" not in error.message + error.hint + str(error.diagnostics)


REPEATED = {
    "key": named_by(FINGERPRINT),
    "mirror": MIRROR % "/srv/m",
    "requirement": REQUIRE % "signed = true",
}


@pytest.mark.parametrize("block", REPEATED.values(), ids=REPEATED.keys())
def test_a_block_that_says_the_same_as_another_is_refused(block: str) -> None:
    (diagnostic,) = refused(block + "\n" + block).diagnostics
    assert diagnostic.message == "this block says the same as the one on line 1"
    assert diagnostic.line == block.count("\n") + 2


def test_a_mirror_that_is_trusted_and_not_for_one_pattern_is_refused() -> None:
    other = 'mirror "/srv/m" {\n  trusted = false\n  providers = ["acme/*", "*/*/*"]\n}\n'
    (diagnostic,) = refused(MIRROR % "/srv/m" + other).diagnostics
    assert diagnostic.line == 5
    assert "trusted for */*/* is said on line 1" in diagnostic.message


class TestLimits:
    def test_a_file_that_is_too_large_is_not_read(self) -> None:
        error = refused(b"#" * (MAX_BYTES + 1))
        assert error.message == f"infra/.lockwarden.hcl: the file is larger than the limit of {MAX_BYTES} bytes"
        assert str(error.diagnostics[0]) == f"the file is larger than the limit of {MAX_BYTES} bytes"

    def test_too_many_blocks_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(hcl_blocks, "MAX_BLOCKS", 500)
        (diagnostic,) = refused("require {}\n" * 501).diagnostics
        assert (diagnostic.line, diagnostic.message) == (501, "the file has more than 500 blocks")

    def test_lists_in_lists_end_somewhere(self) -> None:
        (diagnostic,) = refused(KEY % f"providers = {'[' * 1000}").diagnostics
        assert f"more than {MAX_DEPTH} deep" in diagnostic.message

    def test_after_many_mistakes_the_rest_is_not_judged(self) -> None:
        error = refused("x {}\n" * (MAX_DIAGNOSTICS + 50))
        assert len(error.diagnostics) == MAX_DIAGNOSTICS + 1
        assert "the rest of the file was not judged" in error.diagnostics[-1].message

    def test_as_many_rules_as_are_allowed_are_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(hcl_blocks, "MAX_BLOCKS", 500)
        blocks = (f'signing_key "{index:040X}" {{ providers = ["a/*"] }}\n' for index in range(500))
        policy = read_policy("".join(blocks).encode(), path="p", folder=Path("/srv"))
        assert len(policy.keys) == 500
