"""A CLI configuration made ready for an audit: settings for HTTP, services of hosts, credentials for OCI registries."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockwarden.cli.surroundings import clock
from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.configured_sources import ORIGINS
from lockwarden.core.engine.operator_configuration import Configured, ConfiguredOciCredentials
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.source_spelling import parse_source_spec
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.values.clients import Client
from lockwarden.core.values.platforms import Platform


def configured(folder: Path, text: str, **environ: str) -> Configured:
    (folder / ".tofurc").write_text(text, encoding="utf-8")
    return Configured.of(
        Surroundings(
            environ={"HOME": str(folder), "XDG_DATA_DIRS": str(folder / "share"), **environ},
            account_home="",
            platform=Platform("linux", "amd64"),
            directory=str(folder),
        )
    )


def services_to_each(made: Configured) -> list[dict[str, dict[str, str | None]]]:
    """What hosts offer to OpenTofu, and to Terraform."""
    return [{host: dict(offered) for host, offered in made.services(client).items()} for client in Client]


@pytest.mark.parametrize(
    ("count", "seconds", "expected"),
    [("0", "3", (0, 3.0)), ("-4", "-1", (0, 10.0)), ("1000000", "999999999999", (100, 86400.0)), ("7", "0", (7, 10.0))],
)
def test_retries_and_timeouts_are_taken_as_far_as_they_make_sense(
    tmp_path: Path, count: str, seconds: str, expected: tuple[int, float]
) -> None:
    text = f"registry_protocols {{\n  retry_count = {count}\n  request_timeout_seconds = {seconds}\n}}\n"
    made = configured(tmp_path, text).http(HttpSettings())
    assert (made.metadata_retries, made.metadata_timeout) == expected


def test_a_variable_wins_over_the_file(tmp_path: Path) -> None:
    environ = {"TF_REGISTRY_DISCOVERY_RETRY": "9"}
    text = "registry_protocols {\n  retry_count = 3\n  request_timeout_seconds = 4\n}\n"
    made = configured(tmp_path, text, **environ).http(HttpSettings.from_environment(environ))
    assert (made.metadata_retries, made.metadata_timeout) == (9, 4.0)


def test_nothing_configured_changes_nothing(tmp_path: Path) -> None:
    assert configured(tmp_path, "").http(HttpSettings(metadata_retries=5)) == HttpSettings(metadata_retries=5)
    assert services_to_each(configured(tmp_path, "")) == [{}, {}]


def test_services_are_known_by_the_hosts_comparison_form(tmp_path: Path) -> None:
    text = 'host "Registry.Example.test" {\n  services = { "providers.v1" = "/v1/" }\n}\nhost "::" {}\n'
    assert services_to_each(configured(tmp_path, text)) == 2 * [{"registry.example.test": {"providers.v1": "/v1/"}}]


def test_of_two_spellings_of_a_host_the_last_one_counts(tmp_path: Path) -> None:
    text = "".join(
        f'host "{name}" {{\n  services = {{ "providers.v1" = "{path}" }}\n}}\n'
        for name, path in (("Registry.Example.test", "/first/"), ("registry.example.test", "/last/"))
    )
    assert services_to_each(configured(tmp_path, text)) == 2 * [{"registry.example.test": {"providers.v1": "/last/"}}]


def test_oci_credentials_keep_their_place_and_hide_their_secret(tmp_path: Path) -> None:
    text = (
        'oci_credentials "a.test" {\n  username = "u"\n  password = "sesame"\n}\n'
        'oci_credentials "b.test" {\n  access_token = "sesame"\n  refresh_token = "r"\n}\n'
    )
    lookup = ConfiguredOciCredentials(configured(tmp_path, text))
    basic, token = lookup.lookup("a.test", "x/y"), lookup.lookup("b.test", "x/y")
    assert basic is not None
    assert token is not None
    assert (basic.username, basic.password, basic.access_token) == ("u", "sesame", "")
    assert (token.username, token.password, token.access_token) == ("", "", "sesame")
    assert basic.origin == f"oci_credentials block ({tmp_path / '.tofurc'}:1)"
    assert "sesame" not in repr((basic, token))
    assert lookup.lookup("c.test", "x/y") is None


def test_sources_that_are_named_replace_all_that_are_configured(tmp_path: Path) -> None:
    made = configured(tmp_path, 'provider_installation {\n  network_mirror {\n    url = "https://m.test/"\n  }\n}\n')
    runtime = Runtime(environ={}, now=clock, cache_folder=None, configured=made)
    named = parse_source_spec("direct", directory=tmp_path)
    platforms = PlatformChoice(wanted=frozenset())
    assert runtime.sources_for(AuditOptions(sources=(named,), platforms=platforms)) == (ORIGINS,)
    (mirror,) = runtime.sources_for(AuditOptions(sources=(), platforms=platforms))
    assert mirror.location == "https://m.test/"
    assert Runtime(environ={}, now=clock, cache_folder=tmp_path).sources_for(
        AuditOptions(sources=(), platforms=platforms)
    ) == (ORIGINS,)
