"""What a source names, whichever way it is spelt."""

from __future__ import annotations

from builders.tables import table

from lockwarden.core.modules.spellings import what_is_named


@table(
    ("one", "other"),
    [
        (("git::https://example.test/a/vpc.git?ref=v1", ""), ("git::https://example.test:443/A/vpc?ref=tags/v1", "")),
        (("git::https://example.test/vpc?ref=v1", ""), ("git::ssh://git@example.test:22/vpc.git?ref=refs/tags/v1", "")),
        (("github.com/acme/vpc?ref=v1", ""), ("git::https://github.com/acme/vpc.git//child?ref=v1&depth=1", "")),
        (("git::https://example.test/vpc", ""), ("git::https://example.test/vpc?ref=HEAD", "")),
        (("oci://example.test/vpc", ""), ("oci://example.test/vpc//child?tag=latest", "")),
        (("https://example.test/vpc.zip", ""), ("http://example.test/vpc.zip?archive=zip&checksum=md5:x", "")),
        (("acme/vpc/aws", "1.0.0"), ("registry.opentofu.org/Acme/VPC/aws//child", "= v1.0.0")),
    ],
)
def test_spellings_of_one_source_name_the_same(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert what_is_named(*one) == what_is_named(*other)


@table(
    ("one", "other"),
    [
        (("git::https://example.test/vpc?ref=v1", ""), ("git::https://example.test/vpc?ref=v2", "")),
        (("oci://example.test/vpc?tag=1", ""), ("oci://example.test/vpc?tag=2", "")),
        (("oci://example.test/vpc?tag=1", ""), ("oci://example.test/vpn?tag=1", "")),
        (("https://example.test/vpc.zip?a=1", ""), ("https://example.test/vpc.zip?a=2", "")),
        (("acme/vpc/aws", "1.0.0"), ("acme/vpc/aws", "1.0.1")),
        (("./a", ""), ("./b", "")),
        (("oci://example.test/vpc?tag=!", ""), ("oci://example.test/vpc?tag=?", "")),
        (("what is this", ""), ("what is that", "")),
    ],
)
def test_others_name_something_else(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert what_is_named(*one) != what_is_named(*other)
