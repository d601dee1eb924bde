"""What an audit says of metadata files, rule by rule, and how sure a sample makes."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from builders.registry_metadata import SAMPLE, SAMPLE_H1, Registry, target
from builders.tables import table

from lockwarden.core.registry_metadata.across import AcrossFiles
from lockwarden.core.registry_metadata.checks import MetadataFile, form_findings, listed_findings
from lockwarden.core.registry_metadata.model import EMPTY_DIGEST, EMPTY_H1, read_metadata
from lockwarden.core.registry_metadata.sampling import Sampler, most_wrong
from lockwarden.core.values.problem_codes import ProblemCode

NOW = datetime(2026, 11, 29, tzinfo=UTC)
Edit = Callable[[Any], object]


def complete() -> Any:
    document = json.loads(SAMPLE)
    document["versions"][0]["targets"][1] |= {"h1": SAMPLE_H1, "size": 295}
    return document


def found(
    edit: Edit = lambda document: None, *, namespace: str = "acme", name: str = "widget"
) -> list[tuple[str, str]]:
    document = complete()
    edit(document)
    metadata = read_metadata(json.dumps(document).encode(), "x")
    rules = MetadataFile(metadata, namespace=namespace, name=name, now=NOW)
    return [(each.code.value, each.message) for each in rules.findings()]


def test_a_good_file_has_no_finding() -> None:
    assert found() == []
    assert list(form_findings((), canonical=True)) == []


def first(document: Any) -> Any:
    return document["versions"][0]


def of_target(**values: Any) -> Edit:
    return lambda document: first(document)["targets"][1].update(values)


def of_version(**values: Any) -> Edit:
    return lambda document: first(document).update(values)


URL = "https://github.com/other/terraform-provider-widget/releases/download/v1.1.0/"
FILE = "terraform-provider-widget_1.1.0_linux_amd64.zip"


@table(
    ("edit", "code", "words"),
    [
        (lambda document: document.update(versions=None), "metadata-rule", "it has no version"),
        (of_version(version="one"), "metadata-rule", "no semantic version"),
        (of_version(version="1.1"), "metadata-rule", "no semantic version"),
        (of_version(protocols=["5.0", "7.0"]), "metadata-rule", "unknown protocol “7.0”"),
        (of_version(targets=[]), "metadata-rule", "has no target"),
        (of_version(discovered="yesterday"), "metadata-discovered", "is no time in UTC"),
        (of_version(discovered="2026-13-01T00:00:00Z"), "metadata-discovered", "is no time in UTC"),
        (of_version(discovered="2027-01-01T00:00:00Z"), "metadata-discovered", "lies ahead"),
        (of_target(os="darwin", arch="arm64"), "metadata-rule", "has darwin_arm64 twice"),
        (of_target(arch="riscv64"), "metadata-rule", "indexes no such platform"),
        (of_target(os="plan9"), "metadata-rule", "indexes no such platform"),
        (of_target(filename=""), "metadata-rule", "does not end with its file name"),
        (of_target(filename="x.zip"), "metadata-path", "is not named like this provider"),
        (of_target(download_url=URL + FILE), "metadata-path", "another repository than acme/terraform-provider-widget"),
        (of_target(shasum="A" * 64), "metadata-hash", "is not lower-case hexadecimal digits"),
        (of_target(shasum="a"), "metadata-hash", "is not 64 characters"),
        (of_target(shasum=EMPTY_DIGEST), "metadata-empty", "no content at all"),
        (of_target(h1=EMPTY_H1), "metadata-empty", "no content at all"),
        (of_target(h1="h1:x"), "metadata-hash", "“h1:x” is none"),
        (of_target(h1="zh:" + "a" * 64), "metadata-hash", "is none"),
        (of_target(size=-1), "metadata-hash", "its size is -1"),
        (of_target(size=0), "metadata-hash", "it has an h1 and no size"),
        (of_target(h1=""), "metadata-hash", "it has a size and no h1"),
        (of_target(h1="", size=0), "metadata-unfilled", "of 1 versions 0 have no h1 and size, 1 have some"),
        (
            of_target(shasum="90054e1ebe40f6031baad6922e0ac46995fc3ed82577844eb6051a95b2afb0ca"),
            "metadata-repeated",
            "two targets of 1.1.0 have the shasum",
        ),
        (
            of_target(h1="h1:AvKi3v2bzP/EAVIqUjdefk7Xk7/ET/2OQ9Jvg+ZLs0Q="),
            "metadata-repeated",
            "two targets of 1.1.0 have the h1",
        ),
        (lambda document: first(document)["targets"].reverse(), "metadata-order", "another order"),
        (of_version(shasums_url="https://dl.example.test/else/1.1.0/SHA256SUMS"), "metadata-release", "to 2 folders"),
    ],
)
def test_each_rule_has_its_finding(edit: Edit, code: str, words: str) -> None:
    assert any(found_code == code and words in message for found_code, message in found(edit)), found(edit)


def test_urls_that_do_not_name_the_version_are_told() -> None:
    document = json.loads(json.dumps(complete()).replace("/v1.1.0/", "/latest/"))
    assert [code for code, _ in found(lambda old: old.update(document))] == ["metadata-release"]
    bare = {"versions": [{"version": "1.0.0", "targets": [{"os": "linux", "arch": "amd64"}]}]}
    assert "metadata-release" not in {code for code, _ in found(lambda old: (old.clear(), old.update(bare)))}


def test_the_registrys_own_providers_lie_in_its_own_repositories() -> None:
    url = "https://github.com/opentofu/terraform-provider-widget/releases/download/v1.1.0/"
    moved = json.loads(json.dumps(complete()).replace("https://dl.example.test/acme/widget/v1.1.0/", url))
    assert found(lambda old: old.update(moved), namespace="hashicorp") == []
    assert {code for code, _ in found(lambda old: old.update(moved))} == {"metadata-path"}
    assert "metadata-path" not in {code for code, _ in found(of_target(download_url="https://[x/" + FILE))}


def test_the_order_of_versions_and_the_trace_of_a_backfill_that_ended_are_told() -> None:
    made = [target("w", version, h1=SAMPLE_H1, size=1) for version in ("1.3.0", "1.4.0")]
    made += [target("w", version) for version in ("1.2.0", "1.1.0", "what")]
    metadata = read_metadata(Registry(made).file("acme", "w"), "x")
    rules = MetadataFile(metadata, namespace="acme", name="w", now=NOW)
    told = [each.message for each in rules.findings()]
    assert told[0] == "version 1.4.0 stands below 1.3.0, and the newest comes first"
    assert "of 5 versions 3 have no h1 and size, 0 have some; none is from 1.2.0 down" in told[1]
    fresh = read_metadata(Registry([target("w", "1.1.0"), target("w", "1.0.0")]).file("acme", "w"), "x")
    (only, *_) = MetadataFile(fresh, namespace="acme", name="w", now=NOW).findings()
    assert only.message == "of 2 versions 2 have no h1 and size, 0 have some"


def test_lists_of_failed_and_unwanted_versions_are_held_against_those_that_are_there() -> None:
    document = complete()
    document["versions_errors"].append({"version": "v1.1.0"})
    metadata = read_metadata(json.dumps(document).encode(), "x")
    told = list(listed_findings(metadata, ["1.1.0", "9.9.9"]))
    assert [(each.severity.value, each.version) for each in told] == [("note", 0), ("warning", 0)]
    assert list(listed_findings(read_metadata(b"{}", "x"), ["1.1.0"])) == []
    assert [each.code for each in form_findings(("odd",), canonical=False)] == [ProblemCode.METADATA_FORM] * 2


def test_files_are_held_against_each_other() -> None:
    across = AcrossFiles()
    good = read_metadata(json.dumps(complete()).encode(), "x")
    assert list(across.findings("providers/a/acme/widget.json", good)) == []
    assert list(across.findings("providers/o/other/widget.json", good)) == []
    differing = complete()
    differing["versions"][0]["targets"][0] |= {"size": 297}
    differing["versions"][0]["targets"][1] |= {"h1": EMPTY_H1, "size": 0}
    told = list(across.findings("providers/a/Acme/widget.json", read_metadata(json.dumps(differing).encode(), "x")))
    assert [each.code.value for each in told] == ["metadata-twin", *["metadata-contradiction"] * 2]
    assert "its shasum has another size than in providers/a/acme/widget.json" in told[1].message
    assert "its shasum has another h1" in told[2].message
    remade = complete()
    remade["versions"][0]["targets"][0] |= {"shasum": "b" * 64, "h1": None, "size": None}
    (only,) = across.findings("providers/n/new/widget.json", read_metadata(json.dumps(remade).encode(), "x"))
    assert "its URL has another shasum" in only.message


def sampler(number: int, seed: str) -> Sampler:
    made = Sampler(number, seed)
    for name, versions in {"small": 2, "middle": 12, "large": 150}.items():
        targets = [target(name, f"1.{place}.0", h1=SAMPLE_H1, size=5) for place in range(versions)]
        made.add(
            name, f"acme/{name}", read_metadata(Registry([*targets, target(name, "0.1.0")]).file("acme", name), "x")
        )
        made.add(name, f"acme/{name}", read_metadata(Registry(targets).file("acme", name), "x"))
    odd = target("odd", h1=SAMPLE_H1, size=5, shasum="odd")
    made.add("odd", "acme/odd", read_metadata(Registry([odd]).file("acme", "odd"), "x"))
    return made


def test_a_sample_is_the_same_for_its_seed_and_takes_of_each_stratum_its_share() -> None:
    one, again, other = (sampler(41, seed) for seed in ("7", "7", "8"))
    assert one.total == 164
    drawn = one.drawn()
    assert drawn == again.drawn()
    assert drawn != other.drawn()
    assert len({each.url for each in drawn}) == 41
    by_path = {name: sum(each.path == name for each in drawn) for name in ("small", "middle", "large")}
    assert by_path["large"] in range(36, 40)
    assert by_path["middle"] in range(2, 5)
    assert len(sampler(1000, "7").drawn()) == 164
    assert len(sampler(1, "7").drawn()) == 1
    assert Sampler(5, "7").drawn() == ()


def test_the_confidence_is_that_of_clopper_and_pearson() -> None:
    # The rule of three, and values of tables for one-sided intervals of 95 %.
    assert most_wrong(0, 300) == pytest.approx(1 - 0.05 ** (1 / 300))
    assert most_wrong(0, 300) < 0.01
    assert most_wrong(0, 3000) < 0.001
    assert most_wrong(1, 10) == pytest.approx(0.3942, abs=1e-4)
    assert most_wrong(2, 20) == pytest.approx(0.2826, abs=1e-4)
    assert most_wrong(3, 3) == 1.0
    assert most_wrong(9, 10) == pytest.approx(0.9949, abs=1e-4)
    assert most_wrong(0, 0) == 1.0
