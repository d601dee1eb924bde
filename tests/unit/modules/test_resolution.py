"""Which repository and reference a source of git means, what a list of references says of it, and the pinned source."""

from __future__ import annotations

import pytest
from builders.tables import table

from lockwarden.core.modules.oci_sources import oci_source
from lockwarden.core.modules.resolution import (
    ArchiveUrl,
    GitRepository,
    PageUrl,
    Unresolved,
    archive_url,
    git_repository,
    page_url,
    pinned_archive,
    pinned_git,
    question_of,
    revision_in,
    wanted_references,
)
from lockwarden.core.modules.sources import RemoteSource, parse_module_source

A, B, C = ("a" * 40, "b" * 40, "c" * 40)
LISTING = (
    f"{A}\tHEAD\n{A}\trefs/heads/main\n{B}\trefs/heads/v1.0.0\n{C}\trefs/tags/v1.0.0\n{B}\trefs/tags/v1.0.0^{{}}\n"
    f"{C}\trefs/tags/plain\nno list\n{'d' * 41}\trefs/tags/odd\n{C}\trefs/heads/feature/x\n"
).encode()


@table(
    ("ref", "commit", "how"),
    [
        ("", A, "its default branch"),
        ("HEAD", A, "its default branch"),
        ("main", A, "its branch main"),
        ("origin/main", A, "its branch main"),
        ("feature/x", C, "its branch feature/x"),
        ("v1.0.0", B, "its tag v1.0.0, and not its branch v1.0.0"),
        ("plain", C, "its tag plain"),
        ("tags/plain", C, "its tag plain"),
        ("refs/tags/plain", C, "its reference refs/tags/plain"),
    ],
)
def test_a_name_stands_for_what_a_fresh_clone_makes_of_it(ref: str, commit: str, how: str) -> None:
    assert revision_in(LISTING, ref) == (commit, how)


@table(
    ("ref", "absent"),
    [
        ("gone", True),
        ("odd", True),
        ("refs/tags/gone", True),
        ("0123abc", False),
        ("v1~2", False),
        ("refs/heads/main", False),
        ("refs/notes/x", False),
        ("heads/main", False),
    ],
)
def test_what_is_not_there_is_told_apart_from_what_only_a_clone_can_tell(ref: str, absent: bool) -> None:
    found = revision_in(LISTING, ref)
    assert isinstance(found, Unresolved)
    assert (found.absent, bool(found.hint)) == (absent, True)


def test_a_repository_without_commits_has_no_default_branch() -> None:
    found = revision_in(b"", "")
    assert isinstance(found, Unresolved)
    assert (found.absent, found.reason) == (True, "the repository has no default branch")
    assert wanted_references("a b") == ()


def remote(text: str) -> RemoteSource:
    source = parse_module_source(text)
    assert isinstance(source, RemoteSource)
    return source


@pytest.mark.parametrize(
    ("text", "url", "ref"),
    [
        ("github.com/acme/vpc//child?ref=v1", "https://github.com/acme/vpc.git", "v1"),
        ("git@example.test:acme/vpc.git", "ssh://git@example.test/acme/vpc.git", ""),
        ("git::https://example.test:8443/a%20b?depth=1", "https://example.test:8443/a%20b", ""),
    ],
)
def test_a_source_of_git_is_a_repository_and_a_name(text: str, url: str, ref: str) -> None:
    assert git_repository(remote(text)) == GitRepository(url, ref)


@table(
    "text",
    [
        "git::https://ada:s3cret@example.test/vpc",
        "git::https://s3cret@example.test/vpc",
        "git::ssh://git:s3cret@example.test/vpc",
        "git::ssh://git@example.test/vpc?sshkey=s3cret",
        "git::https://example.test/vpc?token=s3cret",
        "git::http://example.test/vpc",
        "git::git://example.test/vpc",
        "git::ext::sh -c id",
        "git::/srv/vpc",
        "git::https:///vpc",
        "git::ssh:vpc",
    ],
)
def test_nobody_is_asked_with_a_secret_or_by_another_way_than_https_and_ssh(text: str) -> None:
    found = git_repository(remote(text))
    assert isinstance(found, Unresolved)
    assert not found.absent
    assert "s3cret" not in found.reason + found.hint


@table(
    ("source", "pinned"),
    [
        ("github.com/acme/vpc", f"github.com/acme/vpc?ref={A}"),
        ("github.com/acme/vpc//x?a=b&%72ef=v1&depth=1", f"github.com/acme/vpc//x?a=b&ref={A}"),
        ("github.com/acme/vpc?ref=v1&ref=v2", f"github.com/acme/vpc?ref={A}"),
        ("github.com/acme/vpc#x", ""),
    ],
)
def test_the_pinned_source_has_the_commit_and_keeps_all_else(source: str, pinned: str) -> None:
    assert pinned_git(source, A) == pinned
    assert not pinned or parse_module_source(pinned) != parse_module_source(source)


@pytest.mark.parametrize(
    ("text", "url", "kind"),
    [
        ("https://example.test/vpc.zip//child?checksum=md5:0&a=b%20c", "https://example.test/vpc.zip?a=b%20c", "zip"),
        ("http::https://example.test/vpc?archive=tgz", "https://example.test/vpc", "tgz"),
        ("https://example.test/vpc.tar.xz#x", "https://example.test/vpc.tar.xz", "tar.xz"),
    ],
)
def test_an_archive_is_where_its_source_says_without_what_is_the_clients(text: str, url: str, kind: str) -> None:
    assert archive_url(remote(text), text) == ArchiveUrl(url, kind)


@pytest.mark.parametrize(
    "text", ["http://example.test/vpc.zip", "https:///vpc.zip", "https://ada:s3cret@example.test/vpc.zip"]
)
def test_no_archive_is_fetched_by_plain_http_or_with_a_password(text: str) -> None:
    found = archive_url(remote(text), text)
    assert isinstance(found, Unresolved)
    assert "s3cret" not in found.reason + found.hint


@pytest.mark.parametrize(
    ("source", "pinned"),
    [
        ("https://example.test/vpc.zip", "https://example.test/vpc.zip?checksum=sha256:1"),
        (
            "https://example.test/v//x?archive=zip&checksum=md5:0",
            "https://example.test/v//x?archive=zip&checksum=sha256:1",
        ),
        ("https://example.test/vpc.zip#x", ""),
    ],
)
def test_a_pinned_archive_has_its_checksum(source: str, pinned: str) -> None:
    assert pinned_archive(source, "sha256:1") == pinned


SHORT = A[:7]


@table(
    ("listing", "wanted"),
    [
        (f"{A}\trefs/heads/main\n{B}\trefs/heads/x\n", A),
        (f"{B}\trefs/tags/v1\n{A}\trefs/tags/v1^{{}}\n", A),
        (f"{A}\trefs/tags/v1\n{B}\trefs/tags/v1^{{}}\n{B}\trefs/heads/{SHORT}\n", B),
        (f"{A}\trefs/heads/main\n{B}\trefs/heads/{SHORT}\n", A),
        (f"{A}\trefs/heads/main\n{B}\trefs/tags/{SHORT}\n", B),
        (f"{A}\trefs/heads/main\n{A}\trefs/heads/x\n", A),
    ],
)
def test_the_beginning_of_a_commit_is_a_tag_then_a_commit_then_a_branch(listing: str, wanted: str) -> None:
    found = revision_in(listing.encode(), SHORT)
    assert not isinstance(found, Unresolved)
    assert found[0] == wanted


def test_a_beginning_that_no_end_of_a_branch_has_or_several_is_open() -> None:
    for listing in (f"{B}\trefs/heads/main\n", f"{A}\trefs/heads/main\n{A[:-1]}0\trefs/heads/x\n"):
        found = revision_in(listing.encode(), SHORT)
        assert isinstance(found, Unresolved)
        assert not found.absent
        assert "write the whole ID" in found.hint


@table(
    ("text", "wanted"),
    [
        ("https://example.test/vpc", PageUrl("https://example.test/vpc?terraform-get=1")),
        ("https://example.test/vpc.zip?archive=false&a=b", PageUrl("https://example.test/vpc.zip?a=b&terraform-get=1")),
        ("https://example.test/vpc.zip", ArchiveUrl("https://example.test/vpc.zip", "zip")),
        ("git::https://example.test/vpc?ref=v1", GitRepository("https://example.test/vpc", "v1")),
    ],
)
def test_what_is_asked_goes_by_the_kind(text: str, wanted: object) -> None:
    assert question_of(remote(text), text) == wanted
    oci = "oci://example.test/mods/vpc?tag=1.0.0"
    assert question_of(remote(oci), oci) == oci_source(remote(oci))
    assert oci_source(remote(f"{oci}")).whole == oci_source(remote("oci://example.test/mods/vpc//x?tag=2.0.0")).whole


@table(
    ("text", "why"),
    [
        ("s3::https://s3.amazonaws.com/bucket/vpc.zip", "buckets"),
        ("gcs::https://www.googleapis.com/storage/v1/bucket/vpc.zip", "buckets"),
        ("hg::https://example.test/vpc?rev=1", "Mercurial"),
        ("/srv/modules/vpc", "folder of the machine"),
        ("bitbucket.org/acme/vpc", "Bitbucket"),
    ],
)
def test_what_cannot_be_resolved_here_says_so_with_the_reason(text: str, why: str) -> None:
    found = question_of(remote(text), text)
    assert isinstance(found, Unresolved)
    assert found.reason.startswith("it cannot be resolved here: ")
    assert why in found.reason
    assert (bool(found.hint), found.absent) == (True, False)


def test_no_page_is_asked_for_with_a_password() -> None:
    assert isinstance(page_url(remote("https://ada:s3cret@example.test/vpc"), "x"), Unresolved)
