"""A file of a configuration with pinned sources: which text is replaced, what people are shown, what is refused."""

from __future__ import annotations

import pytest
from builders.tables import table

from lockwarden.core.configuration.editing import read_body
from lockwarden.core.modules.calls import CallsFile, calls_of
from lockwarden.core.modules.listing import ListedCall
from lockwarden.core.modules.pins import PinnedFile, pinned_file
from lockwarden.core.values.errors import FileChangedError

SECRET = 'module "s" {\n  source = "https://ada:s3cret@example.test/v.zip"\n}\n'


def listed(text: str, name: str = "main.tf", *, test: bool = False) -> list[ListedCall]:
    body = read_body(text, in_json=name.endswith(".json"))
    calls = calls_of([CallsFile(path=name, file=f"/x/{name}", body=body, test=test)])
    return [ListedCall(key=each.name, call=each, classified=each.classified("registry.opentofu.org")) for each in calls]


def pinned(text: str, sources: dict[str, str], name: str = "main.tf", *, test: bool = False) -> PinnedFile:
    calls = listed(text, name, test=test)
    return pinned_file(text.encode(), [(each, sources[each.key]) for each in calls if each.key in sources])


def test_two_modules_of_one_source_are_pinned_each_at_its_place() -> None:
    text = 'module "a" {\n  source = "x.test/m"\n}\nmodule "b" {\n  source = "x.test/m"\n}\n'
    only = pinned(text, {"b": "x.test/n"})
    assert only.after.decode() == 'x.test/n"'.join(text.rsplit('x.test/m"', 1))
    assert (only.path, only.file, only.calls) == ("main.tf", "/x/main.tf", ("b",))
    both = pinned(text, {"a": "x.test/n", "b": "x.test/n"})
    assert both.after.decode() == text.replace("/m", "/n")


def test_a_call_that_is_reached_by_two_ways_is_pinned_once() -> None:
    text = 'module "a" {\n  source = "x.test/m"\n}\n'
    (call,) = listed(text)
    assert pinned_file(text.encode(), [(call, "x.test/n"), (call, "x.test/n")]).after.decode() == text.replace(
        'm"', 'n"'
    )


def test_the_module_of_a_test_is_pinned() -> None:
    text = 'run "a" {\n  module {\n    source = "x.test/m"\n  }\n}\n'
    assert pinned(text, {"a": "x.test/n"}, "a.tftest.hcl", test=True).after.decode() == text.replace('m"', 'n"')


def test_people_are_shown_no_secret_of_any_source_and_the_file_keeps_it() -> None:
    text = SECRET + 'module "a" {\n  source = "x.test/m"\n  version = var.v\n}\nmodule "v" {\n  source = var.s\n}\n'
    found = pinned(text, {"a": "x.test/n"})
    assert b"s3cret" in found.after
    shown = text.replace("ada:s3cret@", "(secret)@")
    assert (found.shown_before.decode(), found.shown_after.decode()) == (shown, shown.replace('m"', 'n"'))
    whole = 'module "a" {\n  source = "x.test/m"\n}\n'
    found = pinned(whole, {"a": "x.test/n"})
    assert (found.shown_before, found.shown_after) == (found.before, found.after)


@table(
    "now",
    [
        b'module "a" {\n  source = "x.test/o"\n}\n',
        b'\nmodule "a" {\n  source = "x.test/m"\n}\n',
        b"module",
        b"\xff",
    ],
)
def test_a_file_that_is_another_by_now_is_refused(now: bytes) -> None:
    (call,) = listed('module "a" {\n  source = "x.test/m"\n}\n')
    with pytest.raises(FileChangedError, match=r"main\.tf was changed since it was read"):
        pinned_file(now, [(call, "x.test/n")])
