"""A lock file of somebody with a hand in the repository: planted hashes, look-alike hosts, what breaks a parser."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from adversarial.parties import Parties
from adversarial.scene import BOTH, MIB, Scene, entry, packages
from builders.thorough import THOROUGH
from servers.https import Respond

from lockwarden.demo.lockfile import LockEntry, lock_text
from lockwarden.demo.world import Response

H1 = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
ZH = "zh:" + "ab" * 32


def test_planted_hashes_are_disowned_and_unexplained(scene: Scene, parties: Parties) -> None:
    release = parties.release("widget")
    hostile = packages("widget", build="by nobody")["linux_amd64"]
    own = [text for package in release.packages.values() for text in package.hashes]
    scene.serve(release)
    scene.lock(entry(release, *own, *hostile.hashes))
    done = scene.check_to_its_end(expected=1)
    assert done.verdicts("widget") == dict.fromkeys(own, "confirmed") | {
        hostile.zh: "disowned",
        hostile.h1: "unexplained",
    }


def test_a_swapped_h1_is_unexplained_once_every_platform_was_looked_at(scene: Scene, parties: Parties) -> None:
    release = parties.release("widget")
    scene.serve(release)
    scene.lock(entry(release, *(package.zh for package in release.packages.values()), H1))
    done = scene.check(*BOTH, expected=1)
    assert done.verdicts("widget")[H1] == "unexplained"


MISSPELT = (
    "zh:" + "AB" * 32,
    "zh:" + "a" * 63,
    "zh:" + "a" * 65,
    "zh:" + "\u0661" * 64,
    "zh:" + "\uff41" * 64,
    H1.removesuffix("="),
    H1.replace("+", "-").replace("/", "_"),
    f"{H1} ",
    f"h1: {H1[3:]}",
    "ZH:" + "ab" * 32,
    "H1:" + H1[3:],
    "h2:abc",
    "sha256:" + "ab" * 32,
)


def test_a_hash_in_another_spelling_protects_nothing_and_says_so(scene: Scene) -> None:
    texts = {f"p{place:02}": text for place, text in enumerate(MISSPELT)}
    address = "registry.example.test/acme"
    scene.lock(*(LockEntry(address=f"{address}/{name}", version="1.0.0", hashes=(texts[name],)) for name in texts))
    done = scene.check("--offline", expected=1)
    for name, text in texts.items():
        (row,) = done.provider(name)["hashes"]
        assert row["verdict"] == ("unexplained" if text.startswith(("zh:", "h1:")) else "unchecked"), text
        assert "can never match" in " ".join(row["reasons"]), text
        assert "error" in {problem["severity"] for problem in done.provider(name)["problems"]}, text


LOOK_ALIKES = {
    "cyrillic": ("registry.ex\u0430mple.test", "registry.xn--exmple-4nf.test"),
    "latin small capital": ("\u0280egistry.example.test", "xn--egistry-bmd.example.test"),
    "dashed": ("registry-example.test", "registry-example.test"),
    "another port": ("registry.example.test:8443", "registry.example.test:8443"),
    "trailing dot": ("registry.example.test.", "registry.example.test."),
    "long s": ("regi\u017ftry.example.test", "normalised form"),
    "upper case": ("Registry.example.test", "normalised form"),
    "zero width": ("registry\u200b.example.test", "registry<U+200B>.example.test"),
}
"""Hosts that look like registry.example.test, and what is told of each."""


@pytest.mark.parametrize("kind", list(LOOK_ALIKES))
def test_a_host_that_looks_like_another_is_never_asked_in_its_place(scene: Scene, parties: Parties, kind: str) -> None:
    host, shown = LOOK_ALIKES[kind]
    release = parties.release("widget")
    scene.serve(release)
    scene.lock(LockEntry(address=f"{host}/acme/widget", version="1.0.0", hashes=entry(release).hashes))
    done = scene.check_any(form="text")
    assert done.code == (2 if kind in ("long s", "upper case", "zero width") else 3)
    assert scene.asked("/versions") == []
    assert shown in done.out


def test_a_foreign_host_that_vouches_for_everything_is_still_shown_in_its_ascii_form(
    scene: Scene, parties: Parties
) -> None:
    host = "\u0280egistry.example.test"
    release = parties.release("widget", host="xn--egistry-bmd.example.test")
    scene.serve(release)
    scene.lock(LockEntry(address=f"{host}/acme/widget", version="1.0.0", hashes=entry(release).hashes))
    done = scene.check_any(*BOTH, form="text")
    assert "xn--egistry-bmd.example.test" in done.out, done.out


def test_a_foreign_letter_in_the_name_of_a_provider_is_told_without_a_base(scene: Scene) -> None:
    scene.lock(LockEntry(address="registry.example.test/acme/w\u0456dget", version="1.0.0", hashes=(ZH,)))
    done = scene.check_any("--offline", form="text")
    assert done.code == 3, done.told
    assert "has letters beyond ASCII: \u0456 is CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I" in done.out


MANY = 10 if THOROUGH else 1
"""How many times ten thousand, or so, of what is repeated; even one is far beyond what a parser may call itself."""
NIGHTMARES: Mapping[str, Callable[[], str]] = {
    "deep lists": lambda: "a = " + "[" * 10_000 * MANY,
    "deep blocks": lambda: "a {\n" * 5_000 * MANY,
    "deep brackets": lambda: "a = " + "(" * 10_000 * MANY + "1",
    "templates": lambda: 'a = "' + "${" * 5_000 * MANY,
    "heredoc": lambda: "a = <<E\n" + "x\n" * 50_000 * MANY,
    "one long line": lambda: (
        lock_text([LockEntry(address="a.test/b/c", version="1.0.0", hashes=(ZH,))]) + "# " + "x" * (10 * MIB)
    ),
    "NUL": lambda: "a = \0\n" * 10_000 * MANY,
    "unterminated comment": lambda: "/*" * 100_000 * MANY,
    "quotes": lambda: '"' * 100_000 * MANY,
    "many mistakes": lambda: "provider {\n" * 20_000 * MANY,
    "escapes": lambda: 'a = "' + "\\u0041" * 20_000 * MANY,
    "operators": lambda: "a = " + "!-" * 100_000 + "1",
    "conditions": lambda: "a = " + "b ? " * 10_000 * MANY,
    "too large": lambda: "#" * (33 * MIB),
}


MEASURED = ("one long line", "operators", "deep lists", "many mistakes", "too large")
"""Those that need the most; the first two need more than the others."""


@pytest.mark.parametrize("kind", [kind for kind in NIGHTMARES if kind not in MEASURED[:2]])
def test_what_would_break_a_parser_is_one_sentence_with_a_hint(scene: Scene, kind: str) -> None:
    scene.lock_file.write_text(NIGHTMARES[kind]())
    done = scene.check("--offline", form="text", expected=2)
    assert "Cannot be read" in done.out.splitlines()[0]
    assert len(done.out) < 200_000


@pytest.mark.parametrize(
    "kind", [*MEASURED[:2], *(pytest.param(kind, marks=pytest.mark.thorough) for kind in MEASURED[2:])]
)
def test_what_would_break_a_parser_is_refused_within_bounds(scene: Scene, kind: str) -> None:
    scene.lock_file.write_text(NIGHTMARES[kind]())
    done = scene.check_measured("--offline", form="text", expected=3 if kind == "one long line" else 2)
    assert len(done.out) < 200_000


@pytest.mark.parametrize(("providers", "hashes"), [pytest.param(100, 30, marks=pytest.mark.thorough), (1, 2_000)])
def test_a_very_large_file_is_checked_within_bounds(scene: Scene, providers: int, hashes: int) -> None:
    entries = [
        LockEntry(
            address=f"registry.example.test/acme/p{number}",
            version="1.0.0",
            hashes=tuple(f"zh:{number:08x}{place:056x}" for place in range(hashes)),
        )
        for number in range(providers)
    ]
    scene.lock(*entries)
    done = scene.check_measured("--offline", expected=3)
    rows = [row for provider in done.report["lock_files"][0]["providers"] for row in provider["hashes"]]
    assert len(rows) == providers * hashes


@pytest.mark.parametrize("how", ["changed", "replaced", "removed", "link swapped", "folder"])
def test_a_file_that_somebody_changes_between_reading_and_writing_is_not_overwritten(
    scene: Scene, parties: Parties, how: str
) -> None:
    release = parties.release("widget")
    scene.lock(entry(release, release.packages["linux_amd64"].zh))
    theirs = b"# somebody else's\n" + scene.lock_file.read_bytes()
    other = scene.folder.parent / "other"
    other.write_bytes(theirs)
    if how == "link swapped":
        real = scene.folder.parent / "real"
        scene.lock_file.rename(real)
        scene.lock_file.symlink_to(real)

    def meddle() -> None:
        match how:
            case "changed":
                scene.lock_file.write_bytes(theirs)
            case "replaced":
                other.replace(scene.lock_file)
            case "removed":
                scene.lock_file.unlink()
            case "link swapped":
                scene.lock_file.unlink()
                scene.lock_file.symlink_to(other)
            case _:
                scene.lock_file.unlink()
                scene.lock_file.mkdir()

    def meddling(respond: Respond) -> Respond:
        pending = [meddle]

        def answer(host: str, path: str, headers: Mapping[str, str]) -> Response:
            if path.endswith("SHA256SUMS") and pending:
                pending.pop()()
            return respond(host, path, headers)

        return answer

    scene.serve(release, through=meddling)
    done = scene.run("lock", *BOTH)
    assert done.code == 2
    if how in ("changed", "replaced", "link swapped"):
        assert scene.lock_file.read_bytes() == theirs
    assert "hint: " in done.err + done.out
    assert [path.name for path in scene.folder.iterdir() if path.suffix == ".tmp"] == []
