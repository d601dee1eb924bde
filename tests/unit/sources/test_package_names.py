"""What file names of a release say."""

from __future__ import annotations

import pytest

from lockwarden.core.platforms import Platform
from lockwarden.core.sources.registry.package_names import FileKind, FileLabel, label_of, package_file_name
from lockwarden.core.versions import Version

LINUX = Platform("linux", "amd64")


@pytest.mark.parametrize(
    ("name", "kind", "platform"),
    [
        ("terraform-provider-widget_1.2.3_linux_amd64.zip", FileKind.PACKAGE, LINUX),
        ("terraform-provider-widget_1.2.3_weird_platform.zip", FileKind.PACKAGE, Platform("weird", "platform")),
        ("terraform-provider-widget_1.2.3_manifest.json", FileKind.COMPANION, None),
        ("terraform-provider-widget_1.2.3_SHA256SUMS.sig", FileKind.COMPANION, None),
        ("terraform-provider-widget_1.2.3.sbom.json", FileKind.COMPANION, None),
        ("terraform-provider-widget_1.2.3", FileKind.COMPANION, None),
        ("terraform-provider-widget_1.2.3_linux.zip", FileKind.COMPANION, None),
        ("terraform-provider-widget_1.2.3__.zip", FileKind.COMPANION, None),
        ("terraform-provider-widget_1.2.3_linux_amd64_v1.zip", FileKind.COMPANION, None),
        ("terraform-provider-widget_1.2.3.zip", FileKind.COMPANION, None),
        ("terraform-provider-widget_v1.2.3_linux_amd64.zip", FileKind.COMPANION, None),
        ("terraform-provider-widget_1.2.30_linux_amd64.zip", FileKind.FOREIGN, None),
        ("terraform-provider-widget_1.2.3-beta_linux_amd64.zip", FileKind.FOREIGN, None),
        ("terraform-provider-widget_1.2.2_linux_amd64.zip", FileKind.FOREIGN, None),
        ("terraform-provider-widget-beta_1.2.3_linux_amd64.zip", FileKind.FOREIGN, None),
        ("terraform-provider-other_1.2.3_linux_amd64.zip", FileKind.FOREIGN, None),
        ("Terraform-Provider-widget_1.2.3_linux_amd64.zip", FileKind.OTHER, None),
        ("./terraform-provider-widget_1.2.3_linux_amd64.zip", FileKind.OTHER, None),
        ("LICENSE", FileKind.OTHER, None),
        ("", FileKind.OTHER, None),
    ],
)
def test_a_file_name_says_what_the_file_is_to_the_release(name: str, kind: FileKind, platform: Platform | None) -> None:
    label = label_of(name, type_name="widget", version=Version.parse("1.2.3"))
    assert label == FileLabel(kind=kind, platform=platform)


def test_a_type_with_dashes_is_found_in_the_name() -> None:
    label = label_of("terraform-provider-x-beta_0.1.0_darwin_arm64.zip", type_name="x-beta", version=Version(0, 1, 0))
    assert label.platform == Platform("darwin", "arm64")


def test_the_usual_name_of_a_package_has_type_version_and_platform() -> None:
    name = package_file_name("widget", Version.parse("1.2.3-rc.1"), LINUX)
    assert name == "terraform-provider-widget_1.2.3-rc.1_linux_amd64.zip"
    assert label_of(name, type_name="widget", version=Version.parse("1.2.3-rc.1")).platform == LINUX
