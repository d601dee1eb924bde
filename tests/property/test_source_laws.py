"""Laws of module sources: any text is read or refused with a sentence, and no secret is in what is shown of it."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from lockwarden.core.configuration.native import read_native
from lockwarden.core.configuration.syntax import UnreadableProblem
from lockwarden.core.modules.calls import CallsFile, calls_of
from lockwarden.core.modules.installed import read_installed
from lockwarden.core.modules.pinning import Pinning, classify
from lockwarden.core.modules.resolution import GitRepository, archive_url, git_repository, pinned_git, revision_in
from lockwarden.core.modules.sources import Getter, RemoteSource, parse_module_source
from lockwarden.core.values.errors import ModuleSourceError
from lockwarden.core.values.go_json import BodyError
from lockwarden.core.values.source_redaction import redacted_source

SECRET = "s3cretPassw0rd"
PARTS = st.sampled_from(
    (
        *("git::", "hg::", "oci://", "https://", "http://", "ssh://", "git@", "file://", "s3::", "x::", "://", "::"),
        *("example.test", "github.com/", "bitbucket.org/", ".amazonaws.com/", ".googleapis.com/", "localhost", "[::1]"),
        *("/", "//", "?", "#", "&", ";", ":", "@", "=", "..", ".", "\\", "%zz", "%41", " ", "\0", "\n", "ü", "\ud800"),
        *("a/b/c", "vpc.git", "v.zip", "ref", "tag", "digest", "checksum", "archive", "latest", "sha256:", "0" * 40),
    )
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(PARTS, max_size=12).map("".join))


@given(TEXTS, st.booleans(), st.text(max_size=20))
@example("git::https://example.test/v?ref=" + "0" * 40, False, "")
def test_any_text_is_a_source_or_is_refused_with_a_sentence(text: str, versioned: bool, version: str) -> None:
    shown = redacted_source(text)
    assert len(shown) < 600
    try:
        source = parse_module_source(text, versioned=versioned)
    except ModuleSourceError:
        return
    found = classify(source, version)
    assert found.reason
    assert found.pinning is not Pinning.UNKNOWN
    if isinstance(source, RemoteSource) and source.getter in {Getter.HTTP, Getter.HTTPS}:
        archive_url(source, text)
    if isinstance(source, RemoteSource) and source.getter is Getter.GIT:
        asked = git_repository(source)
        if isinstance(asked, GitRepository):
            revision_in(b"", asked.ref)
            assert asked.url.startswith(("https://", "ssh://"))
            assert asked.url.isprintable()
            assert_pinned(text, source, pinned_git(text, "f" * 40))


def assert_pinned(text: str, source: RemoteSource, pinned: str) -> None:
    """The pinned source is the same place, at the commit."""
    assert bool(pinned) is ("#" not in text)
    if pinned:
        again = parse_module_source(pinned)
        assert isinstance(again, RemoteSource)
        assert again.url.first("ref") == "f" * 40
        assert (again.url.host, again.url.path) == (source.url.host, source.url.path)


@given(
    st.sampled_from(("", "git::", "hg::")),
    st.sampled_from(("https", "http", "ssh", "oci", "ftp")),
    st.sampled_from(("ada:{}", "{}", "ada:a/{}", "ada:a?{}", "ada:a#{}", "ada:{}@x", "ada:a@{}")),
    TEXTS,
)
def test_a_password_before_the_host_is_never_shown(getter: str, scheme: str, user: str, rest: str) -> None:
    secret_user = user.format(SECRET)
    if scheme == "ssh" and ":" not in secret_user:
        return  # the name of a user
    assert SECRET not in redacted_source(f"{getter}{scheme}://{secret_user}@example.test/{rest}")


@given(TEXTS.filter(lambda text: "?" not in text and "#" not in text), st.sampled_from(("token", "sshkey", "x", "sig")))
def test_the_value_of_an_argument_that_may_be_a_secret_is_never_shown(text: str, name: str) -> None:
    assert SECRET not in redacted_source(f"{text}?ref=v1&{name}={SECRET}&tag=x")


@given(st.text(max_size=80))
def test_any_configuration_has_calls_or_cannot_be_read(text: str) -> None:
    try:
        body = read_native(f'module "m" {{\n  source = "./a"\n}}\n{text}')
    except UnreadableProblem:
        return
    assert calls_of([CallsFile(path="main.tf", body=body)])[0].line == 2


@given(st.binary(max_size=80))
def test_any_list_of_installed_modules_is_read_or_refused(data: bytes) -> None:
    try:
        installed = read_installed(data)
    except BodyError:
        return
    assert read_installed(data) == installed
