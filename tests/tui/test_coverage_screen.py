"""The screen that tells where a client would install with the lock file."""

from __future__ import annotations

from fakes.driving import Driver, app_of, drive
from fakes.lock_files import HEADER, block
from fakes.lock_files import World as LockWorld
from fakes.releases import MIRROR, audit, mirror, origin, release
from fakes.running import PreparedAudit

from lockwarden.tui.screens.coverage import CoverageScreen
from lockwarden.tui.screens.help import HelpScreen
from lockwarden.tui.screens.review import ReviewScreen

AMD, ARM = "linux_amd64", "darwin_arm64"
DISK = release("registry.opentofu.org/acme/disk", "1.0.0", platforms=(AMD, ARM))
ONLY_ZH = release("registry.opentofu.org/acme/zeta", "2.0.0", platforms=(AMD,))
WORLD = LockWorld(
    (
        HEADER
        + block(str(DISK.address), "1.0.0", [DISK.zh(AMD), DISK.h1(AMD)])
        + block(str(ONLY_ZH.address), "2.0.0", [ONLY_ZH.zh(AMD)])
    ).encode(),
    (
        audit(DISK, origin(DISK, downloaded=[AMD, ARM]), mirror(DISK, AMD, build=" again")),
        audit(ONLY_ZH, origin(ONLY_ZH, downloaded=[AMD])),
    ),
)


def test_c_tells_the_selected_provider_first_then_the_others_with_why_not_and_what_to_do() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("h", "j")
        first = d.provider.address.short
        await d.press("c")
        assert d.shows(CoverageScreen)
        assert "Would a client install with this lock file?" in d.lines[0]
        text = d.text
        assert "2 providers: ✗ 1 would fail somewhere" in text
        names = ["acme/disk 1.0.0", "acme/zeta 2.0.0"]
        assert min(names, key=text.index).startswith(first)
        row = next(line for line in d.lines if line.startswith("│ linux_amd64 "))
        assert "✓ accepted" in text
        assert "+ accepted at install only" in text
        assert "✗ refused" in row or "✗ refused" in text
        assert f"from {MIRROR.id}" in text
        assert "→ " in text
        await d.press("question_mark")
        assert d.shows(HelpScreen)
        await d.press("escape", "c")
        assert d.shows(ReviewScreen)

    drive(app_of(WORLD), scenario, size=(120, 50))


def test_coverage_follows_the_audit() -> None:
    audit_of = PreparedAudit(WORLD.audits, held=True, held_after=1)

    async def scenario(d: Driver) -> None:
        await d.until_held(audit_of)
        await d.press("c")
        await d.until_shown("… 1 not audited yet")
        await d.press("end")
        await d.until_shown("… its audit has not ended yet")
        audit_of.gate.set()
        await d.settle()
        await d.until(lambda: "not audited yet" not in d.text)
        await d.press("j", "j", "k", "escape")
        assert d.shows(ReviewScreen)

    drive(app_of(WORLD, audit=audit_of), scenario, size=(80, 24), settled=False)
