"""Text from every party in every form of report: it is shown, and it does nothing."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET

import pytest
from adversarial.saying import CONTROL
from adversarial.scene import LINUX, Scene
from builders.log_commands import ACTING

FORMS = ("text", "json", "markdown", "sarif", "junit")


@pytest.mark.parametrize("form", FORMS)
def test_no_report_holds_a_character_that_acts(hostile: Scene, form: str) -> None:
    done = hostile.check("-v", *LINUX, form=form, expected=1)
    assert done.err == ""
    assert not CONTROL.search(done.out.encode("utf-8", "surrogatepass").decode())
    if form in ("json", "sarif"):
        json.loads(done.out)
    elif form == "junit":
        ET.fromstring(done.out)
    else:
        assert "<U+001B>" in done.out
    assert "owned" in done.out or form in ("sarif", "junit", "markdown")


def test_markdown_holds_no_link_image_or_element_that_others_wrote(hostile: Scene) -> None:
    from markdown_it import MarkdownIt

    done = hostile.check("-v", *LINUX, form="markdown", expected=1)
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(done.out)
    assert not re.search(r"<(?:img|script|iframe|style|svg)|href=\"(?:http://evil|javascript)", html)


def test_the_installed_command_says_the_same_on_a_pipe(hostile: Scene) -> None:
    done = hostile.check_installed("-v", *LINUX, form="text", expected=1)
    assert not CONTROL.search(done.out + done.err)
    assert max(map(len, done.out.splitlines())) < 12_000


@pytest.mark.parametrize("form", FORMS)
def test_no_line_of_a_report_is_a_command_to_a_ci_system(hostile: Scene, form: str) -> None:
    done = hostile.check("-v", *LINUX, form=form, expected=1)
    assert not ACTING.search(done.out)
    assert "teamcity" in done.out or form in ("sarif", "junit", "markdown")


@pytest.mark.parametrize(
    "name", ["::error::x", "##vso[task.complete result=Succeeded]", "  ::stop-commands::x", "+++ x"]
)
def test_no_name_of_a_folder_is_a_command_to_a_ci_system(scene: Scene, name: str) -> None:
    (scene.folder / name).mkdir()
    (scene.folder / name / ".terraform.lock.hcl").write_text(f'provider "{name}" {{}}\n')
    done = scene.run("check", "--", name, f"{name}/nothing")
    assert done.code == 2
    assert done.out
    assert done.err
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
