"""Which policy counts for a lock file, and whether the change under review could have written it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lockwarden.core.engine.policy_files import (
    POLICY_VARIABLE,
    FoundPolicy,
    SearchedPolicy,
    find_policy,
    load_policy,
    search_policy,
)
from lockwarden.core.policy.model import POLICY_FILE_NAME
from lockwarden.core.values.errors import InputError, PolicyError

RULES = b'require {\n  providers = ["*/*/*"]\n  signed = true\n}\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with a lock file three folders down."""
    folder = tmp_path / "repository" / "infra" / "live"
    folder.mkdir(parents=True)
    (folder / ".terraform.lock.hcl").touch()
    return tmp_path / "repository"


def find(
    root: Path, *, option: str | None = None, variable: str | None = None, in_repository: bool = True
) -> FoundPolicy | None:
    return find_policy(
        root / "infra" / "live" / ".terraform.lock.hcl",
        root=root if in_repository else None,
        option=option,
        environ={} if variable is None else {POLICY_VARIABLE: variable},
        directory=root / "infra",
    )


def put(folder: Path, data: bytes = RULES) -> Path:
    path = folder / POLICY_FILE_NAME
    path.write_bytes(data)
    return path


def test_without_a_file_there_is_no_policy(root: Path) -> None:
    assert find(root) is None


@pytest.mark.parametrize("folder", ["infra/live", "infra", "."])
def test_it_is_found_from_the_lock_file_s_folder_up_to_the_root(root: Path, folder: str) -> None:
    path = put(root / folder)
    found = find(root)
    assert found is not None
    assert (found.path, found.data) == (path, RULES)
    assert found.name == str(Path(folder) / POLICY_FILE_NAME)
    assert (found.in_reach, found.chosen_by) == (True, "")


def test_the_nearest_one_counts_alone(root: Path) -> None:
    put(root)
    nearest = put(root / "infra")
    found = find(root)
    assert found is not None
    assert found.path == nearest


def test_nothing_above_the_root_counts(root: Path) -> None:
    put(root.parent)
    assert find(root) is None


def test_outside_of_a_repository_it_is_looked_for_up_to_the_root_of_the_file_system(root: Path) -> None:
    above = put(root.parent)
    found = find(root, in_repository=False)
    assert found is not None
    assert (found.path, found.name, found.in_reach) == (above, str(above), True)
    path = put(root / "infra" / "live")
    found = find(root, in_repository=False)
    assert found is not None
    assert (found.path, found.name, found.in_reach) == (path, POLICY_FILE_NAME, True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away, so another owner was NOT tested")
def test_outside_of_a_repository_a_file_of_another_user_does_not_count_and_is_told(root: Path) -> None:
    theirs = put(root / "infra", b"# theirs\n")
    os.chown(theirs, 12345, 12345)
    lock_file = root / "infra" / "live" / ".terraform.lock.hcl"
    assert search_policy(lock_file, root=None) == SearchedPolicy(found=None, anothers=(theirs,))
    own = put(root)
    searched = search_policy(lock_file, root=None)
    assert searched.found is not None
    assert (searched.found.path, searched.anothers) == (own, (theirs,))
    inside = search_policy(lock_file, root=root)
    assert inside.found is not None
    assert inside.found.path == theirs, "within a repository git has looked at who it belongs to"


def test_a_lock_file_behind_a_link_out_of_the_repository_has_the_policy_beside_it_or_that_of_its_name(
    tmp_path: Path, root: Path
) -> None:
    elsewhere = tmp_path / "elsewhere" / "deep"
    elsewhere.mkdir(parents=True)
    put(tmp_path / "elsewhere")
    (root / "link").symlink_to(elsewhere)
    lock_file = root / "link" / ".terraform.lock.hcl"
    assert find_policy(lock_file, root=root, option=None, environ={}, directory=root) is None
    by_name = put(root)
    found = find_policy(lock_file, root=root, option=None, environ={}, directory=root)
    assert found is not None
    assert found.path == by_name
    put(elsewhere)
    found = find_policy(lock_file, root=root, option=None, environ={}, directory=root)
    assert found is not None
    assert found.path == elsewhere / POLICY_FILE_NAME


def test_the_option_comes_before_the_variable_and_both_before_what_lies_around(tmp_path: Path, root: Path) -> None:
    put(root)
    for name in ("option.hcl", "variable.hcl"):
        (tmp_path / name).write_bytes(RULES)
    option, variable = str(tmp_path / "option.hcl"), str(tmp_path / "variable.hcl")
    by_option = find(root, option=option, variable=variable)
    assert by_option is not None
    assert (by_option.name, by_option.chosen_by, by_option.in_reach) == (option, "--policy", False)
    by_variable = find(root, variable=variable)
    assert by_variable is not None
    assert (by_variable.name, by_variable.chosen_by, by_variable.in_reach) == (variable, "LOCKWARDEN_POLICY", False)


def test_a_relative_name_starts_where_the_program_was_started(root: Path) -> None:
    path = put(root / "infra")
    found = find(root, option=POLICY_FILE_NAME)
    assert found is not None
    assert (found.path, found.name) == (path, POLICY_FILE_NAME)


class TestReach:
    """A file that the change can write, or lead elsewhere, is in its reach whoever names it."""

    def test_a_named_file_in_the_repository_is_in_reach(self, root: Path) -> None:
        found = find(root, option=str(put(root)))
        assert found is not None
        assert found.in_reach

    def test_a_name_that_leads_into_the_repository_by_a_link_is_in_reach(self, tmp_path: Path, root: Path) -> None:
        (tmp_path / "link.hcl").symlink_to(put(root))
        with pytest.raises(PolicyError, match="symbolic link"):
            find(root, option=str(tmp_path / "link.hcl"))

    def test_a_link_in_the_repository_is_not_followed(self, tmp_path: Path, root: Path) -> None:
        (root / "link.hcl").symlink_to(put(tmp_path))
        with pytest.raises(PolicyError, match="symbolic link"):
            find(root, option=str(root / "link.hcl"))

    def test_the_operator_s_own_links_are_followed(self, tmp_path: Path, root: Path) -> None:
        (tmp_path / "link.hcl").symlink_to(put(tmp_path))
        found = find(root, option=str(tmp_path / "link.hcl"))
        assert found is not None
        assert not found.in_reach

    def test_a_folder_in_the_repository_that_leads_out_of_it_is_in_reach(self, tmp_path: Path, root: Path) -> None:
        (tmp_path / "elsewhere").mkdir()
        put(tmp_path / "elsewhere")
        (root / "conf").symlink_to(tmp_path / "elsewhere")
        for text in (f"../conf/{POLICY_FILE_NAME}", str(root / "conf" / POLICY_FILE_NAME)):
            found = find(root, option=text)
            assert found is not None
            assert found.in_reach

    def test_a_way_through_the_repository_is_in_reach_and_one_that_only_begins_in_it_is_not(
        self, tmp_path: Path, root: Path
    ) -> None:
        outside = put(tmp_path)
        through = find(root, option=f"{root}/infra/../../{outside.name}")
        assert through is not None
        assert through.in_reach
        around = find(root, option=f"{root}/../{outside.name}")
        assert around is not None
        assert not around.in_reach

    def test_without_a_repository_a_named_file_is_out_of_reach(self, root: Path) -> None:
        found = find(root, option=str(put(root)), in_repository=False)
        assert found is not None
        assert not found.in_reach


class TestRefusals:
    @pytest.mark.parametrize("by", ["option", "variable"])
    def test_a_named_file_that_is_not_there_is_an_error(self, root: Path, by: str) -> None:
        put(root)
        with pytest.raises(PolicyError, match=r"none\.hcl: there is no such file") as caught:
            find(root, **{by: "none.hcl"})  # type: ignore[arg-type]
        assert ("--policy" if by == "option" else "LOCKWARDEN_POLICY") in caught.value.message

    @pytest.mark.parametrize("text", ["", " ", "a\0b"])
    @pytest.mark.parametrize("by", ["option", "variable"])
    def test_a_name_that_is_none_does_not_mean_the_file_that_lies_around(self, root: Path, by: str, text: str) -> None:
        put(root)
        with pytest.raises(InputError, match="names no file"):
            find(root, **{by: text})  # type: ignore[arg-type]

    def test_a_folder_is_no_policy(self, root: Path) -> None:
        (root / POLICY_FILE_NAME).mkdir()
        with pytest.raises(PolicyError, match="it is a folder") as caught:
            find(root)
        assert caught.value.path == POLICY_FILE_NAME

    def test_a_pipe_is_no_policy_and_is_not_waited_for(self, root: Path) -> None:
        os.mkfifo(root / POLICY_FILE_NAME)
        with pytest.raises(PolicyError, match="not a regular file"):
            find(root)

    @pytest.mark.parametrize(
        "target", ["/etc/passwd", "nowhere", POLICY_FILE_NAME], ids=["outside", "nowhere", "circle"]
    )
    def test_a_link_is_no_policy_wherever_it_leads(self, root: Path, target: str) -> None:
        (root / "infra" / POLICY_FILE_NAME).symlink_to(target)
        with pytest.raises(PolicyError, match="it is a symbolic link") as caught:
            find(root)
        assert caught.value.path == f"infra/{POLICY_FILE_NAME}"

    def test_a_link_of_the_operator_s_in_a_circle_is_refused(self, tmp_path: Path, root: Path) -> None:
        (tmp_path / "circle").symlink_to("circle")
        with pytest.raises(PolicyError, match="leads in a circle"):
            find(root, option=str(tmp_path / "circle"))

    @pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
    def test_a_file_that_may_not_be_read_is_not_taken_for_none(self, root: Path) -> None:
        put(root).chmod(0)
        with pytest.raises(PolicyError, match="cannot be read: Permission denied"):
            find(root)

    def test_a_file_that_is_too_large_is_refused(self, root: Path) -> None:
        put(root, b"#" * (2 * 1024 * 1024))
        found = find(root)
        assert found is not None
        with pytest.raises(PolicyError, match="larger than the limit"):
            load_policy(found)


def test_folders_of_mirrors_start_at_the_policy_s_own_folder(root: Path) -> None:
    put(root / "infra", b'mirror "./mirror" {\n  trusted = true\n  providers = ["*/*/*"]\n}\n')
    found = find(root)
    assert found is not None
    policy = load_policy(found)
    assert policy.mirrors[0].location == str(root / "infra" / "mirror")
    assert str(policy.mirrors[0].rule) == "infra/.lockwarden.hcl line 1"


def test_known_fingerprints_reach_the_hints(root: Path) -> None:
    put(root, b'signing_key "01234567" {\n  providers = ["*/*/*"]\n}\n')
    found = find(root)
    assert found is not None
    with pytest.raises(PolicyError) as caught:
        load_policy(found, known=["A" * 32 + "01234567"])
    assert caught.value.hint.endswith("A" * 32 + "01234567")
