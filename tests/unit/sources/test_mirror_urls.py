"""Where a network mirror's documents and archives are."""

from __future__ import annotations

import pytest
from builders.tables import table

from lockwarden.core.sources.protocols.mirror_urls import archive_url, document_url
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import BadAnswerError, Stage

DOCUMENT = "https://mirror.example.test/p/example.test/acme/widget/1.2.3.json"
FOLDER = "https://mirror.example.test/p/example.test/acme/widget"


@pytest.mark.parametrize(
    ("base", "address", "url"),
    [
        (
            "https://mirror.example.test/p/",
            "Example.Test/Acme/Widget",
            "https://mirror.example.test/p/example.test/acme/widget/index.json",
        ),
        (
            "https://mirror.example.test/",
            "bücher.example/grün/größe",
            "https://mirror.example.test/xn--bcher-kva.example/gr%C3%BCn/gr%C3%B6%C3%9Fe/index.json",
        ),
        (
            "https://mirror.example.test/p",
            "example.test/acme/widget",
            "https://mirror.example.test/example.test/acme/widget/index.json",
        ),
    ],
)
def test_documents_lie_below_the_base_with_the_host_in_punycode(base: str, address: str, url: str) -> None:
    assert document_url(base, ProviderAddress.parse(address), "index.json") == url


def test_a_version_with_metadata_keeps_its_sign() -> None:
    url = document_url("https://m.test/", ProviderAddress.parse("example.test/acme/widget"), "1.2.3-rc.1+a.b.json")
    assert url == "https://m.test/example.test/acme/widget/1.2.3-rc.1+a.b.json"


@table(
    ("written", "url"),
    [
        ("a.zip", f"{FOLDER}/a.zip"),
        ("./a.zip?token=x#f", f"{FOLDER}/a.zip?token=x"),
        ("../../../../../../../a.zip", "https://mirror.example.test/a.zip"),
        ("a b.zip", f"{FOLDER}/a%20b.zip"),
        ("/releases/a.zip", "https://mirror.example.test/releases/a.zip"),
        ("//cdn.example.test/a.zip", "https://cdn.example.test/a.zip"),
        ("https://cdn.example.test:8443/a.zip", "https://cdn.example.test:8443/a.zip"),
        ("http://cdn.example.test/a.zip", "http://cdn.example.test/a.zip"),
    ],
)
def test_an_archives_url_is_relative_to_its_document(written: str, url: str) -> None:
    assert archive_url(DOCUMENT, written) == url


@table(
    ("written", "code"),
    [
        ("", "url-missing"),
        ("https://[::1/a.zip", "url-refused"),
        ("a\x7f.zip", "url-refused"),
        ("a" * 20_000, "url-refused"),
    ],
)
def test_what_is_no_url_is_a_bad_answer(written: str, code: str) -> None:
    with pytest.raises(BadAnswerError) as caught:
        archive_url(DOCUMENT, written)
    assert (caught.value.code, caught.value.stage) == (code, Stage.ARCHIVES)
