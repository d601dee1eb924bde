"""What an operator may write for a source, and what each source is called."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders.tables import table

from lockwarden.core.engine.source_spelling import SourceSpec, name_sources, parse_source_spec
from lockwarden.core.evidence.source_answers import SourceKind
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.mirror_locations import MAX_LENGTH
from lockwarden.core.values.urls import is_loopback


def _mirror(location: str) -> SourceSpec:
    return SourceSpec(kind=SourceKind.NETWORK_MIRROR, location=location)


def _oci(location: str) -> SourceSpec:
    return SourceSpec(kind=SourceKind.OCI_MIRROR, location=location)


def _message(text: str, directory: Path) -> str:
    with pytest.raises(InputError) as caught:
        parse_source_spec(text, directory=directory)
    assert caught.value.hint
    return f"{caught.value.message} {caught.value.hint}"


def test_the_word_direct_is_the_origin_registry(tmp_path: Path) -> None:
    assert parse_source_spec("direct", directory=tmp_path) == SourceSpec(kind=SourceKind.DIRECT, location="direct")


def test_a_folder_named_direct_is_reached_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "direct").mkdir()
    spec = parse_source_spec("./direct", directory=tmp_path)
    assert spec == SourceSpec(kind=SourceKind.FILESYSTEM_MIRROR, location=str(tmp_path / "direct"))


@pytest.mark.parametrize(
    ("text", "location"),
    [
        ("https://mirror.example.test/providers/", "https://mirror.example.test/providers/"),
        ("HTTPS://Mirror.Example.Test/P/", "https://mirror.example.test/P/"),
        ("https://mirror.example.test", "https://mirror.example.test/"),
        ("https://mirror.example.test:443/p/", "https://mirror.example.test/p/"),
        ("https://mirror.example.test:8443/p/", "https://mirror.example.test:8443/p/"),
        ("https://bücher.example/p/", "https://xn--bcher-kva.example/p/"),
        ("https://xn--bcher-kva.example/p/", "https://xn--bcher-kva.example/p/"),
        ("https://xn--bcher-kva.example:443/p/", "https://xn--bcher-kva.example/p/"),
        ("https://xn--bcher-kva.example:444/p/", "https://xn--bcher-kva.example:444/p/"),
        ("https://[2001:DB8::1]/p/", "https://[2001:db8::1]/p/"),
        ("https://[2001:db8::1]:8443/p/", "https://[2001:db8::1]:8443/p/"),
        ("http://localhost:8080/p/", "http://localhost:8080/p/"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
    ],
)
def test_a_url_is_a_network_mirror_with_its_host_in_comparison_form(text: str, location: str, tmp_path: Path) -> None:
    assert parse_source_spec(text, directory=tmp_path) == _mirror(location)


@pytest.mark.parametrize("behind", ["/ ", "/\t", "/a b/"])
def test_a_space_in_a_url_is_told_with_a_hint_that_helps(behind: str, tmp_path: Path) -> None:
    told = _message(f"https://mirror.example.test{behind}", tmp_path)
    assert "has a space or a control character leave it out; a space in the path is written %20" in told


def test_plain_http_is_refused_unless_the_host_is_allowed(tmp_path: Path) -> None:
    assert "plain HTTP" in _message("http://mirror.example.test/p/", tmp_path)
    allowed = frozenset({"mirror.example.test", "other.example.test:8080"})
    for text in (
        "http://mirror.example.test/p/",
        "http://mirror.example.test:81/p/",
        "http://other.example.test:8080/",
    ):
        assert parse_source_spec(text, directory=tmp_path, insecure_hosts=allowed) == _mirror(text)
    with pytest.raises(InputError, match="plain HTTP"):
        parse_source_spec("http://other.example.test/", directory=tmp_path, insecure_hosts=allowed)


def test_a_url_without_a_slash_at_its_end_is_refused_with_the_one_to_write(tmp_path: Path) -> None:
    message = _message("https://mirror.example.test/providers", tmp_path)
    assert "drop its last part" in message
    assert "write https://mirror.example.test/providers/" in message


@pytest.mark.parametrize("user", ["alice:geheim", "geheim", ":geheim"])
def test_user_information_in_a_url_is_refused_and_not_repeated(user: str, tmp_path: Path) -> None:
    message = _message(f"https://{user}@mirror.example.test/p/", tmp_path)
    assert "password" in message
    assert "geheim" not in message


@pytest.mark.parametrize("rest", ["p/?token=geheim", "p/#geheim", "p/?", "p/#"])
def test_a_query_or_a_fragment_is_refused_and_not_repeated(rest: str, tmp_path: Path) -> None:
    message = _message(f"https://mirror.example.test/{rest}", tmp_path)
    assert "a query or a fragment" in message
    assert "geheim" not in message


@pytest.mark.parametrize(
    "text",
    [
        "https:///p/",
        "https://[::1/p/",
        "https://[fe80::1%eth0]/p/",
        "https://-bad-.example/p/",
        "https://mirror.example.test:99999/p/",
        "https://mirror.example.test:a/p/",
        "https://xn--bcher-kva.example:99999/p/",
    ],
)
def test_a_url_without_a_usable_host_is_refused(text: str, tmp_path: Path) -> None:
    assert "no host name" in _message(text, tmp_path)


def test_a_url_with_a_space_is_refused(tmp_path: Path) -> None:
    assert "space" in _message("https://mirror.example.test/a b/", tmp_path)


@pytest.mark.parametrize(
    ("text", "location"),
    [
        ("oci://registry.example.test/{namespace}/{type}", "oci://registry.example.test/{namespace}/{type}"),
        ("OCI://Registry.Example.Test:5000/{type}", "oci://Registry.Example.Test:5000/{type}"),
        (
            "oci://127.0.0.1:5000/a/{hostname}/{namespace}/{type}",
            "oci://127.0.0.1:5000/a/{hostname}/{namespace}/{type}",
        ),
        ("oci://[::1]:5000/{type}", "oci://[::1]:5000/{type}"),
    ],
)
def test_an_oci_template_is_an_oci_mirror_and_stays_as_written(text: str, location: str, tmp_path: Path) -> None:
    assert parse_source_spec(text, directory=tmp_path) == _oci(location)


@pytest.mark.parametrize(
    "text",
    [
        "oci://",
        "oci://registry.example.test",
        "oci://registry.example.test/",
        "oci://registry.example.test/UPPER/{type}",
        "oci://registry.example.test/{type}:1.0.0",
        "oci://registry.example.test/{type}?a=b",
        "oci://registry.example.test:99999/{type}",
        "oci://oci://registry.example.test/{type}",
    ],
)
def test_a_template_that_leads_to_no_repository_is_refused_with_the_form(text: str, tmp_path: Path) -> None:
    message = _message(text, tmp_path)
    assert "leads to no repository" in message
    assert "{namespace}" in message


def test_the_form_of_the_cli_configuration_is_pointed_out(tmp_path: Path) -> None:
    message = _message("oci://registry.example.test/${namespace}/${type}", tmp_path)
    assert "${namespace} is the form of the CLI configuration" in message


def test_credentials_in_a_template_are_refused_and_not_repeated(tmp_path: Path) -> None:
    message = _message("oci://alice:geheim@registry.example.test/{type}", tmp_path)
    assert "password" in message
    assert "oci_credentials" in message
    assert "geheim" not in message


@pytest.mark.parametrize("text", ["ftp://mirror.example.test/", "file:///srv/mirror", "git+ssh://x/"])
def test_other_schemes_are_no_source(text: str, tmp_path: Path) -> None:
    assert "any kind of source" in _message(text, tmp_path)


@pytest.mark.parametrize("text", ["", "  ", "a\0b", "x" * (MAX_LENGTH + 1)])
def test_texts_that_stand_for_nothing_are_refused(text: str, tmp_path: Path) -> None:
    assert "write direct" in _message(text, tmp_path)


def test_a_folder_is_a_filesystem_mirror(tmp_path: Path) -> None:
    folder = tmp_path / "mirror"
    folder.mkdir()
    expected = SourceSpec(kind=SourceKind.FILESYSTEM_MIRROR, location=str(folder))
    for text in ("mirror", "./mirror", "mirror/", str(folder), "../" + tmp_path.name + "/mirror"):
        assert parse_source_spec(text, directory=tmp_path) == expected


def test_a_folder_that_ends_in_dot_terraform_providers_holds_installed_providers(tmp_path: Path) -> None:
    folder = tmp_path / ".terraform" / "providers"
    folder.mkdir(parents=True)
    spec = parse_source_spec(".terraform/providers/", directory=tmp_path)
    assert spec == SourceSpec(kind=SourceKind.INSTALLED, location=str(folder))


@pytest.mark.parametrize(
    ("prefix", "kind"), [("plugin-cache", SourceKind.PLUGIN_CACHE), ("installed", SourceKind.INSTALLED)]
)
def test_a_prefix_says_what_a_folder_holds(prefix: str, kind: SourceKind, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    spec = parse_source_spec(f"{prefix}:data", directory=tmp_path)
    assert spec == SourceSpec(kind=kind, location=str(tmp_path / "data"))


@pytest.mark.parametrize("text", ["nowhere", "plugin-cache:nowhere", "installed:", "file", "x" * 300])
def test_what_is_no_folder_is_no_source(text: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "there is no such folder" in _message(text, tmp_path)


def test_a_mirror_without_its_scheme_is_pointed_out(tmp_path: Path) -> None:
    assert "write https://mirror.example.test/p/" in _message("mirror.example.test/p/", tmp_path)
    assert "write direct" in _message("./p/", tmp_path)


@table("host", ["localhost", "LOCALHOST.", "127.0.0.1", "127.8.9.1", "::1"])
def test_this_machine_is_known_by_its_names(host: str) -> None:
    assert is_loopback(host)


@table("host", ["", "localhost.example.test", "10.0.0.1", "example.test", "0.0.0.0"])
def test_other_hosts_are_not_this_machine(host: str) -> None:
    assert not is_loopback(host)


def test_names_are_short_while_they_are_unique() -> None:
    specs = [
        SourceSpec(kind=SourceKind.DIRECT, location="direct"),
        _mirror("https://mirror.example.test/"),
        SourceSpec(kind=SourceKind.FILESYSTEM_MIRROR, location="/srv/mirror"),
        SourceSpec(kind=SourceKind.PLUGIN_CACHE, location="/home/me/plugin-cache"),
        SourceSpec(kind=SourceKind.INSTALLED, location="/infra/.terraform/providers"),
    ]
    refs = name_sources(specs)
    assert [ref.id for ref in refs] == [
        "direct",
        "mirror.example.test",
        "mirror",
        "plugin-cache",
        ".terraform/providers",
    ]
    assert [(ref.kind, ref.location) for ref in refs] == [(spec.kind, spec.location) for spec in specs]


def test_names_grow_and_then_count_until_they_are_unique() -> None:
    specs = [
        _mirror("https://mirror.example.test/a/"),
        _mirror("https://mirror.example.test/b/"),
        _mirror("https://mirror.example.test/b/"),
        _mirror("https://mirror.example.test/b/"),
        SourceSpec(kind=SourceKind.FILESYSTEM_MIRROR, location="/srv/mirror"),
        SourceSpec(kind=SourceKind.FILESYSTEM_MIRROR, location="/opt/mirror"),
        SourceSpec(kind=SourceKind.FILESYSTEM_MIRROR, location="/a/opt/mirror"),
        SourceSpec(kind=SourceKind.FILESYSTEM_MIRROR, location="/srv/direct"),
        SourceSpec(kind=SourceKind.DIRECT, location="direct"),
        SourceSpec(kind=SourceKind.FILESYSTEM_MIRROR, location="/"),
        _oci("oci://registry.example.test/{type}"),
        _oci("oci://registry.example.test/{namespace}/{type}"),
        _oci("oci://registry.example.test/{namespace}/{type}"),
    ]
    assert [ref.id for ref in name_sources(specs)] == [
        "mirror.example.test",
        "mirror.example.test/b",
        "mirror.example.test/b (2)",
        "mirror.example.test/b (3)",
        "mirror",
        "opt/mirror",
        "/a/opt/mirror",
        "srv/direct",
        "direct",
        "/",
        "registry.example.test",
        "registry.example.test/{namespace}/{type}",
        "registry.example.test/{namespace}/{type} (2)",
    ]
