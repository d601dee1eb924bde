"""The parts of the page about what the repositories rely on: providers, signing keys, and where they drift."""

from __future__ import annotations

from typing import Final

from lockwarden.core.reports.html_text import (
    Html,
    element,
    foreign,
    foreign_code,
    together,
    words,
)
from lockwarden.core.reports.organisation.html_tables import (
    Anchors,
    Cell,
    HtmlColumn,
    Row,
    TableRoom,
    address_of,
    badge,
    folded,
    names_cell,
    number,
    table,
)
from lockwarden.core.reports.organisation.phrases import (
    amount,
    drift_words,
    trust_words,
)
from lockwarden.core.reports.organisation.result import OrganisationResult
from lockwarden.core.reports.organisation.rows import (
    DriftRow,
    OrganisationTables,
)
from lockwarden.core.review.across_repositories import KeyReliance, ProviderUse, ReleaseUse
from lockwarden.core.review.sentences import fingerprint_groups
from lockwarden.core.review.signing import Signing
from lockwarden.core.values.signing_keys import KeyState

_USER_IDS: Final = 5
_SIGNING: Final = {Signing.SIGNED: ("✓", "good"), Signing.UNSIGNED: ("▲", "warn"), Signing.UNKNOWN: ("?", "open")}


_PROVIDER_CHOICES: Final = {
    "lone": "Used by one repository only",
    "versions": "Locked in several versions",
    "unsigned": "Unsigned",
    "unknown": "Signatures not known",
}


def providers_section(tables: OrganisationTables, anchors: Anchors, room: TableRoom) -> Html:
    """Every provider, and who uses it."""
    columns = (
        HtmlColumn("Provider"),
        HtmlColumn("Versions", number=True),
        HtmlColumn("Signed"),
        HtmlColumn("Repositories", number=True),
        HtmlColumn("Lock files", number=True),
        HtmlColumn("Which version where"),
    )
    about = "Every provider that is locked, who signs it, and which repositories use it."
    names = {each.key.fingerprint: each.key.key_id for each in tables.result.reliance.keys}
    rows = (_provider(each, anchors, names) for each in tables.result.reliance.providers)
    return table(
        "providers", "Providers", about, columns, rows, room, choices=_PROVIDER_CHOICES, empty="No provider is locked."
    )


def _provider(use: ProviderUse, anchors: Anchors, key_ids: dict[str, str]) -> Row:
    sign, tone = _SIGNING[use.signing]
    tags = {
        "lone": use.lone,
        "versions": len(use.releases) > 1,
        "unsigned": use.signing is Signing.UNSIGNED,
        "unknown": use.signing is Signing.UNKNOWN,
    }
    return Row(
        cells=(
            Cell(content=address_of(use.address), head=True),
            number(len(use.releases)),
            Cell(content=badge(sign, use.signing, tone)),
            number(len(use.repositories)),
            number(use.files),
            Cell(
                content=element("ul", *(_release(each, anchors, key_ids) for each in use.releases), class_="releases")
            ),
        ),
        tags=tuple(tag for tag, so in tags.items() if so),
    )


def _release(release: ReleaseUse, anchors: Anchors, key_ids: dict[str, str]) -> Html:
    signers = ", ".join(key_ids[each] for each in release.signers if each in key_ids)
    by = f" signed by {signers}" if signers else f" {release.signing}"
    return element(
        "li", foreign_code(str(release.version)), words(by), words(" "), names_cell(release.labels, anchors).content
    )


def keys_section(result: OrganisationResult, room: TableRoom) -> Html:
    """The keys that stand behind what is locked."""
    columns = (
        HtmlColumn("Key ID"),
        HtmlColumn("Says it is"),
        HtmlColumn("State"),
        HtmlColumn("Policy"),
        *(
            HtmlColumn(head, number=True)
            for head in ("Repositories", "Lock files", "Providers", "Versions", "Locked hashes")
        ),
    )
    about = "The GPG keys whose signatures stand behind what is locked. Who a key says it is, is its maker's claim."
    choices = {"untrusted": "Not named by a policy", "stale": "Expired or revoked"}
    rows = (_key(each) for each in result.reliance.keys)
    return table(
        "keys", "Signing keys", about, columns, rows, room, choices=choices, empty="No key stands behind anything."
    )


def _key(reliance: KeyReliance) -> Row:
    key = reliance.key
    good = key.state is KeyState.VALID
    providers = folded(amount(len(reliance.providers), "provider"), map(str, reliance.providers))
    tags = {"untrusted": not reliance.trusted, "stale": not good}
    names = [element("li", foreign(each)) for each in key.user_ids[:_USER_IDS]]
    if len(key.user_ids) > _USER_IDS:
        names.append(element("li", words(f"and {len(key.user_ids) - _USER_IDS} more")))
    return Row(
        cells=(
            Cell(
                content=together(
                    element("code", words(key.key_id)),
                    element("p", words(fingerprint_groups(key.fingerprint)), class_="fingerprint"),
                ),
                head=True,
                sort=key.key_id,
            ),
            Cell(content=element("ul", *names) if names else words("nobody")),
            Cell(content=badge("✓" if good else "▲", key.state, "good" if good else "warn")),
            Cell(content=foreign(trust_words(reliance))),
            number(len(reliance.repositories)),
            number(reliance.files),
            Cell(content=providers, sort=str(len(reliance.providers)), number=True),
            number(reliance.releases),
            number(reliance.hashes),
        ),
        tags=tuple(tag for tag, so in tags.items() if so),
    )


def drift_section(tables: OrganisationTables, anchors: Anchors, room: TableRoom) -> Html:
    """Providers that are locked in several ways."""
    columns = (
        HtmlColumn("Provider"),
        HtmlColumn("Version"),
        HtmlColumn("Differs in"),
        HtmlColumn("Hashes", number=True),
        HtmlColumn("Lacks", number=True),
        HtmlColumn("Repositories", number=True),
    )
    about = (
        "Providers that are locked in more than one way, but for other h1 hashes, which are ordinary. It objects to"
        " nothing."
    )
    rows = (_way(each, anchors) for each in tables.drift)
    choices = {"odd": "What stands out"}
    return table(
        "drift", "Drift", about, columns, rows, room, choices=choices, empty="Every provider is locked in one way."
    )


def _way(row: DriftRow, anchors: Anchors) -> Row:
    form = row.form
    odd = form.stands_out
    return Row(
        cells=(
            Cell(content=address_of(row.drift.address), head=True),
            Cell(content=foreign_code(str(form.version))),
            Cell(content=badge("▲" if odd else "·", drift_words(form), "warn" if odd else "quiet")),
            number(len(form.hashes)),
            number(len(row.drift.lacking(form))),
            names_cell(row.labels, anchors),
        ),
        tags=("odd",) if odd else (),
    )
