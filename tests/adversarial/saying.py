"""What every party would like to say to a terminal, in every place from which text comes."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from adversarial.parties import Parties
from adversarial.scene import Scene, days_ago, entry, unsigned
from builders.three_providers import HOST
from builders.zips import PROGRAM, Entry, Zip

from lockwarden.demo.lockfile import LockEntry
from lockwarden.demo.packages import DemoPackage
from lockwarden.demo.releases import HashesShape
from lockwarden.demo.responses import Response

SAID = (
    "\x1b]0;owned\x07"
    "\x1b]8;;http://evil.test\x1b\\link\x1b]8;;\x1b\\"
    "\x1b]52;c;b3duZWQ=\x07"
    "\x1b[2J\x9b31m\x9d0;x\x9c"
    "\u202e0123\u202c\u2066x\u2069"
    "ze\u200bro\u2060\ufeff"
    "[/][bold][@click=app.quit]x[/]"
    "![i](http://evil.test/i)<img src=x>|`"
    "one\rtwo\tthree\U0001f9d1\u200d\U0001f680"
    "##vso[task.setvariable variable=x]y ##[error]x ##teamcity[message text='x']\n::error::x\r  ::set-output name=x::y"
)
"""A title, a link, the clipboard, C1, bidi, zero width, markup of all kinds, line ends, a wide emoji, log commands."""
LONG = "w" * 10_000
CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)


def say_everywhere(scene: Scene, parties: Parties) -> None:
    """Make every place from which text comes say SAID, one provider a place."""
    key = parties.maker.make("Own\u202eer [/] <a@acme.example>\u200b", created=days_ago(90))
    named = parties.sign(unsigned("uid"), by=key)
    listing = unsigned("listing")
    listing = replace(listing, other_files={"terraform-provider-listing_1.0.0_\x1b[2J\u202e[red]": b"x"})
    members = [Entry(name="terraform-provider-member_v1.0.0", content=b"x", mode=PROGRAM), Entry(name=f"../{SAID}")]
    member = replace(
        unsigned("member"), packages={"linux_amd64": DemoPackage(files={}, archive=Zip(entries=members).bytes())}
    )
    reported = replace(
        unsigned("reported"), extra_hashes=HashesShape.PACKAGES, reported={"linux_amd64": (f"zh:{SAID}", SAID)}
    )
    refused, versions, metadata, typed = (
        parties.release(name) for name in ("refused", "versions", "metadata", "typed")
    )
    releases = [named, parties.sign(listing), parties.sign(member), parties.sign(reported)]
    releases += [refused, versions, metadata, typed]
    bare = {"Content-Type": "application/json"}
    answers = {
        refused.versions_path: Response.of_status(404, text=json.dumps({"errors": [SAID]})),
        versions.versions_path: Response.of_json(
            {"versions": [{"version": "1.0.0"}, {"version": SAID}, {"version": LONG}], "warnings": [SAID, LONG]}
        ),
        metadata.metadata_path("linux_amd64"): Response.of_json(
            {
                **metadata.metadata("linux_amd64"),
                "filename": f"{SAID}.zip",
                "download_url": f"https://{HOST}/{SAID}",
                "protocols": [SAID],
                "os": SAID,
            }
        ),
        typed.metadata_path("linux_amd64"): Response(
            headers=(*bare.items(), ("X-Terraform-Get", "\x1b[31m")), body=b'{"os":["\x1b[2J"]}'
        ),
    }
    scene.serve(*releases, answers=lambda world: world.with_answers(HOST, answers))
    odd = f"x9:{''.join(f'{chr(92)}u{ord(c):04x}' if ord(c) < 0x10000 else c for c in SAID)}"
    strange = LockEntry(address=f"{HOST}/acme/strange", version="1.0.0", hashes=(odd, f"x9:{LONG[:4000]}"))
    scene.lock(*map(entry, releases), strange)
