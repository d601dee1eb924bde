"""Advice as the screen gives it: where a command's options or other commands would help, the key that does it.

What the core advises is worded for whoever reads a report. On the screen nobody is at a command line, so that each such
phrase has its counterpart here; of what no key can do, it says how the review has to begin.
"""

from __future__ import annotations

import re
from typing import Final

_KEYS: Final = "a accepts what is suggested, w writes it"
_CONFIG: Final = r"“lockwarden config(?: \S+)?” (?:with the address )?shows all methods"
_PLATFORM: Final = r"(?P<platform>[\w*]+)"
_PHRASES: Final = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (
            rf"review the package and add (?P<what>[\w ]+) with “lockwarden lock --platform {_PLATFORM}”",
            rf"review the package and add \g<what>: s looks at \g<platform>, {_KEYS}",
        ),
        (rf"“lockwarden lock --platform {_PLATFORM}” adds it", rf"s looks at \g<platform>, {_KEYS}"),
        (r"“lockwarden lock --platform” adds it", f"s looks at the platform, {_KEYS}"),
        (r"“lockwarden lock” adds the hashes of the platforms that you name", f"s names platforms, {_KEYS}"),
        (r"“lockwarden lock” adds (?P<what>[\w ]+)", r"a accepts \g<what>, w writes it"),
        (r"add them: lockwarden lock --platform OS_ARCH", f"add them: s names them, {_KEYS}"),
        (r"(?P<add>[Aa]dd its hashes), as “lockwarden lock” does", rf"\g<add>: {_KEYS}"),
        (
            r"“lockwarden resolve” shows what each side locks, and writes what is confirmed of it",
            "m shows what each side locks, and writes what is confirmed of it",
        ),
        (r"ask less at once with --jobs", "let the review begin with fewer packages at the same time"),
        (r"leave it out with --no-cache", "let the review begin without it"),
        (r"lockwarden keys prints it", "K shows it"),
        (r"(?P<look>[Ss]ee which signatures were found[\w ]*): lockwarden keys", r"\g<look>: K"),
        (r"lockwarden approve-sign", "the command approve-sign"),
        (r"make the entry anew with “lockwarden lock”", f"make the entry anew: {_KEYS}"),
        (rf"check again with “--platform {_PLATFORM}”", r"s looks at \g<platform>, too"),
        (rf"look at the package with --platform {_PLATFORM}", r"look at the package of \g<platform> with s"),
        (rf"(?P<look>[Ll]ook at that platform, too): --platform {_PLATFORM}", r"\g<look>: add \g<platform> with s"),
        (r"(?P<look>[Ll]ook at that platform, too), with --platform", r"\g<look>, with s"),
        (rf"{_CONFIG}; name a source, such as --source direct", "s shows the sources; add one there, such as direct"),
        (r"name the repository yourself: --source ", "name the repository yourself with s: "),
        (r"because of --offline", "since the review was begun offline"),
        (r"as --client says", "as was said when the review began"),
        (
            r"check with “--client (?P<client>\w+)” as well",
            r"review it as \g<client> does as well: begin the review anew with that client",
        ),
        (r"with --offline, nobody", "offline, nobody"),
        (r"leave --offline out to have it asked", "begin the review anew with the network to have it asked"),
        (r"leave --offline out", "begin the review anew with the network"),
        (r"lockwarden modules lists them with their names", "M lists them with their names"),
        (
            r"to accept it, remove its block from the module lock and lock again",
            "d shows what is new, a accepts it as it is today",
        ),
        (
            r"remove its block from the module lock, install the module, and lock again",
            "install the module, and accept it with a",
        ),
        (
            r"remove the block, install the module anew, lock again, and look at what differs",
            "install the module anew, accept it with a, and look at what differs",
        ),
        (r"remove the block from the module lock and lock again", "a accepts it as it is today"),
        (r"remove the block and lock again", "remove the block, and accept the call with a"),
        (r"with lockwarden modules --diff", "with d"),
        (r"lockwarden modules --lock adds one", "a adds one"),
        (r"lockwarden modules --lock writes down what it means", "a writes down what it means"),
        (r"Check again without --offline", "Begin the review anew with the network"),
        (
            r"(?P<more>[Gg]ive it more time) with --timeout",
            r"\g<more> where the review begins, or ask again with r",
        ),
        (r"take all below with --recursive \(-r\)", "begin the review anew with all folders below"),
        (r"begin it without --read-only, or serve it with --write", "begin the review anew as one that may write"),
        (r"name their key with --evidence-signers", "begin the review anew with their key as one of evidence"),
        (r"leave --base out", "choose another base with b"),
        (r"with --base", "with a base"),
        (r"name it: --token-host (?P<host>\S+)", r"let the review begin with \g<host> as a token host"),
        (r"name it with --token-host", "let the review begin with it as a token host"),
        (r"or name it: --policy FILE", "or let the review begin with that policy"),
        (
            r"plain http needs a loopback address or --insecure-http",
            "plain http needs a loopback address, or a host that the review was allowed it for when it began",
        ),
    )
)
_MARKS: Final = ("--", "lockwarden ", "lock again")


def on_screen(text: str) -> str:
    """The sentence, with keys in the place of a command line's words."""
    if any(each in text for each in _MARKS):
        for phrase, instead in _PHRASES:
            text = phrase.sub(instead, text)
    return text
