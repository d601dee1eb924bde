"""Docker credential helpers as real programs: which one is found, what it is asked, and what it may answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Protocol

import pytest

from lockwarden.core.cli_config.docker_helpers import find_docker_helper
from lockwarden.core.cli_config.helper_programs import HelperLimits
from lockwarden.core.cli_config.loading import load_cli_config
from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.core.cli_config.oci_credentials import OciCredentialStore
from lockwarden.core.cli_config.settings import BasicCredential
from lockwarden.core.cli_config.stores import oci_credential_store
from lockwarden.core.values.errors import NoAnswerError, Stage

LIMITS = HelperLimits(seconds=60, output_bytes=1000)
SHORT = HelperLimits(seconds=2, output_bytes=1000)
"""Long enough for a helper to begin."""
ANSWER = json.dumps({"ServerURL": "https://r.test:5000", "Username": "me", "Secret": "hidden"})


class Bench(Protocol):
    """What the fixture of that name offers."""

    folder: Path
    home: Path
    programs: Path
    environ: dict[str, str]

    def surroundings(self, **environ: str) -> Surroundings: ...

    def program(self, path: Path, *lines: str) -> Path: ...

    def docker_helper(self, *lines: str, name: str = "one") -> Path: ...

    def note(self, name: str) -> str: ...


def store(
    bench: Bench, content: object, *, config: str = "", limits: HelperLimits = LIMITS, **environ: str
) -> OciCredentialStore:
    (bench.home / ".tofurc").write_text(config, encoding="utf-8")
    (bench.home / ".docker").mkdir(exist_ok=True)
    (bench.home / ".docker" / "config.json").write_text(json.dumps(content), encoding="utf-8")
    surroundings = bench.surroundings(**environ)
    return oci_credential_store(load_cli_config(surroundings), surroundings, limits=limits)


def test_a_helper_is_asked_for_the_registry_once_and_by_its_url(bench: Bench) -> None:
    bench.docker_helper('echo "$@" >> "$NOTES/asked"', 'cat >> "$NOTES/asked"', f"echo '{ANSWER}'")
    found = store(bench, {"credsStore": "one"})
    for repository in ("team/x", "team/y"):
        answer = found.find("r.test:5000", repository)
        assert isinstance(answer.credential, BasicCredential)
        assert (answer.credential.username, answer.credential.password.expose()) == ("me", "hidden")
        assert answer.shown == f"credsStore “one” ({bench.home}/.docker/config.json)"
        assert "hidden" not in repr(answer) + repr(found)
    assert bench.note("asked") == "get\nhttps://r.test:5000"


@pytest.mark.parametrize(
    "lines",
    [
        ["echo 'credentials not found in native keychain'", "exit 1"],
        ["echo '{}'"],
        ['echo \'{"ServerURL":"","Username":"","Secret":""}\''],
        ["echo null"],
    ],
)
def test_a_helper_that_knows_nothing_means_anonymous_and_nothing_else_is_tried(bench: Bench, lines: list[str]) -> None:
    bench.docker_helper(*lines)
    bench.docker_helper(f"echo '{ANSWER}'", name="two")
    answer = store(bench, {"credHelpers": {"r.test": "one"}, "credsStore": "two"}).find("r.test", "x")
    assert answer.credential is None
    assert answer.shown == f"anonymous: nothing known to credHelpers entry “one” ({bench.home}/.docker/config.json)"


def test_no_source_at_all_means_anonymous(bench: Bench) -> None:
    assert store(bench, {}).find("r.test", "x").shown == "anonymous"


def test_property_names_count_in_any_case(bench: Bench) -> None:
    bench.docker_helper('echo \'{"username":"me","SECRET":"s","more":1}\'')
    credential = store(bench, {"credsStore": "one"}).find("r.test", "x").credential
    assert isinstance(credential, BasicCredential)
    assert (credential.username, credential.password.expose()) == ("me", "s")


@pytest.mark.parametrize(
    ("lines", "code", "message"),
    [
        (["echo hidden", "exit 1"], "helper-failed", "failed with exit code 1 for r.test"),
        (["echo 'credentials not found in native keychain' >&2", "exit 1"], "helper-failed", "failed with exit code 1"),
        (["echo hidden"], "helper-garbage", "answered something that is no JSON object"),
        (['echo \'{"Username":"me","Secret":["hidden"]}\''], "helper-garbage", "a secret that is no text"),
        (['echo \'{"Username":"<token>","Secret":"hidden"}\''], "helper-token", "answered with a token"),
        (["sleep 600"], "helper-timeout", "did not end within 2 seconds"),
        (["yes hidden"], "helper-output", "printed more than 1000 bytes"),
    ],
)
def test_a_helper_that_cannot_be_asked_is_named_and_asked_once(
    bench: Bench, lines: list[str], code: str, message: str
) -> None:
    program = bench.docker_helper('echo x >> "$NOTES/asked"', *lines)
    found = store(bench, {"credsStore": "one"}, limits=SHORT if code == "helper-timeout" else LIMITS)
    for _ in range(2):
        with pytest.raises(NoAnswerError) as caught:
            found.find("r.test", "x")
        assert (caught.value.code, caught.value.stage) == (code, Stage.CREDENTIALS)
        assert caught.value.message.startswith(f"the credentials helper {program} ")
        assert message in caught.value.message
        assert "hidden" not in caught.value.message + caught.value.hint
    assert bench.note("asked") == "x\n"


@pytest.mark.parametrize(
    ("name", "code"), [("nothere", "helper-missing"), ("../one", "helper-name"), ("a/b", "helper-name")]
)
def test_a_helper_that_is_not_there_or_has_no_name_is_named(bench: Bench, name: str, code: str) -> None:
    bench.docker_helper(f"echo '{ANSWER}'")
    with pytest.raises(NoAnswerError) as caught:
        store(bench, {"credsStore": name}).find("r.test", "x")
    assert caught.value.code == code
    assert name in caught.value.message


def test_relative_folders_of_the_path_are_passed_over(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    trap = bench.program(bench.folder / "checkout" / "docker-credential-one", "echo trapped")
    monkeypatch.chdir(trap.parent)
    for path in (".", "", ":", "./", "../checkout", f".::{bench.programs}"):
        assert find_docker_helper("one", {"PATH": path}) is None
    assert find_docker_helper("one", {}) is None
    with pytest.raises(NoAnswerError, match="is not in any folder of the PATH"):
        store(bench, {"credsStore": "one"}, PATH=".").find("r.test", "x")


def test_the_first_program_that_can_be_run_is_used(bench: Bench) -> None:
    first, second, third = (bench.folder / name for name in ("a", "b", "c"))
    (first / "docker-credential-one").mkdir(parents=True)
    bench.program(second / "docker-credential-one").chmod(0o644)
    program = bench.program(third / "docker-credential-one")
    assert find_docker_helper("one", {"PATH": f"{first}:{second}:{third}"}) == program


def test_on_windows_the_usual_endings_are_tried(tmp_path: Path, bench: Bench) -> None:
    program = bench.program(tmp_path / "docker-credential-one.CMD")
    assert find_docker_helper("one", {"PATH": f"{tmp_path}"}, windows=True) == program
    assert find_docker_helper("one", {"PATH": f"{tmp_path}", "PATHEXT": ".EXE"}, windows=True) is None


def test_entries_that_cannot_be_used_beside_others_fail_the_lookup(bench: Bench) -> None:
    content = {"auths": {"r.test": {"auth": "aGlkZGVu"}}, "credsStore": "one"}
    with pytest.raises(NoAnswerError, match=r"for r\.test cannot be used: the entry “r\.test”") as caught:
        store(bench, content).find("r.test", "x")
    assert (caught.value.code, "hidden" in str(caught.value)) == ("credentials-unusable", False)


def test_a_named_file_that_cannot_be_used_fails_every_lookup(bench: Bench) -> None:
    block = 'oci_credentials "r.test" {\n  username = "me"\n  password = "hidden"\n}\n'
    files = 'oci_default_credentials { docker_style_config_files = ["none.json"] }\n'
    with pytest.raises(NoAnswerError, match=r"none\.json does not exist, although the configuration names it"):
        store(bench, {}, config=block + files).find("r.test", "x")
    assert store(bench, {}, config=block).find("r.test", "x").shown == f"oci_credentials block ({bench.home}/.tofurc:1)"
