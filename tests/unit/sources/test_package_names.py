"""What file names of a release say."""

from __future__ import annotations

import pytest
from builders.tables import table

from lockwarden.core.sources.registry.package_names import (
    FileKind,
    Spelling,
    label_of,
)
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version

LINUX = Platform("linux", "amd64")


@table(
    ("name", "kind", "platform"),
    [
        ("terraform-provider-widget_1.2.3_linux_amd64.zip", FileKind.PACKAGE, LINUX),
        ("terraform-provider-widget_1.2.3_weird_platform.zip", FileKind.PACKAGE, Platform("weird", "platform")),
        ("terraform-provider-widget_1.2.3_manifest.json", FileKind.COMPANION, None),
        ("terraform-provider-widget_1.2.3_SHA256SUMS.sig", FileKind.COMPANION, None),
        ("terraform-provider-widget_1.2.3.sbom.json", FileKind.COMPANION, None),
        ("terraform-provider-widget_1.2.3", FileKind.COMPANION, None),
        ("terraform-provider-widget_1.2.3_linux_amd64.zip.sbom.json", FileKind.COMPANION, None),
        ("terraform-provider-widget_1.2.3_linux.zip", FileKind.PACKAGE, None),
        ("terraform-provider-widget_1.2.3__.zip", FileKind.PACKAGE, None),
        ("terraform-provider-widget_1.2.3_linux_amd64_v1.zip", FileKind.PACKAGE, None),
        ("terraform-provider-widget_1.2.3.zip", FileKind.PACKAGE, None),
        ("terraform-provider-widget_v1.2.3_linux_amd64.zip", FileKind.PACKAGE, LINUX),
        ("Terraform-Provider-widget_1.2.3_linux_amd64.ZIP", FileKind.PACKAGE, LINUX),
        ("./terraform-provider-widget_1.2.3_linux_amd64.zip", FileKind.PACKAGE, LINUX),
        ("dist\\terraform-provider-widget_1.2.3_linux_amd64.zip", FileKind.PACKAGE, LINUX),
        ("https://dl.test/terraform-provider-widget_1.2.3_linux_amd64.zip?sig=a/b", FileKind.PACKAGE, LINUX),
        ("terraform-provider-widget-linux-amd64.zip", FileKind.OTHER, None),
        ("terraform-provider-widget_linux_amd64.zip", FileKind.OTHER, None),
        ("terraform-provider-widget_latest_linux_amd64.zip", FileKind.OTHER, None),
        ("terraform-provider-_1.2.3_linux_amd64.zip", FileKind.OTHER, None),
        ("widget_1.2.4_linux_amd64.zip", FileKind.OTHER, None),
        ("LICENSE", FileKind.OTHER, None),
        ("", FileKind.OTHER, None),
    ],
)
def test_a_file_name_says_what_the_file_is_to_the_release(name: str, kind: FileKind, platform: Platform | None) -> None:
    label = label_of(name, type_name="widget", version=Version.parse("1.2.3"))
    assert (label.kind, label.platform, label.release) == (kind, platform, "")


@table(
    ("name", "release"),
    [
        ("terraform-provider-widget_1.2.30_linux_amd64.zip", "widget 1.2.30"),
        ("terraform-provider-widget_v1.2.30_linux_amd64.zip", "widget 1.2.30"),
        ("terraform-provider-widget_1.2.3.4_linux_amd64.zip", "widget 1.2.3.4"),
        ("terraform-provider-widget_1.2.3.sbom_linux_amd64.zip", "widget 1.2.3.sbom"),
        ("terraform-provider-widget_1.2.3-beta_linux_amd64.zip", "widget 1.2.3-beta"),
        ("terraform-provider-widget_1.2.3+build_linux_amd64.zip", "widget 1.2.3+build"),
        ("terraform-provider-widget_1.2.2_linux_amd64.zip", "widget 1.2.2"),
        ("terraform-provider-widget_1.2_linux_amd64.zip", "widget 1.2"),
        ("terraform-provider-widget_2.zip", "widget 2"),
        ("terraform-provider-widget-beta_1.2.3_linux_amd64.zip", "widget-beta 1.2.3"),
        ("terraform-provider-widget_beta_1.2.3_linux_amd64.zip", "widget_beta 1.2.3"),
        ("terraform-provider-w1dget_1.2.3_linux_amd64.zip", "w1dget 1.2.3"),
        ("terraform-provider-other_1.2.3_linux_amd64.zip", "other 1.2.3"),
        ("TERRAFORM-PROVIDER-OTHER_1.2.3_LINUX_AMD64.ZIP", "OTHER 1.2.3"),
        ("dist/terraform-provider-other_1.2.3_linux_amd64.zip", "other 1.2.3"),
        ("https://dl.test/terraform-provider-other_1.2.3_linux_amd64.zip?sig=a", "other 1.2.3"),
    ],
)
def test_a_package_name_of_another_type_or_version_says_which(name: str, release: str) -> None:
    label = label_of(name, type_name="widget", version=Version.parse("1.2.3"))
    assert (label.kind, label.platform, label.release) == (FileKind.FOREIGN_PACKAGE, None, release)


@pytest.mark.parametrize(
    "name",
    ["terraform-provider-other_1.2.3_manifest.json", "terraform-provider-widget_1.2.4_linux_amd64.zip.sbom.json"],
)
def test_a_file_of_another_release_that_is_no_package_is_told_apart(name: str) -> None:
    label = label_of(name, type_name="widget", version=Version.parse("1.2.3"))
    assert label.kind is FileKind.FOREIGN
    assert label.release


@table(
    ("version", "name", "spelling"),
    [
        ("1.2.3", "terraform-provider-widget_1.2.3_linux_amd64.zip", Spelling.USUAL),
        ("1.2.3", "terraform-provider-widget_v1.2.3_linux_amd64.zip", Spelling.USUAL),
        ("1.2.3", "terraform-provider-Widget_1.2.3_linux_amd64.zip", Spelling.OTHER),
        ("1.2.0", "terraform-provider-widget_1.2_linux_amd64.zip", Spelling.OTHER),
        ("1.2.3+build.5", "terraform-provider-widget_1.2.3+build.5_linux_amd64.zip", Spelling.USUAL),
        ("1.2.3+build.5", "terraform-provider-widget_1.2.3.build.5_linux_amd64.zip", Spelling.OTHER),
        ("1.2.3+build.5", "terraform-provider-widget_v1.2.3%2Bbuild.5_linux_amd64.zip", Spelling.OTHER),
        ("1.2.3-rc.1+5", "terraform-provider-widget_1.2.3-rc.1.5_linux_amd64.zip", Spelling.AMBIGUOUS),
    ],
)
def test_an_honest_name_may_write_the_release_in_another_way(version: str, name: str, spelling: Spelling) -> None:
    label = label_of(name, type_name="widget", version=Version.parse(version))
    assert (label.kind, label.platform, label.spelling) == (FileKind.PACKAGE, LINUX, spelling)


def test_a_type_with_dashes_is_found_in_the_name() -> None:
    label = label_of("terraform-provider-x-beta_0.1.0_darwin_arm64.zip", type_name="x-beta", version=Version(0, 1, 0))
    assert label.platform == Platform("darwin", "arm64")


def test_the_usual_name_of_a_package_has_type_version_and_platform() -> None:
    name = "terraform-provider-widget_1.2.3-rc.1_linux_amd64.zip"
    assert label_of(name, type_name="widget", version=Version.parse("1.2.3-rc.1")).platform == LINUX
