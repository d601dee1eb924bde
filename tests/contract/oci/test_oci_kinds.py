"""Every kind of OCI artifact, in a real registry, ends as it did for the recorded client, and says at least as much."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from builders.mirrors import LINUX, PLAIN
from contract.oci.asking import HOST, Asking, without_connection
from contract.oci.kinds import KINDS, VERSIONS, shelf_of
from servers.oci_registry import Registry

from lockwarden.core.evidence.selection import recorded
from lockwarden.core.evidence.source_answers import Audit, Outcome, SourceAnswer
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version

RECORDED: dict[str, Any] = json.loads(Path(__file__).with_name("recorded_kinds.json").read_bytes())["kinds"]

SAID: dict[str, tuple[str, ...]] = {
    "module-typed-index": ("OpenTofu module package, not a provider package", "application/vnd.opentofu.modulepkg"),
    "no-artifact-type": ("unexpected artifact type “”", "its entries are typed as a provider's"),
    "other-artifact-type": ("unexpected artifact type “application/vnd.example.thing”",),
    "other-target-type": (
        "provider image manifest has unsupported artifact type “application/vnd.example.thing”",
        "application/vnd.opentofu.provider-target",
    ),
    "two-zip-layers": ("ambiguous manifest declares multiple eligible provider packages",),
    "tar-layer": (
        "image manifest contains no layers of type “archive/zip”, but has other unsupported formats",
        "application/vnd.oci.image.layer.v1.tar+gzip",
        "this OCI artifact might be intended for a different version of OpenTofu",
    ),
    "other-platform-only": ("does not have a package", "available for linux_amd64"),
    "no-platform": ("provider image manifest lacks the required platform constraints",),
    "two-of-one-platform": ("ambiguous manifest has multiple descriptors for platform linux_amd64",),
    "os-version": ("does not have a package", "available for linux_amd64"),
    "v-prefix-tag": ("no tag for version 1.2.3", "“v1.2.3”"),
    "short-tag": ("resolving tag “1.2.0”", "not found", "“1.2”"),
    "only-latest": ("no tag for version 1.2.3", "“latest”"),
    "image-directly": ("tag refers directly to image manifest", "index manifest for multi-platform support"),
    "module": ("OpenTofu module package, not a provider package", "selected an OCI image manifest directly"),
    "container-image": (
        "selected an OCI image manifest directly",
        "a container image that is not intended for OpenTofu",
        "org.opentofu.package-type",
    ),
    "no-such-repository": ("does not have the repository kinds/no-such-repository", "NAME_UNKNOWN"),
}
"""What has to be said of each kind that is refused."""
ABSENT = {"other-platform-only", "os-version", "v-prefix-tag", "only-latest", "no-such-repository"}
"""Refused kinds that are an answer: it is not there."""


@pytest.fixture
def asking() -> Asking:
    return without_connection()


def ask(asking: Asking, registry: Registry, kind: str) -> SourceAnswer:
    if kind in KINDS:
        shelf_of(kind).push(registry, f"kinds/{kind}")
    asking.server.serve(registry.respond)
    return asking.ask(f"{HOST}/kinds/{kind}", version=version_of(kind))


def version_of(kind: str) -> Version:
    return Version.parse(VERSIONS.get(kind, "1.2.3"))


def test_every_recorded_kind_is_built_or_known_to_be_absent() -> None:
    assert set(RECORDED) == {*KINDS, "no-such-repository"}
    assert set(SAID) == {kind for kind, result in RECORDED.items() if result["exit"]}


@pytest.mark.parametrize("kind", RECORDED)
def test_a_kind_is_accepted_or_refused_as_by_the_client(kind: str, asking: Asking, registry: Registry) -> None:
    answer = ask(asking, registry, kind)
    package = answer.package(LINUX)
    usable = package is not None and package.outcome is Outcome.ANSWERED and not package.client_refusal
    assert usable is (RECORDED[kind]["exit"] == 0)
    audit = Audit(address=PLAIN, version=version_of(kind), source_answers=(answer,))
    would_lock = recorded(audit, settings=ClientSettings(), platforms=frozenset({LINUX}))
    assert sorted(hash_.text for hash_ in would_lock) == sorted(RECORDED[kind]["hashes"] or [])
    if usable:
        assert audit.summary == RECORDED[kind]["summary"]


@pytest.mark.parametrize("kind", SAID)
def test_a_refused_kind_is_told_at_least_as_helpfully(kind: str, asking: Asking, registry: Registry) -> None:
    answer = ask(asking, registry, kind)
    package = answer.package(LINUX)
    details = [answer.detail, "" if package is None else f"{package.detail} {package.client_refusal}"]
    said = " ".join([*(problem.message for problem in answer.problems), *details])
    assert [text for text in SAID[kind] if text not in said] == [], said
    absent = answer.outcome is Outcome.NOT_THERE or (package is not None and package.outcome is Outcome.NOT_THERE)
    assert absent is (kind in ABSENT)
    if kind not in ABSENT:
        told = [problem for problem in answer.problems if problem.severity is not Severity.NOTE]
        assert told
        assert all(problem.hint for problem in told)


def test_the_chain_names_every_step_of_a_package(asking: Asking, registry: Registry) -> None:
    answer = ask(asking, registry, "right")
    shelf = shelf_of("right")
    chain = next(each for each in answer.chains if each.platform == LINUX)
    assert (chain.repository, chain.tag, chain.credentials) == (f"{HOST}/kinds/right", "1.2.3", "anonymous")
    assert chain.index_digest == shelf.tags["1.2.3"]
    described = json.loads(shelf.manifests[chain.index_digest][1])["manifests"]
    assert chain.manifest_digest == next(e["digest"] for e in described if e["platform"]["os"] == "linux")
    layers = json.loads(shelf.manifests[chain.manifest_digest][1])["layers"]
    assert chain.layer_digests == (layers[0]["digest"],)
    assert f"zh:{chain.layer_digests[0].removeprefix('sha256:')}" in RECORDED["right"]["hashes"]


def test_the_chain_of_a_wrong_kind_goes_as_far_as_its_tag(asking: Asking, registry: Registry) -> None:
    answer = ask(asking, registry, "module")
    (chain,) = answer.chains
    assert chain.index_digest == shelf_of("module").tags["1.2.3"]
    assert (chain.platform, chain.manifest_digest, chain.layer_digests) == (None, "", ())
