"""What an operator can say about an audit, and how what cannot be used is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockwarden.core.engine.audit import DEFAULT_JOBS, PlatformChoice
from lockwarden.core.engine.options import AuditOptions, given_options, platform_choice, read_options
from lockwarden.core.values.errors import InputError, InvalidPlatformError
from lockwarden.core.values.platforms import Platform

HERE = Platform("freebsd", "amd64")
LINUX = Platform("linux", "amd64")
DARWIN = Platform("darwin", "arm64")


def options(tmp_path: Path, **said: object) -> AuditOptions:
    return read_options(given_options(said), directory=tmp_path, current=HERE)


def test_without_options_the_configuration_names_the_sources_and_the_platforms_choose_themselves(
    tmp_path: Path,
) -> None:
    chosen = options(tmp_path)
    assert chosen.sources == ()
    assert chosen.platforms == PlatformChoice(wanted=frozenset({HERE}), explain=True)
    assert chosen.jobs == DEFAULT_JOBS
    assert (chosen.offline, chosen.keep_cache, chosen.fresh) == (False, True, False)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("auto",), PlatformChoice(wanted=frozenset({HERE}), explain=True)),
        (("linux_amd64",), PlatformChoice(wanted=frozenset({LINUX}))),
        (("linux_amd64", "darwin_arm64"), PlatformChoice(wanted=frozenset({LINUX, DARWIN}))),
        (("all",), PlatformChoice(wanted=frozenset({HERE}), every=True)),
        (("all", "linux_amd64"), PlatformChoice(wanted=frozenset({LINUX}), every=True)),
        (("auto", "linux_amd64"), PlatformChoice(wanted=frozenset({HERE, LINUX}), explain=True)),
    ],
)
def test_platforms_that_are_named_are_exactly_those(words: tuple[str, ...], expected: PlatformChoice) -> None:
    assert platform_choice(words, current=HERE) == expected


@pytest.mark.parametrize("word", ["linux", "linux_amd64_v8", "linux_amd64,darwin_arm64", "linux amd64", ""])
def test_what_is_no_platform_is_refused_with_an_example(word: str) -> None:
    with pytest.raises(InvalidPlatformError, match="--platform") as refused:
        platform_choice((word,), current=HERE)
    assert "linux_amd64" in refused.value.hint


def test_a_source_is_asked_once_and_in_the_order_given(tmp_path: Path) -> None:
    chosen = options(tmp_path, source=("https://mirror.example.test/", "direct", "https://mirror.example.test/"))
    assert [spec.location for spec in chosen.sources] == ["https://mirror.example.test/", "direct"]


@pytest.mark.parametrize("source", ["no-such-folder", "ftp://mirror.example.test/", "http://mirror.example.test/", ""])
def test_what_is_no_source_is_refused_with_a_hint(tmp_path: Path, source: str) -> None:
    with pytest.raises(InputError) as refused:
        options(tmp_path, source=(source,))
    assert refused.value.hint


def test_plain_http_is_for_the_hosts_that_were_named(tmp_path: Path) -> None:
    chosen = options(tmp_path, source=("http://mirror.example.test/",), insecure_http=("Mirror.Example.test",))
    assert chosen.insecure_hosts == {"mirror.example.test"}
    assert chosen.sources[0].location == "http://mirror.example.test/"


@pytest.mark.parametrize("named", ["[2001:db8::1]", "[2001:DB8:0::1]:8080"])
def test_plain_http_may_be_for_an_ipv6_address(tmp_path: Path, named: str) -> None:
    chosen = options(tmp_path, source=("http://[2001:db8::1]:8080/",), insecure_http=(named,))
    assert chosen.sources[0].location == "http://[2001:db8::1]:8080/"
    with pytest.raises(InputError, match="plain HTTP"):
        options(tmp_path, source=("http://[2001:db8::2]:8080/",), insecure_http=(named,))


def test_token_servers_are_those_that_were_named(tmp_path: Path) -> None:
    named = ("Auth.Example.test", "auth.example.test:443", "localhost:5001", "[::1]:5001", "xn--bcher-kva.test")
    chosen = options(tmp_path, token_host=named)
    assert chosen.token_hosts == {"auth.example.test", "localhost:5001", "[::1]:5001", "xn--bcher-kva.test"}
    assert options(tmp_path).token_hosts == set()


@pytest.mark.parametrize("host", ["http://mirror.example.test", "a b", "", "::1", "user:pw@mirror.example.test"])
@pytest.mark.parametrize("option", ["insecure_http", "token_host"])
def test_what_is_no_host_is_refused_with_an_example(tmp_path: Path, option: str, host: str) -> None:
    with pytest.raises(InputError, match=f"--{option.replace('_', '-')}") as refused:
        options(tmp_path, **{option: (host,)})
    assert ".example.test" in refused.value.hint


@pytest.mark.parametrize("jobs", [0, -1, 65])
def test_a_number_of_jobs_out_of_range_is_refused(tmp_path: Path, jobs: int) -> None:
    with pytest.raises(InputError, match="from 1 to 64"):
        options(tmp_path, jobs=jobs)


def test_the_cache_can_be_left_alone_and_its_knowledge_ignored(tmp_path: Path) -> None:
    chosen = options(tmp_path, no_cache=True, fresh=True, offline=True, jobs=3)
    assert (chosen.keep_cache, chosen.fresh, chosen.offline, chosen.jobs) == (False, True, True, 3)


@pytest.mark.parametrize("seconds", [0, -1, 86_401])
def test_a_time_out_of_range_is_refused(tmp_path: Path, seconds: int) -> None:
    with pytest.raises(InputError, match="from 1 to 86400") as refused:
        options(tmp_path, timeout=seconds)
    assert refused.value.hint == "the default is 600"


def test_a_release_has_ten_minutes_unless_another_time_is_said(tmp_path: Path) -> None:
    assert options(tmp_path).timeout == 600.0
    assert options(tmp_path, timeout=90).timeout == 90.0
