"""What of an environment and of installation methods is left when nothing in a change's reach may count."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lockwarden.core.cli_config.guarding import guarded, out_of_reach, refuse_source, refuse_user_site
from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.core.cli_config.serving import implied_installation
from lockwarden.core.cli_config.settings import Direct, FilesystemMirror, ProviderInstallation
from lockwarden.core.git.reach import NO_REACH, Reach
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.origins import BY_DEFAULT
from lockwarden.core.values.platforms import Platform


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    (folder / ".git").mkdir(parents=True)
    return folder


def around(tree: Path) -> Surroundings:
    return Surroundings(environ={}, account_home="", platform=Platform("linux", "amd64"), directory=str(tree))


def test_folders_of_programs_in_reach_are_taken_out_of_the_path(tree: Path) -> None:
    reach = Reach.of([str(tree)])
    path = os.pathsep.join([".", "", str(tree / "bin"), "/usr/bin", f"{tree}/../elsewhere"])
    kept = guarded({"PATH": path, "OTHER": "."}, str(tree), reach)
    assert kept == {"PATH": f"/usr/bin:{tree}/../elsewhere", "OTHER": "."}
    assert guarded({"PATH": path, "PYTHONPATH": ":"}, str(tree), NO_REACH) == {"PATH": path, "PYTHONPATH": ":"}


@pytest.mark.parametrize(
    ("variables", "added"),
    [
        ({"HOME": "{}"}, {"GIT_CONFIG_GLOBAL": os.devnull}),
        ({"HOME": "/home/me", "XDG_CONFIG_HOME": "{}/c"}, {"GIT_CONFIG_GLOBAL": os.devnull}),
        ({"HOME": "{}", "GIT_CONFIG_GLOBAL": "/home/me/.gitconfig"}, {}),
        ({"HOME": "/home/me", "GIT_CONFIG_GLOBAL": "{}/x"}, {"GIT_CONFIG_GLOBAL": os.devnull}),
        ({"HOME": "/home/me", "GIT_CONFIG_SYSTEM": "{}/x"}, {"GIT_CONFIG_NOSYSTEM": "1"}),
        ({"HOME": "/home/me", "GIT_CONFIG_SYSTEM": "/etc/x"}, {}),
    ],
)
def test_settings_of_git_in_reach_are_not_read(tree: Path, variables: dict[str, str], added: dict[str, str]) -> None:
    environ = {name: text.format(tree) for name, text in variables.items()}
    assert guarded(environ, str(tree), Reach.of([str(tree)])) == environ | added


@pytest.mark.parametrize(
    "name",
    [
        *("SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH"),
        *("LOCKWARDEN_CLIENT_CERT", "LOCKWARDEN_CLIENT_KEY"),
    ],
)
def test_whom_servers_are_known_to_and_who_we_are_is_nothing_that_a_change_may_say(tree: Path, name: str) -> None:
    reach = Reach.of([str(tree)])
    with pytest.raises(InputError, match=f"{name} names own.pem, which lies in the working tree"):
        guarded({name: "own.pem"}, str(tree), reach)
    assert guarded({name: "/etc/own.pem"}, str(tree), reach) == {name: "/etc/own.pem"}


def test_an_empty_variable_names_nothing(tree: Path) -> None:
    environ = {"PYTHONPATH": "", "SSL_CERT_FILE": "", "HOME": ""}
    assert guarded(environ, str(tree), Reach.of([str(tree)])) == environ


def test_mirrors_in_reach_go_and_keep_no_origin_from_being_asked(tree: Path) -> None:
    implied = implied_installation([tree / "terraform.d" / "plugins", Path("/usr/share/terraform/plugins")])
    left, passed_over = out_of_reach(implied, around(tree), Reach.of([str(tree)]))
    assert passed_over == (f"{tree}/terraform.d/plugins",)
    mirror, direct = left.methods
    assert isinstance(mirror, FilesystemMirror)
    assert isinstance(direct, Direct)
    assert mirror.path == "/usr/share/terraform/plugins"
    assert direct.unless_in == ("/usr/share/terraform/plugins",)
    relative = ProviderInstallation(methods=(FilesystemMirror(origin=BY_DEFAULT, path="m"),), origin=BY_DEFAULT)
    assert out_of_reach(relative, around(tree), Reach.of([str(tree)]))[0].methods == ()
    assert out_of_reach(relative, around(tree), NO_REACH) == (relative, ())


def test_a_source_in_reach_is_refused_and_another_is_not(tree: Path) -> None:
    with pytest.raises(InputError, match="lies in the working tree") as caught:
        refuse_source(str(tree / "m"), tree, Reach.of([str(tree)]))
    assert "outside" in caught.value.hint
    refuse_source("/m", tree, Reach.of([str(tree)]))


@pytest.mark.parametrize("name", ["PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE"])
def test_folders_whose_code_python_runs_before_ours_are_refused(tree: Path, name: str) -> None:
    with pytest.raises(InputError, match=f"{name} leads into the working tree"):
        guarded({name: str(tree / "x")}, str(tree), Reach.of([str(tree)]))


def test_a_folder_of_the_users_own_modules_in_reach_is_refused_where_there_is_one(tree: Path) -> None:
    reach, folder = Reach.of([str(tree)]), tree / "lib"
    refuse_user_site(str(folder), str(tree), reach)
    folder.mkdir()
    refuse_user_site(str(folder), str(tree), NO_REACH)
    with pytest.raises(InputError, match="Python may have run"):
        refuse_user_site(str(folder), str(tree), reach)
