"""Which packages of a provider the clients see in a folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lockwarden.core.sources.local.layout import LocalProvider, find_provider
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import NoAnswerError, NotThereError, Stage
from lockwarden.core.values.versions import Version

WIDGET = ProviderAddress.parse("example.test/acme/widget")
FOLDER = "example.test/acme/widget"


def _folder(base: Path, *names: str) -> None:
    for name in names:
        (base / name).mkdir(parents=True)


def _archive(base: Path, *names: str) -> None:
    for name in names:
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        (base / name).touch()


def _seen(found: LocalProvider, base: Path) -> list[tuple[str, str, str]]:
    return [(str(each.version), str(each.platform), str(each.path.relative_to(base))) for each in found.packages]


def _names(base: Path, address: ProviderAddress = WIDGET) -> list[str]:
    return [name for _, _, name in _seen(find_provider(base, address), base)]


def test_an_unpacked_package_is_a_folder_below_its_version(tmp_path: Path) -> None:
    _folder(tmp_path, f"{FOLDER}/1.2.3/linux_amd64", f"{FOLDER}/1.2.3-rc.1+b/darwin_arm64")
    found = find_provider(tmp_path, WIDGET)
    assert _seen(found, tmp_path) == [
        ("1.2.3", "linux_amd64", f"{FOLDER}/1.2.3/linux_amd64"),
        ("1.2.3-rc.1+b", "darwin_arm64", f"{FOLDER}/1.2.3-rc.1+b/darwin_arm64"),
    ]
    assert not any(package.packed for package in found.packages)
    assert [str(each.version) for each in found.of_version(Version(1, 2, 3))] == ["1.2.3"]
    assert found.ignored == ()


def test_a_packed_package_is_a_file_whose_name_says_all(tmp_path: Path) -> None:
    _archive(tmp_path, f"{FOLDER}/terraform-provider-widget_1.2.3_linux_amd64.zip")
    found = find_provider(tmp_path, WIDGET)
    assert _seen(found, tmp_path) == [
        ("1.2.3", "linux_amd64", f"{FOLDER}/terraform-provider-widget_1.2.3_linux_amd64.zip")
    ]
    assert all(package.packed for package in found.packages)


def test_the_names_of_archives_are_read_in_lower_case_which_changes_the_version(tmp_path: Path) -> None:
    _archive(tmp_path, f"{FOLDER}/Terraform-Provider-WIDGET_1.2.3-RC1_Linux_AMD64.ZIP")
    assert [each[:2] for each in _seen(find_provider(tmp_path, WIDGET), tmp_path)] == [("1.2.3-rc1", "linux_amd64")]


def test_further_parts_of_an_archives_name_are_ignored(tmp_path: Path) -> None:
    _archive(tmp_path, f"{FOLDER}/terraform-provider-widget_1.2.3_linux_amd64_signed_2.zip")
    assert [each[:2] for each in _seen(find_provider(tmp_path, WIDGET), tmp_path)] == [("1.2.3", "linux_amd64")]


@pytest.mark.parametrize(
    "name",
    [
        "terraform-provider-widget_1.2.3.zip",
        "terraform-provider-widget_1.2.3_linux.zip",
        "terraform-provider-widget_v1.2.3_linux_amd64.zip",
        "terraform-provider-widget__linux_amd64.zip",
        "terraform-provider-widget_1.2.3_lin\tux_amd64.zip",
    ],
)
def test_an_archive_without_a_usable_name_is_ignored_and_told(name: str, tmp_path: Path) -> None:
    _archive(tmp_path, f"{FOLDER}/{name}")
    found = find_provider(tmp_path, WIDGET)
    assert found.packages == ()
    assert found.ignored == (f"{FOLDER}/{name}: its name has no version or no platform that could be used",)


@pytest.mark.parametrize(
    "name",
    [
        "index.json",
        "1.2.3.json",
        "terraform-provider-widget_1.2.3_linux_amd64.tar",
        "terraform-provider-gadget_1.2.3_linux_amd64.zip",
        "widget_1.2.3_linux_amd64.zip",
        "terraform-provider-widget_1.2.3_linux_amd64.zip/file",
        "1.2.3",
        "1.2.3/linux_amd64",
        "1.2.3/linux_amd64.lock",
    ],
)
def test_other_files_are_nothing(name: str, tmp_path: Path) -> None:
    _archive(tmp_path, f"{FOLDER}/{name}")
    found = find_provider(tmp_path, WIDGET)
    assert (found.packages, found.ignored) == ((), ())


@pytest.mark.parametrize("name", ["latest/linux_amd64", "v1.2.3/linux_amd64", "1.2.3/linux", "1.2.3/linux_amd64_v1"])
def test_a_folder_without_a_usable_name_is_ignored_and_told(name: str, tmp_path: Path) -> None:
    _folder(tmp_path, f"{FOLDER}/{name}")
    found = find_provider(tmp_path, WIDGET)
    assert found.packages == ()
    assert found.ignored == (f"{FOLDER}/{name}: its name has no version or no platform that could be used",)


def test_a_name_that_is_not_text_is_ignored_and_told(tmp_path: Path) -> None:
    folder = tmp_path / FOLDER / "1.2.3"
    folder.mkdir(parents=True)
    (Path(os.fsdecode(os.fsencode(folder) + b"/linux_\xff"))).mkdir()
    found = find_provider(tmp_path, WIDGET)
    assert found.packages == ()
    assert len(found.ignored) == 1


def test_packages_at_another_depth_are_not_found(tmp_path: Path) -> None:
    _folder(tmp_path, f"deeper/{FOLDER}/1.2.3/linux_amd64", "acme/widget/1.2.3/linux_amd64", f"{FOLDER}/linux_amd64")
    _archive(tmp_path, "terraform-provider-widget_1.2.3_linux_amd64.zip")
    assert _names(tmp_path) == []


def test_folder_names_are_normalised_like_addresses(tmp_path: Path) -> None:
    _folder(tmp_path, "Example.Test:443/ACME/Widget/1.2/linux_amd64")
    assert _seen(find_provider(tmp_path, WIDGET), tmp_path) == [
        ("1.2.0", "linux_amd64", "Example.Test:443/ACME/Widget/1.2/linux_amd64")
    ]


def test_an_international_host_has_its_folder_in_unicode_not_in_punycode(tmp_path: Path) -> None:
    address = ProviderAddress.parse("bücher.example/acme/widget")
    _folder(tmp_path, "xn--bcher-kva.example/acme/widget/1.2.3/linux_amd64")
    assert _names(tmp_path, address) == []
    _folder(tmp_path, "bücher.example/acme/widget/1.2.3/linux_amd64")
    assert _names(tmp_path, address) == ["bücher.example/acme/widget/1.2.3/linux_amd64"]


def test_folders_that_are_no_part_of_an_address_are_passed_over(tmp_path: Path) -> None:
    _folder(tmp_path, f"{FOLDER}/1.2.3/linux_amd64", "-/x/y", "example.test/a.b/widget", "example.test/acme/a--b")
    _folder(tmp_path, "example.test/acme/terraform-widget", "other.test/acme/widget/9.9.9/linux_amd64")
    assert _names(tmp_path) == [f"{FOLDER}/1.2.3/linux_amd64"]


@pytest.mark.parametrize("place", ["example.test", "example.test/acme", FOLDER])
def test_a_file_in_place_of_a_folder_is_nothing(place: str, tmp_path: Path) -> None:
    _archive(tmp_path, place)
    found = find_provider(tmp_path, WIDGET)
    assert (found.packages, found.folders, found.ignored) == ((), (), ())


def test_unpacked_comes_before_packed_and_twins_come_in_the_order_of_their_bytes(tmp_path: Path) -> None:
    _archive(tmp_path, f"{FOLDER}/terraform-provider-widget_1.2.3_linux_amd64.zip")
    _folder(tmp_path, f"{FOLDER}/1.2.3/linux_amd64", f"{FOLDER}/1.2/linux_amd64")
    _folder(tmp_path, "example.test/ACME/widget/1.2.3/linux_amd64", "EXAMPLE.test/acme/widget/1.2.3/linux_amd64")
    found = find_provider(tmp_path, WIDGET)
    assert [name for _, _, name in _seen(found, tmp_path)] == [
        "EXAMPLE.test/acme/widget/1.2.3/linux_amd64",
        "example.test/ACME/widget/1.2.3/linux_amd64",
        "example.test/acme/widget/1.2/linux_amd64",
        "example.test/acme/widget/1.2.3/linux_amd64",
        "example.test/acme/widget/terraform-provider-widget_1.2.3_linux_amd64.zip",
    ]
    assert [str(folder.relative_to(tmp_path)) for folder in found.folders] == [
        "EXAMPLE.test/acme/widget",
        "example.test/ACME/widget",
        "example.test/acme/widget",
    ]


def test_the_base_and_the_package_itself_may_be_links(tmp_path: Path) -> None:
    real = tmp_path / "real"
    _folder(real, f"{FOLDER}/1.2.3", "elsewhere")
    _archive(real, "some.zip")
    (real / FOLDER / "1.2.3" / "linux_amd64").symlink_to(real / "elsewhere")
    (real / FOLDER / "terraform-provider-widget_1.2.3_darwin_arm64.zip").symlink_to(real / "some.zip")
    base = tmp_path / "base"
    base.symlink_to(real)
    assert _names(base) == [
        f"{FOLDER}/1.2.3/linux_amd64",
        f"{FOLDER}/terraform-provider-widget_1.2.3_darwin_arm64.zip",
    ]


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_a_link_on_the_way_is_not_followed_but_told(depth: int, tmp_path: Path) -> None:
    real = tmp_path / "real"
    base = tmp_path / "base"
    _folder(real, f"{FOLDER}/1.2.3/linux_amd64")
    link = Path(*Path(f"{FOLDER}/1.2.3").parts[:depth])
    (base / link).parent.mkdir(parents=True)
    (base / link).symlink_to(real / link)
    found = find_provider(base, WIDGET)
    assert found.packages == ()
    assert found.ignored == (f"{link}: it is a link, which the clients do not follow there",)


def test_a_link_that_leads_nowhere_or_in_a_circle_is_nothing(tmp_path: Path) -> None:
    _folder(tmp_path, f"{FOLDER}/1.2.3")
    (tmp_path / FOLDER / "1.2.3" / "linux_amd64").symlink_to("nowhere")
    (tmp_path / FOLDER / "1.2.3" / "linux_arm64").symlink_to("linux_arm64")
    (tmp_path / FOLDER / "terraform-provider-widget_1.2.3_linux_amd64.zip").symlink_to("nowhere")
    assert find_provider(tmp_path, WIDGET).packages == ()


def test_a_pipe_with_an_archives_name_is_seen_and_not_opened(tmp_path: Path) -> None:
    _folder(tmp_path, FOLDER)
    os.mkfifo(tmp_path / FOLDER / "terraform-provider-widget_1.2.3_linux_amd64.zip")
    assert _names(tmp_path) == [f"{FOLDER}/terraform-provider-widget_1.2.3_linux_amd64.zip"]


def test_letters_that_lower_case_makes_longer_stay_one_letter(tmp_path: Path) -> None:
    _archive(tmp_path, f"{FOLDER}/terraform-provider-w\u0130dget_1.2.3_linux_amd64.zip")
    assert _names(tmp_path) == [f"{FOLDER}/terraform-provider-w\u0130dget_1.2.3_linux_amd64.zip"]


@pytest.mark.parametrize("base", ["missing", "file/below"])
def test_a_base_that_is_not_there_gives_no_answer(base: str, tmp_path: Path) -> None:
    _archive(tmp_path, "file")
    with pytest.raises(NoAnswerError) as caught:
        find_provider(tmp_path / base, WIDGET)
    assert (caught.value.stage, caught.value.code) == (Stage.FOLDER, "folder-unreadable")
    assert str(tmp_path / base) in caught.value.message


@pytest.mark.parametrize(("base", "what"), [("file", "a file"), ("link", "a link"), ("round", "a link")])
def test_a_file_or_a_link_to_nothing_in_a_folders_place_is_an_empty_one(base: str, what: str, tmp_path: Path) -> None:
    """So both clients say: they fail where nothing at all is there, and go on to the next method here."""
    _archive(tmp_path, "file")
    (tmp_path / "link").symlink_to("nowhere")
    (tmp_path / "round").symlink_to("round")
    with pytest.raises(NotThereError, match=f"{base} is {what}.*find nothing in it") as caught:
        find_provider(tmp_path / base, WIDGET)
    assert (caught.value.stage, caught.value.code) == (Stage.FOLDER, "folder-unreadable")


def test_an_unreadable_folder_on_the_way_gives_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _folder(tmp_path, f"{FOLDER}/1.2.3/linux_amd64")
    true_scan = os.scandir

    def scan(path: Path) -> object:
        if Path(path).name == "1.2.3":
            raise PermissionError(13, "Permission denied")
        return true_scan(path)

    # The tests may run as root, whom no mode keeps out.
    monkeypatch.setattr(os, "scandir", scan)
    with pytest.raises(NoAnswerError, match=r"1\.2\.3 cannot be searched: Permission denied"):
        find_provider(tmp_path, WIDGET)


def test_a_search_is_given_up_after_too_many_names(tmp_path: Path) -> None:
    _folder(tmp_path, f"{FOLDER}/1.2.3/linux_amd64")
    assert len(find_provider(tmp_path, WIDGET, limit=5).packages) == 1
    _archive(tmp_path, f"{FOLDER}/1.2.3/another")
    with pytest.raises(NoAnswerError) as caught:
        find_provider(tmp_path, WIDGET, limit=5)
    assert caught.value.code == "folder-too-large"


def test_only_the_providers_own_folders_are_entered(tmp_path: Path) -> None:
    _folder(tmp_path, f"{FOLDER}/1.2.3/linux_amd64", *(f"other.test/a/b{number}" for number in range(50)))
    assert len(find_provider(tmp_path, WIDGET, limit=10).packages) == 1


def test_a_text_that_is_no_path_gives_no_answer() -> None:
    with pytest.raises(NoAnswerError, match="it is no path"):
        find_provider(Path("/nowhere\0"), WIDGET)
