"""A mirror that is hostile, or that somebody has changed; a folder in which names can be mistaken for each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from adversarial.parties import Parties
from adversarial.scene import BOTH, LINUX, Scene, entry, packages, unsigned
from builders.three_providers import MIRROR
from servers.https import Respond

from lockwarden.demo.mirrors import Mirrored, write_packed
from lockwarden.demo.releases import Release
from lockwarden.demo.world import Response

FROM_BOTH = ("--source", "direct", "--source", MIRROR)


def mirrored(release: Release, **listed: tuple[str, ...]) -> Mirrored:
    return Mirrored(address=release.address, version=release.version, packages=release.packages, listed=listed)


def test_a_mirror_that_serves_other_bytes_the_second_time_is_found_out_when_it_is_asked_anew(
    scene: Scene, parties: Parties
) -> None:
    release = parties.release("ferry")
    hostile = packages("ferry", build="hostile")["linux_amd64"]
    served: list[str] = []

    def changing(respond: Respond) -> Respond:
        def answer(host: str, path: str, headers: Mapping[str, str]) -> Response:
            if host.startswith("mirror.") and path.endswith(".zip"):
                served.append(path)
                return respond(host, path, headers) if len(served) == 1 else Response.of_bytes(hostile.archive)
            return respond(host, path, headers)

        return answer

    scene.serve(release, at_mirror=[mirrored(release)], through=changing)
    scene.lock(entry(release, *release.packages["linux_amd64"].hashes))
    asked = (*FROM_BOTH, *LINUX)
    first = scene.check(*asked, expected=0)
    assert first.confirmed("ferry") == set(release.packages["linux_amd64"].hashes)
    again = scene.check_to_its_end("--fresh", *asked, expected=1)
    assert len(served) == 2
    assert "other-bytes" in again.codes("ferry")
    assert not again.confirmed("ferry") & set(hostile.hashes)


def test_of_a_right_and_a_hostile_hash_that_a_trusted_mirror_lists_only_the_right_one_counts(
    scene: Scene, parties: Parties
) -> None:
    release = parties.release("kiln")
    own, hostile = release.packages["linux_amd64"], packages("kiln", build="hostile")["linux_amd64"]
    scene.serve(release, at_mirror=[mirrored(release, linux_amd64=(own.zh, hostile.h1))])
    scene.lock(entry(release, *own.hashes, hostile.h1))
    configuration = scene.folder.parent / "trusting.tfrc"
    configuration.write_text(
        f'provider_installation {{\n  network_mirror {{\n    url = "{MIRROR}"\n    trust_all_hashes = true\n  }}\n}}\n'
    )
    scene.environment["TF_CLI_CONFIG_FILE"] = str(configuration)
    done = scene.check(*LINUX, expected=1)
    assert hostile.h1 not in done.confirmed("kiln")
    with_origin = scene.check(*FROM_BOTH, *BOTH, expected=1)
    assert with_origin.verdicts("kiln")[hostile.h1] == "unexplained"
    assert with_origin.confirmed("kiln") == set(own.hashes)


@pytest.mark.parametrize(
    ("locked", "twin"), [("acme", "Acme"), ("acm\u00e9", "acme\u0301")], ids=["case", "unicode form"]
)
def test_folders_that_some_disks_cannot_tell_apart_are_told(scene: Scene, locked: str, twin: str) -> None:
    made = unsigned("widget")
    release = replace(made, address=made.address.replace("acme", locked))
    hostile = replace(made, address=made.address.replace("acme", twin), packages=packages("widget", build="hostile"))
    folder = scene.folder.parent / "mirror"
    write_packed(folder, [mirrored(release), mirrored(hostile)])
    scene.lock(entry(release))
    done = scene.check("--source", folder, *BOTH, expected=3)
    assert {"twin-folders", "several-copies"} <= done.codes("widget")
