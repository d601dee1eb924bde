"""Text from outside on its way out: what would act is spelled out, and nothing else is touched."""

from __future__ import annotations

from builders.tables import table

from lockwarden.core.values.printable import inert, printed, reveal


@table(
    ("text", "shown"),
    [
        ("##vso[task.complete result=Succeeded]", "#<U+0023>vso[task.complete result=Succeeded]"),
        ("a ##[error]b ##[group]c", "a #<U+0023>[error]b #<U+0023>[group]c"),
        ("###teamcity[x]", "#<U+0023><U+0023>teamcity[x]"),
        ("::set-output name=x::y", "<U+003A>:set-output name=x::y"),
        ("   ::error::x", "   <U+003A>:error::x"),
        ("\t::error::x", "<U+0009>::error::x"),
        ("one\r::error::x", "one<U+000D>::error::x"),
        ("+++ open", "<U+002B>++ open"),
        ("--- group", "<U+002D>-- group"),
        ("~~~ quiet", "<U+007E>~~ quiet"),
        ("^^^ +++", "<U+005E>^^ +++"),
        ("section_start:1:x\r\x1b[0K", "section_start:1:x<U+000D><U+001B>[0K"),
    ],
)
def test_what_the_log_of_a_job_would_act_on_is_spelled_out(text: str, shown: str) -> None:
    assert printed(text) == shown
    assert printed(shown) == shown


@table(
    "text", ["# one", "a#b", "## heading", "#### What", "a::b", "a ::b", ": x", "-----BEGIN", "a --- b", "#", "##", ""]
)
def test_what_only_looks_like_it_stays(text: str) -> None:
    assert printed(text) == text == reveal(text)


def test_each_line_of_a_text_begins_anew_and_a_document_spells_in_its_own_way() -> None:
    assert inert("::a::b\n  ::c::d\n x ##[e]", spell=lambda char: f"&#{ord(char)};") == (
        "&#58;:a::b\n  &#58;:c::d\n x #&#35;[e]"
    )
