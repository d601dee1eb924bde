"""Every row of the grammar of sources, good and bad: what it is, how far it pins, and what is wrong with it."""

from __future__ import annotations

from builders.tables import table

from lockwarden.core.modules.pinning import Classified, Pinning, classify, refused, unknown
from lockwarden.core.modules.sources import parse_module_source
from lockwarden.core.values.errors import ModuleSourceError
from lockwarden.core.values.source_redaction import redacted_source

COMMIT = "0123456789abcdef0123456789abcdef01234567"
SHA = "ab" * 32
IMMUTABLE, NAMED, FLOATING, LOCAL, REFUSED = (
    Pinning.IMMUTABLE,
    Pinning.NAMED,
    Pinning.FLOATING,
    Pinning.LOCAL,
    Pinning.REFUSED,
)


def classified(text: str, version: str | None = None) -> Classified:
    try:
        return classify(parse_module_source(text, versioned=version is not None), version or "")
    except ModuleSourceError as error:
        return refused(error)


SOURCES = [
    # Local: nothing can be wrong with it.
    ("./modules/vpc", "local", LOCAL),
    ("../common//vpc/", "local", LOCAL),
    (".\\modules\\vpc", "local", LOCAL),
    ("..\\shared", "local", LOCAL),
    ("./a/../../b", "local", LOCAL),
    # Three or four plain parts are a registry's module, two are nothing.
    ("acme/vpc/aws", "registry", FLOATING),
    ("Acme/VPC-2_x/aws//modules/child", "registry", FLOATING),
    ("registry.example.test/acme/vpc/aws", "registry", FLOATING),
    ("registry.example.test:8443/acme/vpc/aws", "registry", FLOATING),
    ("acme/vpc", "", REFUSED),
    ("acme/vpc/AWS", "", REFUSED),
    ("-acme/vpc/aws", "", REFUSED),
    ("acme_/vpc/aws", "", REFUSED),
    (f"{'a' * 65}/vpc/aws", "", REFUSED),
    ("xn--bcher-kva.example/acme/vpc/aws", "", REFUSED),
    ("localhost/acme/vpc/aws", "", REFUSED),
    ("acme/vpc/aws?ref=v1", "", REFUSED),
    ("acme/vpc/aws//../up", "", REFUSED),
    ("acme/vpc/aws//..", "", REFUSED),
    ("registry.example.test:port/acme/vpc/aws", "", REFUSED),
    # Git.
    ("git::https://example.test/vpc.git", "git", FLOATING),
    ("git::https://example.test/vpc.git?ref=main", "git", FLOATING),
    ("git::https://example.test/vpc.git?ref=v1.2.0", "git", NAMED),
    ("git::https://example.test/vpc.git?ref=vpc/v1.2.0-rc.1", "git", NAMED),
    ("git::https://example.test/vpc.git?ref=release-1.2", "git", FLOATING),
    ("git::https://example.test/vpc.git?ref=refs/tags/stable", "git", NAMED),
    ("git::https://example.test/vpc.git?ref=refs/heads/v1", "git", FLOATING),
    (f"git::https://example.test/vpc.git?ref={'v1.' * 100}0", "git", FLOATING),
    ("git::https://example.test/vpc.git?ref=0123abc", "git", NAMED),
    (f"git::https://example.test/vpc.git?ref={COMMIT}", "git", IMMUTABLE),
    (f"git::https://example.test/vpc.git?ref={COMMIT.upper()}&depth=0", "git", IMMUTABLE),
    (f"git::https://example.test/vpc.git?ref={COMMIT}&depth=1", "git", REFUSED),
    (f"git::https://example.test/vpc.git?ref={COMMIT}{COMMIT[:24]}", "git", FLOATING),
    (f"git::https://example.test/vpc.git?ref=main&ref={COMMIT}", "git", FLOATING),
    (f"git::https://example.test/vpc.git?ref=%6dain&ref={COMMIT}", "git", FLOATING),
    (f"git::https://example.test/vpc.git?ref={COMMIT};x", "git", FLOATING),
    (f"git::https://example.test/vpc.git?ref=%zz{COMMIT}", "git", FLOATING),
    (f"git::https://example.test/vpc.git#?ref={COMMIT}", "git", FLOATING),
    (f"git::https://example.test/vpc.git?ref={COMMIT}#main", "git", IMMUTABLE),
    (f"git::https://example.test/vpc.git//modules/child?ref={COMMIT}", "git", IMMUTABLE),
    ("git::ssh://git@example.test/vpc.git?ref=v1.2.0", "git", NAMED),
    ("git::https://example.test/vpc.git//../up", "", REFUSED),
    # Short forms.
    ("github.com/acme/vpc", "git", FLOATING),
    ("github.com/acme/vpc.git//child?ref=v1.2.0", "git", NAMED),
    (f"github.com/acme/vpc/child?ref={COMMIT}", "git", IMMUTABLE),
    (f"github.com/acme/vpc#x?ref={COMMIT}", "git", FLOATING),
    ("github.com/acme", "", REFUSED),
    ("github.com/acme/vpc/..", "", REFUSED),
    ("git@github.com:acme/vpc.git", "git", FLOATING),
    (f"git@github.com:acme/vpc.git?ref={COMMIT}", "git", IMMUTABLE),
    ("git@github.com:acme/vpc.git?", "git", FLOATING),
    ("hg@example.test:acme/vpc", "", REFUSED),
    ("git@exa mple.test:acme/vpc", "", REFUSED),
    ("bitbucket.org/acme/vpc?ref=v1.2.0", "git", NAMED),
    ("www.googleapis.com/storage/v1/bucket/vpc.zip", "gcs", FLOATING),
    ("www.googleapis.com/storage/v1", "", REFUSED),
    ("s3-eu-west-1.amazonaws.com/bucket/vpc.zip", "s3", FLOATING),
    ("bucket.s3-eu-west-1.amazonaws.com/vpc.zip", "s3", FLOATING),
    (f"bucket.s3.eu-west-1.amazonaws.com/vpc.zip?checksum=sha256:{SHA}", "s3", IMMUTABLE),
    ("a.b.c.d.e.amazonaws.com/vpc.zip", "", REFUSED),
    ("/srv/modules/vpc", "file", FLOATING),
    (f"file:///srv/vpc.zip?checksum={SHA}", "file", IMMUTABLE),
    # Mercurial heeds “rev” alone.
    ("hg::https://example.test/vpc", "hg", FLOATING),
    (f"hg::https://example.test/vpc?ref={COMMIT}", "hg", FLOATING),
    (f"hg::https://example.test/vpc?rev={COMMIT}", "hg", IMMUTABLE),
    ("hg::https://example.test/vpc?rev=1.2.0", "hg", NAMED),
    ("hg::https://example.test/vpc?rev=default", "hg", FLOATING),
    # Archives, and what leads to one.
    ("https://example.test/vpc.zip", "http", FLOATING),
    ("https://example.test/vpc", "http", FLOATING),
    (f"https://example.test/vpc.zip?checksum=sha256:{SHA}", "http", IMMUTABLE),
    (f"https://example.test/vpc.tgz//child?checksum=sha512:{SHA}{SHA}", "http", IMMUTABLE),
    (f"https://example.test/vpc?archive=tar.gz&checksum={SHA}", "http", IMMUTABLE),
    (f"https://example.test/vpc.zip?archive=false&checksum={SHA}", "http", REFUSED),
    (f"https://example.test/vpc?checksum={SHA}", "http", REFUSED),
    (f"https://example.test/vpc.zip?checksum=md5:{'0' * 32}", "http", NAMED),
    (f"https://example.test/vpc.zip?checksum={'0' * 40}", "http", NAMED),
    ("https://example.test/vpc.zip?checksum=file:https://example.test/sums", "http", FLOATING),
    ("https://example.test/vpc.zip?checksum=sha256:12", "http", REFUSED),
    ("https://example.test/vpc.zip?checksum=12", "http", REFUSED),
    ("gcs::https://www.googleapis.com/storage/v1/bucket/vpc", "gcs", FLOATING),
    # OCI.
    ("oci://example.test/mods/vpc", "oci", FLOATING),
    ("oci://example.test/mods/vpc?tag=latest", "oci", FLOATING),
    ("oci://example.test/mods/vpc//child?tag=1.2.0", "oci", NAMED),
    (f"oci://example.test:5000/mods/vpc?digest=sha256:{SHA}", "oci", IMMUTABLE),
    (f"oci://example.test/mods/vpc?digest=sha256:{SHA.upper()}", "oci", REFUSED),
    ("oci://example.test/mods/vpc?digest=", "oci", REFUSED),
    ("oci://example.test/mods/vpc?tag=", "oci", REFUSED),
    ("oci://example.test/mods/vpc?tag=a&tag=b", "oci", REFUSED),
    ("oci://example.test/mods/vpc?tag=a/b", "oci", REFUSED),
    (f"oci://example.test/mods/vpc?tag=a&digest=sha256:{SHA}", "oci", REFUSED),
    ("oci://example.test/mods/vpc?ref=a&b=c", "oci", REFUSED),
    ("oci://example.test/mods/vpc:1.2.0", "oci", REFUSED),
    (f"oci://example.test/mods/vpc@sha256:{SHA}", "oci", REFUSED),
    ("oci://example.test/Mods/vpc", "oci", REFUSED),
    ("oci://example.test/mods/vpc.zip", "oci", REFUSED),
    ("oci://example.test/mods/vpc.zip?archive=false", "oci", FLOATING),
    ("oci::https://example.test/mods/vpc", "oci", REFUSED),
    # What nothing fetches.
    ("ftp://example.test/vpc", "", REFUSED),
    ("localhost:5000/acme/vpc/aws", "", REFUSED),
    ("modules", "", REFUSED),
    ("", "", REFUSED),
    ("https://exa mple.test/vpc", "", REFUSED),
    ("https://example.test:port/vpc", "", REFUSED),
    ("https://example.test/%zz", "", REFUSED),
    ("https://example.test/\x00", "", REFUSED),
    (":", "", REFUSED),
    (f"https://example.test/{'a' * 10_000}", "", REFUSED),
    ("a:b/c", "", REFUSED),
    ("\ud800", "", REFUSED),
    ("https://example.test/\ud800.zip?\ud800=\ud800", "http", FLOATING),
    ("1:b/c", "", REFUSED),
    ("git::/srv/vpc", "git", FLOATING),
    ("git::///srv/vpc", "", REFUSED),
]


@table(("text", "kind", "pinning"), SOURCES, ids=[ascii(text[:80]) for text, _, _ in SOURCES])
def test_a_source_is_of_the_kind_and_class_that_the_clients_make_of_it(text: str, kind: str, pinning: Pinning) -> None:
    found = classified(text)
    assert (found.kind, found.pinning) == (kind, pinning), found.reason
    assert found.reason


@table(
    ("version", "pinning"),
    [
        ("1.2.0", NAMED),
        ("= v1.2.0", NAMED),
        (">= 1.0, 1.2.0-rc.1+b", NAMED),
        ("~> 1.2", FLOATING),
        (">= 1.0, < 2.0", FLOATING),
        ("!= 1.2.0", FLOATING),
        (" ", FLOATING),
        ("one", REFUSED),
        ("1.0,", REFUSED),
        ("1." * 1000 + "0", REFUSED),
    ],
)
def test_an_exact_version_is_a_name_and_a_range_floats(version: str, pinning: Pinning) -> None:
    assert classified("acme/vpc/aws", version).pinning is pinning


@table(
    "text", ["./vpc", "github.com/acme/vpc", "github.com/acme/vpc/aws/x", "oci://example.test/mods/vpc", "a.b/vpc/aws"]
)
def test_only_a_registry_has_versions(text: str) -> None:
    assert classified(text, "1.2.0").pinning is REFUSED


@table(
    ("text", "unverifiable"),
    [
        ("http://example.test/vpc.zip", True),
        (f"git::http://example.test/vpc.git?ref={COMMIT}", True),
        ("git::git://example.test/vpc.git", True),
        ("git::ext::sh -c id", True),
        ("git::file:///srv/vpc", True),
        ("/srv/vpc", True),
        ("file:///srv/vpc.zip", True),
        ("git::https://example.test/vpc.git", False),
        ("git@github.com:acme/vpc.git", False),
        ("https://example.test/vpc.zip", False),
        ("oci://example.test/mods/vpc", False),
        ("acme/vpc/aws", False),
    ],
)
def test_a_transport_by_which_anybody_could_answer_is_told(text: str, unverifiable: bool) -> None:
    assert bool(classified(text).unverifiable_transport) is unverifiable


@table(
    ("text", "what"),
    [
        ("git::https://ada:s3cret@example.test/vpc.git", "a user name or password"),
        ("git::https://s3cret@example.test/vpc.git", "a user name or password"),
        ("git::ssh://git:s3cret@example.test/vpc.git", "a user name or password"),
        ("git::ssh://git@example.test/vpc.git?sshkey=s3cret", "“sshkey”"),
        ("https://example.test/vpc.zip?X-Amz-Signature=s3cret&X-Amz-Date=1", "“X-Amz-Signature”"),
        ("https://example.test/vpc.zip?sig=s3cret", "“sig”"),
        ("s3::https://s3.amazonaws.com/b/vpc.zip?aws_access_key_secret=s3cret", "“aws_access_key_secret”"),
    ],
)
def test_a_secret_in_an_address_is_told_and_not_shown(text: str, what: str) -> None:
    found = classified(text)
    assert found.secrets == (what,)
    assert "s3cret" not in f"{found}{redacted_source(text)}"


def test_a_source_that_is_no_constant_is_unknown() -> None:
    assert unknown("it is computed").pinning is Pinning.UNKNOWN


def test_a_user_that_is_no_secret_is_none() -> None:
    assert classified("git::ssh://git@example.test/vpc.git?sshkey=").secrets == ()
    assert classified("https://example.test/vpc.zip?author=ada").secrets == ()


@table(
    ("text", "shown"),
    [
        ("acme/vpc/aws", "acme/vpc/aws"),
        ("./a@b:c@d", "./a@b:c@d"),
        ("a/b@c", "a/b@c"),
        ("git@github.com:acme/vpc?ref=v1", "git@github.com:acme/vpc?ref=v1"),
        ("git::git@github.com:acme/vpc", "git::git@github.com:acme/vpc"),
        ("git::ssh://git@example.test/vpc", "git::ssh://git@example.test/vpc"),
        ("git::ssh://git:pw@example.test/vpc", "git::ssh://(secret)@example.test/vpc"),
        ("git::https://ada:pw@example.test:8443/vpc@2", "git::https://(secret)@example.test:8443/vpc@2"),
        ("https://ada:p/w@example.test/vpc", "https://(secret)@example.test/vpc"),
        ("https://ada:p?w@example.test/vpc", "https://(secret)@example.test/vpc"),
        ("https://ada:p#w@example.test/vpc", "https://(secret)@example.test/vpc"),
        ("htps:/ada:pw@example.test/vpc", "(secret)@example.test/vpc"),
        ("ada:pw@example.test:vpc", "(secret)@example.test:vpc"),
        ("git::ada@example.test:vpc", "git::(secret)@example.test:vpc"),
        ("oci://example.test/vpc@sha256:12", "oci://example.test/vpc@sha256:12"),
        ("https://example.test/vpc.zip?a=b&c&token=d&e=#f", "https://example.test/vpc.zip?a=…&…&token=(secret)&e=#…"),
        ("https://example.test/vpc.zip?&ref=a&ref=b@c", "https://example.test/vpc.zip?&ref=a&ref=…"),
        (
            "https://e.test/v.zip?checksum=file:https://a:b@e.test/s",
            "https://e.test/v.zip?checksum=file:https://(secret)@e.test/s",
        ),
        ("https://example.test/vpc?a=b@c", "https://example.test/vpc?a=…"),
    ],
)
def test_what_is_shown_of_an_address(text: str, shown: str) -> None:
    assert redacted_source(text) == shown


def test_a_long_address_is_cut_and_its_length_told() -> None:
    shown = redacted_source(f"https://example.test/{'a' * 10_000}")
    assert len(shown) < 600
    assert shown.endswith("… (10021 characters)")
