"""Text from every party in every form of report: it is shown, and it does nothing."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET

from adversarial.saying import CONTROL
from adversarial.scene import LINUX, Scene
from builders.log_commands import ACTING

FORMS = ("text", "json", "markdown", "sarif", "junit")


def test_no_report_holds_a_character_a_line_or_markup_that_acts(hostile: Scene) -> None:
    for form in FORMS:
        done = hostile.check_to_its_end("-v", *LINUX, form=form, expected=1)
        assert done.err == ""
        assert not CONTROL.search(done.out.encode("utf-8", "surrogatepass").decode())
        assert not ACTING.search(done.out), form
        match form:
            case "json" | "sarif":
                json.loads(done.out)
            case "junit":
                ET.fromstring(done.out)
            case "markdown":
                no_link_image_or_element_that_others_wrote(done.out)
                assert "<U+001B>" in done.out
            case _:
                assert "<U+001B>" in done.out
                assert max(map(len, done.out.splitlines())) < 12_000
        assert "owned" in done.out or form in ("sarif", "junit", "markdown")
        assert "teamcity" in done.out or form in ("sarif", "junit", "markdown")


def no_link_image_or_element_that_others_wrote(text: str) -> None:
    from markdown_it import MarkdownIt

    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    assert not re.search(r"<(?:img|script|iframe|style|svg)|href=\"(?:http://evil|javascript)", html)


NAMES = ("::error::x", "##vso[task.complete result=Succeeded]", "  ::stop-commands::x", "+++ x")


def test_no_name_of_a_folder_is_a_command_to_a_ci_system(scene: Scene) -> None:
    for name in NAMES:
        (scene.folder / name).mkdir()
        (scene.folder / name / ".terraform.lock.hcl").write_text(f'provider "{name}" {{}}\n')
    done = scene.run("check", "--", *(each for name in NAMES for each in (name, f"{name}/nothing")))
    assert done.code == 2
    for name in NAMES:
        words = name.split()[-1].strip("[]:")[-8:]
        assert words in done.out, name
        assert words in done.err, name
    assert not ACTING.search(done.out)
    assert not ACTING.search(done.err)


def test_what_is_complained_of_holds_no_character_that_acts(scene: Scene) -> None:
    name = "a\x1b[2J\u202eb\nc"
    (scene.folder / name).mkdir()
    (scene.folder / name / ".terraform.lock.hcl").write_text("provider {\n")
    done = scene.run("check", "--", name, f"{name}/nothing")
    assert done.code == 2
    assert not CONTROL.search(done.err.encode().decode())
    assert done.err.count("a<U+001B>[2J<U+202E>b<U+000A>c") >= 2
