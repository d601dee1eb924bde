"""Which way led to a package in an OCI registry, and which hash its last step is."""

from __future__ import annotations

from fakes.oci_mirrors import CREDENTIALS, WIDGET, chain, digest, oci_mirror
from fakes.releases import audit, mirror, origin, zh
from msgspec.structs import replace

from lockwarden.core.review.chains import ChainLayer, chains_to, layers_of, steps_of, token_words

LINUX, DARWIN = "linux_amd64", "darwin_arm64"
SAID = oci_mirror(WIDGET, downloaded=[LINUX], listed=[DARWIN])


def test_the_layer_of_an_archive_is_its_zh() -> None:
    way = chain(WIDGET, LINUX)
    assert layers_of(SAID, way) == (ChainLayer(digest=way.layer_digests[0], zh=WIDGET.zh(LINUX)),)


def test_layers_that_the_source_knows_by_no_hash_are_no_archive() -> None:
    sha512 = f"sha512:{'0' * 128}"
    way = replace(chain(WIDGET, LINUX), layer_digests=(digest("a tar archive"), sha512))
    assert [layer.zh for layer in layers_of(SAID, way)] == [None, None]


def test_a_chain_leads_to_both_hashes_of_its_package_and_to_no_other() -> None:
    known = audit(WIDGET, origin(WIDGET, downloaded=[LINUX]), SAID)
    for hash_ in (WIDGET.zh(LINUX), WIDGET.h1(LINUX)):
        assert chains_to(known, hash_) == ((SAID, chain(WIDGET, LINUX)),)
    assert chains_to(known, WIDGET.zh(DARWIN)) == ((SAID, chain(WIDGET, DARWIN)),)
    assert chains_to(known, zh("another")) == ()
    assert chains_to(audit(WIDGET, mirror(WIDGET, LINUX)), WIDGET.zh(LINUX)) == ()


def test_every_step_is_told_and_the_credentials_come_last() -> None:
    way = chain(WIDGET, LINUX)
    assert list(steps_of(SAID, way)) == [
        ("tag", "registry.example.test/providers/acme/widget:1.4.0"),
        ("index", way.index_digest),
        ("manifest", way.manifest_digest),
        ("layer = zh", way.layer_digests[0]),
        ("credentials", CREDENTIALS),
    ]


def test_a_way_is_told_as_far_as_it_was_found() -> None:
    whole = chain(WIDGET, LINUX)
    tagged = replace(whole, platform=None, manifest_digest="", layer_digests=(), credentials="anonymous")
    assert [name for name, _ in steps_of(SAID, tagged)] == ["tag", "leads to", "credentials"]
    assert [name for name, _ in steps_of(SAID, replace(tagged, index_digest="", credentials=""))] == ["tag"]


def test_an_image_that_the_tag_leads_to_directly_is_told_once() -> None:
    whole = chain(WIDGET, LINUX)
    direct = replace(whole, index_digest=whole.manifest_digest, layer_digests=(digest("a tar archive"),))
    assert [name for name, _ in steps_of(SAID, direct)] == ["tag", "manifest", "layer", "credentials"]


def test_the_hosts_that_were_sent_a_token_are_told() -> None:
    assert token_words(SAID) == ""
    sent = replace(origin(WIDGET), token_hosts=("registry.example.test", "api.example.test"))
    assert token_words(sent) == "registry.example.test, api.example.test"
