"""The sources of a CLI configuration, and which of them serve a provider."""

from __future__ import annotations

from pathlib import Path

from builders.audits import ADDRESS, VERSION

from lockwarden.core.cli_config.loading import load_cli_config
from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.core.cli_config.serving import effective_installation
from lockwarden.core.cli_config.settings import ProviderInstallation
from lockwarden.core.engine.audit import ReleasePlan
from lockwarden.core.engine.configured_sources import ORIGINS, configured_sources, overridden, with_sources
from lockwarden.core.engine.source_spelling import SourceSpec, name_sources
from lockwarden.core.evidence.source_answers import SourceKind
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.severity import Severity

OTHER = ProviderAddress.parse("registry.example.test/acme/other")


def around(folder: Path) -> Surroundings:
    return Surroundings(
        environ={"HOME": str(folder), "XDG_DATA_DIRS": str(folder / "share")},
        account_home="",
        platform=Platform("linux", "amd64"),
        directory="/infra",
    )


def installation(folder: Path, *methods: str) -> ProviderInstallation:
    lines = ["provider_installation {", *methods, "}"] if methods else []
    (folder / ".tofurc").write_text("\n".join([*lines, ""]), encoding="utf-8")
    return effective_installation(load_cli_config(around(folder)).checked(), around(folder))


def sources(folder: Path, *methods: str) -> tuple[SourceSpec, ...]:
    return configured_sources(installation(folder, *methods), around(folder))


def chosen(specs: tuple[SourceSpec, ...], address: ProviderAddress) -> ReleasePlan:
    named = {ref.id: spec for ref, spec in zip(name_sources(specs), specs, strict=True)}
    release = ReleasePlan(address=address, version=VERSION, locked=frozenset())
    return with_sources(release, named, holds=lambda folder, address: False)


def test_without_a_configuration_the_origins_are_the_only_source(tmp_path: Path) -> None:
    assert sources(tmp_path) == (ORIGINS,)
    assert chosen((ORIGINS,), ADDRESS).sources == {"direct"}


def test_every_method_is_a_source_in_the_order_of_the_configuration(tmp_path: Path) -> None:
    specs = sources(
        tmp_path,
        'filesystem_mirror { path = "mirror" }',
        'network_mirror { url = "https://user:pass@m.example.test/providers" }',
        'oci_mirror { repository_template = "oci.example.test/${hostname}/${namespace}/${type}" }',
        "direct { download_retry_count = 5 }",
    )
    assert [(spec.kind, spec.location) for spec in specs] == [
        (SourceKind.FILESYSTEM_MIRROR, "/infra/mirror"),
        (SourceKind.NETWORK_MIRROR, "https://m.example.test/"),
        (SourceKind.OCI_MIRROR, "oci://oci.example.test/${hostname}/${namespace}/${type}"),
        (SourceKind.DIRECT, "direct"),
    ]
    assert [ref.id for ref in name_sources(specs)] == ["mirror", "m.example.test", "oci.example.test", "direct"]
    assert "pass" not in repr(specs)


def test_a_mirror_at_a_url_that_nobody_can_read_stays_in_the_list(tmp_path: Path) -> None:
    (spec,) = sources(tmp_path, f'network_mirror {{ url = "https://{"a" * 64}\\u00fc.example.test:0443/x/" }}')
    assert spec.kind is SourceKind.NETWORK_MIRROR
    assert "example.test" in spec.location


def test_only_sources_that_serve_the_provider_are_chosen(tmp_path: Path) -> None:
    specs = sources(
        tmp_path,
        f'network_mirror {{\n url = "https://m.example.test/"\n include = ["{ADDRESS}"]\n}}',
        f'direct {{ exclude = ["{ADDRESS}"] }}',
    )
    assert chosen(specs, ADDRESS).sources == {"m.example.test"}
    assert chosen(specs, OTHER).sources == {"direct"}
    assert chosen(specs, OTHER).problems == ()


def test_the_same_place_is_asked_once(tmp_path: Path) -> None:
    mirror = 'network_mirror { url = "https://m.example.test/" }'
    specs = sources(tmp_path, mirror, mirror, "direct { download_retry_count = 1 }")
    assert chosen((*specs, ORIGINS), ADDRESS).sources == {"m.example.test", "direct"}


def test_a_source_that_was_named_serves_what_the_configuration_leaves_out(tmp_path: Path) -> None:
    specs = (*sources(tmp_path, f'direct {{ exclude = ["{ADDRESS}"] }}'), ORIGINS)
    assert chosen(specs, ADDRESS).sources == {"direct (2)"}
    assert chosen(specs, OTHER).sources == {"direct"}


def test_a_provider_that_nothing_serves_is_a_problem(tmp_path: Path) -> None:
    release = chosen(sources(tmp_path, f'direct {{ exclude = ["{ADDRESS}"] }}'), ADDRESS)
    assert release.sources == frozenset()
    (problem,) = release.problems
    assert (problem.code, problem.severity) == ("no-source", Severity.WARNING)
    assert str(ADDRESS) in problem.message


def test_an_override_is_a_note_for_its_provider_alone(tmp_path: Path) -> None:
    made = installation(tmp_path, f'dev_overrides {{\n "{ADDRESS}" = "/build"\n}}', "direct {}")
    release = ReleasePlan(address=ADDRESS, version=VERSION, locked=frozenset())
    (note,) = overridden(release, made).problems
    assert (note.code, note.severity) == ("dev-override", Severity.NOTE)
    assert note.message == f"{tmp_path / '.tofurc'}:3 replaces {ADDRESS} with what is in /build"
    other = ReleasePlan(address=OTHER, version=VERSION, locked=frozenset())
    assert overridden(other, made) == other
