"""Only an address whose text says all of what it leads to is ever a link."""

from __future__ import annotations

from builders.tables import table
from textual.content import Content
from textual.style import Style

from lockwarden.core.values.web_links import web_link
from lockwarden.tui.render.links import linked

URLS = (
    "https://releases.example.test/widget_1.0.0_SHA256SUMS",
    "http://127.0.0.1:8080/x",
    "https://[2001:db8::1]:8443/a?b=c&d=%20#e",
    "https://example.test",
)
HOSTILE = (
    "",
    "ftp://example.test/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "HTTPS://example.test/",
    "https://github.com@evil.test/",
    "https://user:pw@example.test/",
    "https:///x",
    "https://example.test/\x1b]8;;https://evil.test\x1b\\",
    "https://example.test/\x07",
    "https://example.test/\nhttps://evil.test/",
    "https://example.test/\u202egpj.exe",
    "https://ex\u0430mple.test/",
    "https://example.test\\@evil.test/",
    "https://example.test/a b",
    "https://example.test/[link='x']",
    'https://example.test/"',
    "https://example.test/" + "a" * 2_000,
)


@table("url", URLS)
def test_the_text_of_a_link_is_where_it_leads(url: str) -> None:
    told = linked(url)
    assert web_link(url) == url
    assert told.plain == url
    assert [span.style.link for span in told.spans if isinstance(span.style, Style)] == [url]


@table("url", HOSTILE)
def test_what_could_mean_something_else_is_text_that_can_be_printed(url: str) -> None:
    told = linked(url)
    assert web_link(url) == ""
    assert not any(isinstance(span.style, Style) and span.style.link for span in told.spans)
    assert told.plain.isprintable()


def test_a_wrapped_link_leads_to_all_of_it() -> None:
    lines = linked(URLS[0]).fold(20)
    assert len(lines) > 1
    assert all(_links(each) == {URLS[0]} for each in lines)


def _links(told: Content) -> set[str]:
    return {span.style.link for span in told.spans if isinstance(span.style, Style) and span.style.link}
