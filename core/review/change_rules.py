"""What a change of an entry means, the loudest first: which classes it falls into, and which of them object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.policy.pins import documents_read, signers_by_document
from lockwarden.core.review.change_kinds import Change, ChangeContext, ChangeKind
from lockwarden.core.review.changes import BaseSide, EntryChange
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.locked_elsewhere import LockedElsewhere, is_alarm
from lockwarden.core.review.near_names import NearName, foreign_letters, near_names
from lockwarden.core.review.protection_rules import protection_changes
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import H1, PREFERRED_SCHEMES, Hash
from lockwarden.core.values.severity import Severity


def kinds_of(change: EntryChange, context: ChangeContext) -> tuple[Change, ...]:
    """Everything that the change does, the heaviest class first, and within it what objects first."""
    return tuple(sorted(_kinds(change, context), key=lambda each: each.order))


def _kinds(change: EntryChange, context: ChangeContext) -> Iterator[Change]:
    before, after = change.before, change.after
    if after is None:
        return
    if before is None:
        earlier = context.side.moved.get(change.address)
        yield from _new_provider(change.address, context) if earlier is None else _moved(earlier, after, context)
        return
    swapped = tuple(_swapped(change, context))
    yield from swapped
    yield from protection_changes(before, after, change, context)
    if before.version != after.version:
        yield _version(before, after, context.side)
        yield from _signers(before, context)
    elif not swapped:
        yield from _more_or_fewer(change, context)
    yield from _constraints(before, after)


def _constraints(before: LockedProvider, after: LockedProvider) -> Iterator[Change]:
    if before.constraints != after.constraints:
        was, now = before.constraints or "none", after.constraints or "none"
        yield Change(
            kind=ChangeKind.CONSTRAINTS_CHANGED,
            severity=Severity.NOTE,
            message=f"the constraints were {was} and are {now}",
        )


def _new_provider(address: ProviderAddress, context: ChangeContext) -> Iterator[Change]:
    side = context.side
    known = [entry.address for entry in side.lock_file.providers] if side.lock_file is not None else []
    where = "is not in the lock file" if side.lock_file is not None else "is new, as is the lock file: there is none"
    yield Change(
        kind=ChangeKind.NEW_PROVIDER,
        severity=Severity.NOTE,
        message=f"{address} {where} at {side.name}",
        hint="check that the configuration needs it, and that its address is the one that was meant",
    )
    for near in near_names(address, known):
        yield Change(
            kind=ChangeKind.NEAR_NAME,
            severity=Severity.WARNING,
            message=f"the {near.part} {_spelt(near, address)} of the new provider {address} looks like {near.known}",
            hint="read it letter by letter; whoever made the change may have meant the other one, or hope that you do",
        )


def _moved(before: LockedProvider, after: LockedProvider, context: ChangeContext) -> Iterator[Change]:
    side = context.side
    same = before.version == after.version
    yield Change(
        kind=ChangeKind.REGISTRY_MOVED,
        severity=Severity.NOTE,
        message=f"{before.address} at {side.name} moved to {after.address}"
        + (f", at version {after.version}" if same else ""),
        hint="each registry has packages and keys of its own: nothing of the old entry speaks for the new hashes",
    )
    yield from protection_changes(before, after, EntryChange(before=before, after=after), context)
    if not same:
        yield _version(before, after, side)
    yield from _constraints(before, after)


def _spelt(near: NearName, address: ProviderAddress) -> str:
    """The name with all that tells it from a look-alike: its ASCII form, and which of its letters are foreign."""
    ascii_form = [address.hostname.ascii] if near.part == "host" and address.hostname.international else []
    notes = [*ascii_form, *foreign_letters(near.name)]
    return f"{near.name} ({'; '.join(notes)})" if notes else near.name


def _swapped(change: EntryChange, context: ChangeContext) -> Iterator[Change]:
    """Hashes of one scheme that came for others of the same version, unless all of them are known to be right.

    What never protected anything can go without a word; what comes need not be able to match to displace what did.
    """
    if not change.same_version:
        return
    for scheme in sorted(PREFERRED_SCHEMES):
        added = sorted(each for each in change.added if each.scheme == scheme)
        removed = sorted(each for each in change.removed if each.scheme == scheme and each.usable)
        if not added or not removed or _all_confirmed((*added, *removed), context.evidence):
            continue
        others = {each: context.others[each] for each in removed if each in context.others}
        # An entry that had another version's hashes is mended by just such a swap, which brings in as much as a bump.
        mended = len(others) == len(removed) and is_alarm(context.others)
        known = "; nothing confirms those that went" if _all_confirmed(added, context.evidence) and not mended else ""
        if mended:
            known = f"; those that went belong to {' and to '.join(dict.fromkeys(map(_told, others.values())))}"
        # Lock files are made now on one platform, now on another: what came back was accepted once.
        again = context.before.issuperset(added)
        if again:
            known += f"; what came was locked for {_version_of(change)} before, in the history of {context.side.name}"
        yield Change(
            kind=ChangeKind.HASHES_SWAPPED,
            severity=Severity.WARNING if again or mended else Severity.ERROR,
            message=f"version {_version_of(change)} stays and {scheme} hashes are swapped: {len(removed)} went, such as"
            f" {removed[0]}, and {len(added)} came, such as {added[0]}{known}",
            hint=_about_a_swap(scheme, mended=mended, again=again),
        )


def _about_a_swap(scheme: str, *, mended: bool, again: bool) -> str:
    """What to do about hashes that were swapped, by what is known of them."""
    if mended:
        return "taking them out mends the entry; whether what came in is right, its verdicts say"
    if again and scheme == H1:
        return (
            "a lock file that is made on another platform swaps them; where both platforms are in use, add them:"
            " lockwarden lock --platform OS_ARCH"
        )
    return "a version that stays the same keeps its hashes; find out who changed them and why before you merge"


def _told(way: LockedElsewhere) -> str:
    return f"{way.version}, {way.how}"


def _version_of(change: EntryChange) -> str:
    return "" if change.after is None else str(change.after.version)


def _all_confirmed(hashes: Iterable[Hash], evidence: Evidence | None) -> bool:
    return evidence is not None and all(evidence.confirms(each) for each in hashes)


def _version(before: LockedProvider, after: LockedProvider, side: BaseSide) -> Change:
    if after.version < before.version:
        return Change(
            kind=ChangeKind.VERSION_DOWN,
            severity=Severity.WARNING,
            message=f"the version goes down from {before.version} at {side.name} to {after.version}",
            hint="an older version may have faults that a later one mended; ask why",
        )
    # Versions that differ in their metadata alone have no order.
    verb = "goes up" if before.version < after.version else "changes"
    return Change(
        kind=ChangeKind.UPGRADE,
        severity=Severity.NOTE,
        message=f"the version {verb} from {before.version} at {side.name} to {after.version}",
    )


def _signers(before: LockedProvider, context: ChangeContext) -> Iterator[Change]:
    earlier = context.side.audit(before)
    if earlier is None or context.evidence is None:
        return
    # As the sources tell it today: what an earlier version was signed with when it was locked is not recorded.
    signers = signer_change(earlier, context.evidence.before_policy)
    if signers is None:
        return
    if not signers.now:
        yield Change(
            kind=ChangeKind.PROTECTION_REMOVED,
            severity=Severity.ERROR,
            message=f"{before.version} is signed by {_ids(signers.was)}, and no signature that counts covers what comes"
            " in",
            hint="ask the provider's maintainers; a registry can drop a signature without a word",
        )
        return
    # Where the policy names keys, another one is its alarm, document by document.
    known = bool(context.pinned)
    yield Change(
        kind=ChangeKind.NEW_SIGNER,
        severity=Severity.NOTE if known else Severity.WARNING,
        message=f"{before.version} is signed by {_ids(signers.was)}, and the version that comes in by"
        f" {_ids(signers.now)}",
        hint="" if known else "compare the fingerprints with what the provider's maintainers say",
    )


def _ids(fingerprints: Iterable[str]) -> str:
    return ", ".join(sorted(fingerprints))


def _more_or_fewer(change: EntryChange, context: ChangeContext) -> Iterator[Change]:
    """Hashes that only came or only went, at the same version."""
    if change.added:
        count = f"{len(change.added)} {'hashes' if len(change.added) > 1 else 'hash'}"
        platforms = _platforms(change.added, context.evidence)
        if platforms and _all_confirmed(change.added, context.evidence):
            message = f"{count} came in, of {', '.join(platforms)}"
            yield Change(kind=ChangeKind.PLATFORMS_ADDED, severity=Severity.NOTE, message=message)
        else:
            message = f"{count} came in at version {_version_of(change)}"
            yield Change(kind=ChangeKind.HASHES_ADDED, severity=Severity.NOTE, message=message)
    if change.removed:
        count = f"{len(change.removed)} {'hashes' if len(change.removed) > 1 else 'hash'}"
        yield Change(kind=ChangeKind.HASHES_REMOVED, severity=Severity.NOTE, message=f"{count} went")


def _platforms(hashes: Iterable[Hash], evidence: Evidence | None) -> tuple[str, ...]:
    if evidence is None:
        return ()
    return tuple(sorted({str(each) for hash_ in hashes for each in evidence.platforms_of(hash_)}))


class SignerChange(Struct, frozen=True, kw_only=True):
    """The keys that signed the earlier version, and those that signed the later one instead."""

    was: frozenset[str]
    """Primary fingerprints. Never empty."""
    now: frozenset[str]
    """Of the keys behind documents that none of the earlier ones signed; empty when no signature counts at all."""


def signer_change(earlier: Audit, later: Audit) -> SignerChange | None:
    """How the signers changed; None when they did not, when there were none, or when the later ones are not known.

    Only signatures that count are looked at, and only what the origin registry shows today.
    """
    was = frozenset(each for signers in _documents(earlier).values() for each in signers)
    origin = later.origin
    if not was or origin is None or not documents_read(origin):
        return None
    documents = _documents(later)
    if not documents:
        return SignerChange(was=was, now=frozenset())
    others = frozenset(each for signers in documents.values() if not signers & was for each in signers)
    return SignerChange(was=was, now=others) if others else None


def _documents(audit: Audit) -> dict[str, frozenset[str]]:
    return {} if audit.origin is None else signers_by_document(audit.origin)
