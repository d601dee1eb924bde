"""When the container tools' files are looked at, and which: never before a registry is asked, never where forbidden."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path, PurePath, PurePosixPath

import pytest

from lockwarden.core.cli_config.files import FilesOnDisk
from lockwarden.core.cli_config.oci_credentials import OciCredentialStore
from lockwarden.core.cli_config.settings import BasicCredential, CliConfig
from lockwarden.core.values.errors import NoAnswerError

ReadConfig = Callable[..., CliConfig]
STANDARD = (PurePosixPath("/run/containers/auth.json"), PurePosixPath("/home/.docker/config.json"))
AUTHS = b'{"auths": {"r.test": {"auth": "dTpw"}}}'
NOT_JSON = b"not JSON"


class Watched(FilesOnDisk):
    """Files that are there by name alone, and which of them were read."""

    def __init__(self, content: Mapping[str, bytes]) -> None:
        self.content = content
        self.seen: list[str] = []

    def exists(self, path: PurePath) -> bool:
        return str(path) in self.content

    def read(self, path: Path) -> bytes:
        self.seen.append(str(path))
        if str(path) not in self.content:
            raise FileNotFoundError(str(path))
        return self.content[str(path)]


def store_of(config: CliConfig, watched: Watched) -> OciCredentialStore:
    def never(name: str, domain: str) -> BasicCredential | None:
        raise AssertionError(f"{name} was asked about {domain}")

    return OciCredentialStore(config, STANDARD, never, where=watched)


def test_nothing_is_looked_at_until_a_repository_needs_it_and_then_once(read_config: ReadConfig) -> None:
    watched = Watched({str(each): AUTHS for each in STANDARD})
    store = store_of(read_config(""), watched)
    assert watched.seen == []
    for _ in range(2):
        assert store.find("r.test", "a/b").shown == f"auths entry ({STANDARD[0]})"
    assert watched.seen == [str(each) for each in STANDARD]


@pytest.mark.parametrize("block", ["", 'oci_credentials "other.test" {\n  username = "x"\n  password = "y"\n}\n'])
def test_where_the_configuration_forbids_it_no_file_is_looked_at(read_config: ReadConfig, block: str) -> None:
    watched = Watched({str(each): AUTHS for each in STANDARD})
    forbidden = "oci_default_credentials {\n  discover_ambient_credentials = false\n}\n"
    assert store_of(read_config(forbidden + block), watched).find("r.test", "a/b").credential is None
    assert watched.seen == []


def test_files_that_the_configuration_names_replace_those_in_the_standard_places(read_config: ReadConfig) -> None:
    named = 'oci_default_credentials {\n  docker_style_config_files = ["/own.json"]\n}\n'
    watched = Watched({**{str(each): AUTHS for each in STANDARD}, "/own.json": b"{}"})
    assert store_of(read_config(named), watched).find("r.test", "a/b").credential is None
    assert watched.seen == ["/own.json"]


@pytest.mark.parametrize("content", [{}, {"/own.json": NOT_JSON}], ids=["missing", "broken"])
def test_a_named_file_that_cannot_be_used_is_no_answer(read_config: ReadConfig, content: Mapping[str, bytes]) -> None:
    named = 'oci_default_credentials {\n  docker_style_config_files = ["/own.json"]\n}\n'
    with pytest.raises(NoAnswerError, match=r"/own\.json"):
        store_of(read_config(named), Watched(content)).find("r.test", "a/b")


def test_one_in_a_standard_place_that_cannot_be_used_makes_all_of_them_count_for_nothing(
    read_config: ReadConfig,
) -> None:
    watched = Watched({str(STANDARD[0]): AUTHS, str(STANDARD[1]): NOT_JSON})
    store = store_of(read_config(""), watched)
    assert store.find("r.test", "a/b").credential is None
    assert str(STANDARD[1]) in store.files().warning
