"""Credentials helpers of the clients, as real programs: which is found, what it is asked, and what it may answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from lockwarden.core.cli_config.helper_programs import HelperLimits
from lockwarden.core.cli_config.loading import load_cli_config
from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.core.cli_config.stores import find_helper, token_store
from lockwarden.core.cli_config.tokens import TokenStore
from lockwarden.core.values.errors import NoAnswerError

LIMITS = HelperLimits(seconds=60, output_bytes=1000)
SHORT = HelperLimits(seconds=2, output_bytes=1000)
"""Long enough for a helper to begin."""


class Bench(Protocol):
    """What the fixture of that name offers."""

    folder: Path
    home: Path
    plugins: Path

    def surroundings(self, **environ: str) -> Surroundings: ...

    def service_helper(self, *lines: str, name: str = "terraform-credentials-h") -> Path: ...

    def note(self, name: str) -> str: ...


@pytest.fixture
def configured(bench: Bench) -> Callable[..., TokenStore]:
    """A store whose helper is called `h`."""

    def make(arguments: str = "", *, limits: HelperLimits = LIMITS, **environ: str) -> TokenStore:
        text = f'credentials_helper "h" {{ args = [{arguments}] }}\n'
        (bench.home / ".tofurc").write_text(text, encoding="utf-8")
        surroundings = bench.surroundings(**environ)
        return token_store(load_cli_config(surroundings), surroundings, limits=limits)

    return make


@pytest.mark.parametrize(
    ("answer", "token"),
    [
        ('{"token":"t"}', "t"),
        ('{"token":"t","expires":"never"}', "t"),
        ('{"token":""}', ""),
        ("{}", None),
        ("null", None),
        ('{"token":1}', None),
        ('{"Token":"t"}', None),
    ],
)
def test_what_the_helper_answers_is_the_token_or_that_there_is_none(
    bench: Bench, configured: Callable[..., TokenStore], answer: str, token: str | None
) -> None:
    bench.service_helper('echo "$@" >> "$NOTES/asked"', f"echo '{answer}'")
    tokens = configured('"--secret", "hidden"')
    assert [tokens("xn--caf-dma.test:8443"), tokens("xn--caf-dma.test:8443")] == [token, token]
    assert bench.note("asked") == "--secret hidden get xn--caf-dma.test:8443\n"


@pytest.mark.parametrize(
    ("lines", "code", "message"),
    [
        (["echo hidden >&2", "exit 1"], "helper-failed", "failed with exit code 1 and said why"),
        (['echo \'{"token":"hidden"}\'', "exit 2"], "helper-failed", "failed with exit code 2 and said nothing"),
        (["kill -9 $$"], "helper-failed", "failed with exit code -9 and said nothing"),
        (["echo hidden"], "helper-garbage", "answered something that is no JSON object"),
        ([":"], "helper-garbage", "answered something that is no JSON object"),
        (["echo '[\"hidden\"]'"], "helper-garbage", "answered something that is no JSON object"),
        (["echo '{\"token\":NaN}'"], "helper-garbage", "answered something that is no JSON object"),
        (['echo \'{"token":"hidden"} {}\''], "helper-garbage", "answered something that is no JSON object"),
        (["sleep 600"], "helper-timeout", "did not end within 2 seconds"),
        (["yes hidden"], "helper-output", "printed more than 1000 bytes"),
    ],
)
def test_a_helper_that_cannot_be_asked_is_named_and_asked_once(
    bench: Bench, configured: Callable[..., TokenStore], lines: list[str], code: str, message: str
) -> None:
    program = bench.service_helper('echo "$@" >> "$NOTES/asked"', *lines)
    tokens = configured('"--secret", "hidden"', limits=SHORT if code == "helper-timeout" else LIMITS)
    for _ in range(2):
        with pytest.raises(NoAnswerError) as caught:
            tokens("a.test")
        assert (caught.value.code, message in caught.value.message) == (code, True)
        assert str(program) in caught.value.message
        assert "hidden" not in caught.value.message + caught.value.hint
    assert bench.note("asked").count("\n") == 1


def test_a_helper_that_is_not_there_is_passed_over(configured: Callable[..., TokenStore]) -> None:
    assert configured()("a.test") is None


def test_a_helper_in_the_current_folder_or_on_the_path_is_never_run(
    bench: Bench, configured: Callable[..., TokenStore]
) -> None:
    program = bench.service_helper('echo \'{"token":"t"}\'')
    moved = bench.folder / "terraform-credentials-h"
    program.rename(moved)
    assert configured(PATH=f"{bench.folder}:/usr/bin:/bin")("a.test") is None


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["terraform-credentials-h"], "terraform-credentials-h"),
        (["terraform-credentials-h", "terraform-credentials-h_v1.0.0"], "terraform-credentials-h_v1.0.0"),
        (["terraform-credentials-h_v1.9.0", "terraform-credentials-h_v1.10.0"], "terraform-credentials-h_v1.10.0"),
        (
            ["terraform-credentials-h_v2.0.0-rc1", "terraform-credentials-h_v1.0.0_x4"],
            "terraform-credentials-h_v2.0.0-rc1",
        ),
        (["terraform-credentials-h_vnonsense", "terraform-credentials-h.exe"], "terraform-credentials-h.exe"),
        (["terraform-credentials-H_V1.0.0"], "terraform-credentials-H_V1.0.0"),
        (
            ["linux_amd64/terraform-credentials-h_v1.0.0", "terraform-credentials-h"],
            "linux_amd64/terraform-credentials-h_v1.0.0",
        ),
        (
            ["terraform-credentials-h_v1.0.0", "linux_amd64/terraform-credentials-h_v1.0.0"],
            "terraform-credentials-h_v1.0.0",
        ),
        (["terraform-credentials-hh", "credentials-h", "darwin_arm64/terraform-credentials-h"], None),
    ],
)
def test_the_newest_program_of_the_name_is_used(
    bench: Bench, configured: Callable[..., TokenStore], names: list[str], expected: str | None
) -> None:
    for name in names:
        bench.service_helper(name=name)
    (bench.plugins / "terraform-credentials-h_v9.0.0").mkdir()
    (bench.plugins / "terraform-credentials-h_v8.0.0").symlink_to("nowhere")
    configured()
    surroundings = bench.surroundings()
    found = find_helper(load_cli_config(surroundings), surroundings)
    assert (found and str(found.path)) == (expected and str(bench.plugins / expected))


def test_the_xdg_folder_comes_after_the_one_in_the_home(bench: Bench, configured: Callable[..., TokenStore]) -> None:
    bench.service_helper('echo \'{"token":"xdg"}\'', name="../../xdg/opentofu/plugins/terraform-credentials-h")
    assert configured(XDG_DATA_HOME=str(bench.home / "xdg"))("a.test") == "xdg"
    bench.service_helper('echo \'{"token":"home"}\'')
    assert configured(XDG_DATA_HOME=str(bench.home / "xdg"))("a.test") == "home"
