"""What is planned, what a journal says, and what of it is filled in: rules without files and servers."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
import pytest
from builders.registry_metadata import HOST, SAMPLE, SAMPLE_H1, Registry, target
from builders.tables import table

from lockwarden.core.registry_metadata.applying import filling_of
from lockwarden.core.registry_metadata.journal_lines import (
    JournalLine,
    State,
    merged,
    read_journal,
    whole_part,
    written,
)
from lockwarden.core.registry_metadata.model import EMPTY_DIGEST, EMPTY_H1, ProviderMetadata, package_key, read_metadata
from lockwarden.core.registry_metadata.plan import Planner, host_of_url
from lockwarden.core.registry_metadata.shards import Shard, read_shard
from lockwarden.core.values.errors import InputError, MetadataError

OTHER_H1 = "h1:AvKi3v2bzP/EAVIqUjdefk7Xk7/ET/2OQ9Jvg+ZLs0Q="


def metadata(*targets: Any) -> ProviderMetadata:
    made = Registry(list(targets))
    return read_metadata(made.file(targets[0].namespace, targets[0].name), "x")


def line(url: str, shasum: str = "a" * 64, state: State = State.DONE, **more: Any) -> JournalLine:
    values = {"zh": shasum, "size": 10, "h1_archive": SAMPLE_H1, "h1_dir": SAMPLE_H1} if state is State.DONE else {}
    return JournalLine(key=package_key(url, shasum), url=url, zh_expected=shasum, state=state, **{**values, **more})


def of_target(made: Any, state: State = State.DONE, **more: Any) -> JournalLine:
    return line(made.download_url, made.digest, state, **more)


def planner(**more: Any) -> Planner:
    return Planner(more.pop("journal", {}), **more)


def names(made: Planner) -> list[str]:
    return [each.url.rpartition("/")[2] for each in made.plan().packages]


def test_the_newest_of_each_repository_comes_first_round_by_round_and_large_ones_before_small_ones() -> None:
    made = planner()
    big = [target("big", version, size=900, h1=None) for version in ("1.10.0", "1.9.0", "1.9.0-rc1")]
    made.add("acme/big", metadata(*big))
    made.add("acme/odd", metadata(target("odd", "1.0.0"), target("odd", "what")))
    made.add(
        "acme/two", metadata(target("two", platform="linux_amd64"), target("two", platform="darwin_arm64", size=5))
    )
    order = names(made)
    assert order[0] == "terraform-provider-big_1.10.0_linux_amd64.zip"
    assert {each.split("_")[0] for each in order[:3]} == {
        f"terraform-provider-{each}" for each in ("big", "odd", "two")
    }
    assert order.index("terraform-provider-odd_1.0.0_linux_amd64.zip") < order.index(
        "terraform-provider-odd_what_linux_amd64.zip"
    )
    assert [each for each in order if "big" in each] == [each.filename for each in big]
    plan = made.plan()
    assert plan.known_bytes == 3 * 900 + 5
    # The packages of acme/odd, of which nothing is known, count as the mean of the others.
    assert plan.estimated_bytes == 3 * 900 + 2 * 5 + 2 * (2710 // 5)
    assert plan.hosts == {HOST: 7}
    assert planner().plan().estimated_bytes == 0


def test_twins_are_one_package_and_only_open_targets_are_planned() -> None:
    one, twin = target("w"), target("w", namespace="hashicorp", url=target("w").download_url)
    half = target("h", size=7)
    states = {state: target(f"s{place}") for place, state in enumerate(State)}
    journal = {each.key: each for each in (of_target(made, state) for state, made in states.items())}
    made = planner(journal=journal, reopened=[State.MISSING])
    made.add("acme/w", metadata(one, target("w", "0.9.0", h1=SAMPLE_H1, size=1)))
    made.add("hashicorp/w", metadata(twin))
    made.add("acme/h", metadata(half))
    for each in states.values():
        made.add(f"acme/{each.name}", metadata(each))
    plan = made.plan()
    by_name = {each.url.split("/")[4]: each for each in plan.packages}
    open_ = {states[each].name for each in (State.FAILED, State.THROTTLED, State.MISSING)}
    assert set(by_name) == {"w", "h"} | open_
    assert [each.provider for each in by_name["w"].subjects] == ["acme/w", "hashicorp/w"]
    assert by_name["h"].claims == (("", 7),)
    assert plan.settled == {str(each): 1 for each in State if each.final and each is not State.MISSING}
    counts = plan.counts
    assert (counts.files, counts.targets, counts.filled, counts.half_filled) == (12, 13, 1, 1)
    assert (counts.filled_versions, counts.partial_versions, counts.unfilled_versions) == (1, 1, 11)


def test_what_cannot_be_asked_for_is_counted_by_its_reason() -> None:
    made = planner(allowed_hosts={HOST})
    odd = [
        target("a", "1.0.0", shasum="odd"),
        target("a", "1.1.0", shasum=EMPTY_DIGEST),
        target("a", "1.2.0", url="http://dl.example.test/a.zip"),
        target("a", "1.3.0", url="https://[broken/a.zip"),
        target("a", "1.4.0", url="https:///a.zip"),
        target("a", "1.5.0", host="elsewhere.example.test"),
        target("a", "1.6.0", url="https://DL.example.test:443/a.zip"),
    ]
    made.add("acme/a", metadata(*odd))
    plan = made.plan()
    assert sorted(plan.refused.values()) == [1, 2, 3]
    assert [each.url for each in plan.packages] == [odd[-1].download_url]
    assert host_of_url("https://[broken") == ""


def test_shards_are_disjoint_and_whole() -> None:
    made = [target(f"p{place}") for place in range(40)]
    found: list[str] = []
    for number in (1, 2, 3):
        one = planner(shard=Shard(number, 3))
        for each in made:
            one.add(f"acme/{each.name}", metadata(each))
        plan = one.plan()
        assert len(plan.packages) + plan.in_other_shards == 40
        assert len(plan.packages) > 4
        found += [each.url for each in plan.packages]
    assert sorted(found) == sorted(each.download_url for each in made)


@table("text", ["", "1", "0/2", "3/2", "1/", "/2", "a/b", "1/999999", "１/2"])
def test_what_is_no_shard_is_told(text: str) -> None:
    with pytest.raises(InputError, match="is not NUMBER/OF"):
        read_shard(text)


def test_a_shard_is_read() -> None:
    assert read_shard("2/16") == Shard(2, 16)


def test_a_torn_last_line_is_ignored_and_any_other_damage_is_told_with_its_line() -> None:
    first, second = line("https://a/1"), line("https://a/2", state=State.MISSING, reason="404")
    data = written(first) + written(second)
    assert read_journal(data, "j") == (first, second)
    assert read_journal(data[:-1], "j") == (first,)
    assert read_journal(data + b'{"key"', "j") == (first, second)
    assert whole_part(b"torn") == b""
    assert read_journal(b"", "j") == ()
    for broken in (b"{}\n", b"\xff\n", b"\n"):
        with pytest.raises(MetadataError, match="j:3: the journal is damaged here"):
            read_journal(data + broken + data, "j")


@table(
    ("wrong", "words"),
    [
        ({"key": "0" * 64}, "its key is not that"),
        ({"zh": "b" * 64}, "not those that were expected"),
        ({"size": 0}, "lacks a size or an h1"),
        ({"h1_archive": ""}, "lacks a size or an h1"),
        ({"h1_archive": "zh:" + "a" * 64}, "lacks a size or an h1"),
        ({"h1_archive": EMPTY_H1}, "its package is empty"),
    ],
)
def test_a_line_that_contradicts_itself_is_damage(wrong: dict[str, Any], words: str) -> None:
    made = msgspec.structs.replace(line("https://a/1"), **wrong)
    with pytest.raises(MetadataError, match=words):
        read_journal(written(made), "j")
    empty = line("https://a/1", EMPTY_DIGEST)
    assert "not those" in empty.flaw


def test_states_say_what_is_looked_at_again_and_what_a_person_has_to_see() -> None:
    assert {each for each in State if not each.final} == {State.FAILED, State.THROTTLED}
    assert {each for each in State if each.objects} == {State.CONFLICT, State.CHANGED, State.CORRUPT}


def test_journals_merge_by_what_is_known_for_ever_and_else_by_the_last_word() -> None:
    url = "https://a/1"
    done, again = line(url, finished="1"), line(url, finished="2", worker="w")
    failed, missing = line(url, state=State.FAILED), line(url, state=State.MISSING)
    assert merged({"a": [failed], "b": [missing]})[done.key] is missing
    assert merged({"a": [missing], "b": [failed]})[done.key] is failed
    assert merged({"a": [failed, done], "b": [missing]})[done.key] is done
    assert merged({"a": [done], "b": [again]})[done.key] is done
    other = line(url, h1_archive=OTHER_H1, worker="w7", finished="3")
    with pytest.raises(MetadataError, match="a and b contradict each other about https://a/1") as caught:
        merged({"a": [done], "b": [other]})
    assert f"{OTHER_H1} and 10 bytes by w7, 3" in caught.value.message
    # The same bytes at another URL are the same bytes.
    elsewhere = line("https://b/1", h1_archive=OTHER_H1)
    assert elsewhere.zh == done.zh
    with pytest.raises(MetadataError, match="about the bytes of https://a/1 and https://b/1, which are the same"):
        merged({"a": [failed, done], "b": [elsewhere]})
    assert len(merged({"a": [done], "b": [line("https://b/1")]})) == 2


def test_a_journal_fills_just_the_targets_with_its_url_and_digest() -> None:
    made = [
        target("w", "1.0.0", "darwin_arm64"),
        target("w", "1.0.0", "linux_amd64"),
        target("w", "0.9.0", "linux_amd64", h1=None, size=None),
        target("w", "0.8.0", "linux_amd64", h1=OTHER_H1),
        target("w", "0.7.0", "linux_amd64", size=99),
        target("w", "0.6.0", "linux_amd64", size=10),
        target("w", "0.5.0", "linux_amd64", h1=OTHER_H1, size=12),
        target("w", "0.4.0", "linux_amd64"),
    ]
    lines = [of_target(each) for each in made[1:7]] + [of_target(made[7], State.CHANGED)]
    journal = {each.key: each for each in lines}
    filling = filling_of(metadata(*made), journal)
    assert [(each.version, each.target) for each in filling.fills] == [(0, 1), (1, 0), (4, 0)]
    assert [(each.version, each.there, each.computed) for each in filling.conflicts] == [
        ("0.8.0", OTHER_H1, SAMPLE_H1),
        ("0.7.0", "99 bytes", "10 bytes"),
    ]
    whole = filling_of(metadata(*made), journal, whole_versions=True)
    assert [each.version for each in whole.fills] == [1, 4]
    assert whole.withheld == 1
    # A target whose digest the registry's bump has changed meanwhile is another package.
    made[1].members = {"terraform-provider-w_v1.0.0": b"other"}
    assert [(each.version, each.target) for each in filling_of(metadata(*made), journal).fills] == [(1, 0), (4, 0)]


def test_the_key_is_that_of_url_and_digest() -> None:
    read = read_metadata(SAMPLE.encode(), "x").listed[0].packages[1]
    assert read.key == hashlib.sha256(f"{read.download_url}\n{read.shasum}".encode()).hexdigest()
    assert read.platform == "linux_amd64"
