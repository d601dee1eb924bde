"""`lockwarden package-diff`: two packages of providers, member by member. Nothing is asked, and nothing is unpacked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from lockwarden.cli.interruption import run_to_end
from lockwarden.cli.output import out
from lockwarden.cli.surroundings import cache_folder, clock, state_folder
from lockwarden.core import __version__
from lockwarden.core.engine.package_trees import LookedInto, look_into, look_into_path
from lockwarden.core.modules.package_diff import PackageDiff, package_diff
from lockwarden.core.reports.package_diff_lines import package_lines
from lockwarden.core.reports.text_report import shown
from lockwarden.core.review.exit_codes import ExitCode, code_for
from lockwarden.core.review.rereleases import PackageRelation
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.store.user_key import KEY_FILE, UserKey
from lockwarden.core.values.errors import ArchiveError, InputError, InvalidHashError
from lockwarden.core.values.hashes import ZH, Hash

_HINT = "name a provider's zip archive, or the zh: of a package that “lockwarden” has kept"


class _Pair(Struct, frozen=True):
    before: LookedInto
    after: LookedInto

    @property
    def relation(self) -> PackageRelation:
        before, after = self.before, self.after
        return PackageRelation.of(before.zh, after.zh, before.facts.h1_directory, after.facts.h1_directory)


def diff_packages(before: str, after: str, *, form: str) -> int:
    """Print what differs; the exit code is 0 for the same bytes and 1 for others. Raises InputError."""
    pair = run_to_end(_looked_into(before, after))
    diff = package_diff(pair.before.tree, pair.after.tree)
    code = code_for(objected=pair.relation is not PackageRelation.SAME_BYTES)
    out(_json(pair, diff, code) if form == "json" else shown(_lines(pair, diff)))
    return int(code)


async def _looked_into(before: str, after: str) -> _Pair:
    key = UserKey.at(state_folder() / KEY_FILE)
    async with PackageStore(cache_folder(), key=key, now=lambda: clock().timestamp()) as store:
        return _Pair(await _one(before, store), await _one(after, store))


async def _one(name: str, store: PackageStore) -> LookedInto:
    try:
        if name.startswith(f"{ZH}:"):
            zh = Hash.parse(name)
            kept = await store.read(zh, lambda file, stop: look_into(file, zh, name, stop))
            if kept is None:
                raise InputError(f"{name} is not among the packages that are kept", hint=_HINT)
            return kept
        return look_into_path(Path(name), name)
    except InvalidHashError as error:
        raise InputError(error.message, hint=_HINT) from error
    except ArchiveError as error:
        raise InputError(f"{name}: {error.message}", hint=error.hint or _HINT) from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a path"
        raise InputError(f"{name} cannot be read: {reason}", hint=_HINT) from error


def _lines(pair: _Pair, diff: PackageDiff) -> Iterator[str]:
    yield f"{pair.relation}"
    for sign, each in (("-", pair.before), ("+", pair.after)):
        yield f"  {sign} {each.zh}, {each.size} bytes"
        yield f"    {each.facts.h1_directory or 'no h1 can be claimed for it'}"
        for oddity in each.facts.oddities:
            yield f"    ▲ {oddity.message}"
    yield from package_lines(diff)


def _json(pair: _Pair, diff: PackageDiff, code: ExitCode) -> str:
    from lockwarden.core.reports.json_provider_diff import ComparedArchiveJson, json_provider_diff

    packages = [
        ComparedArchiveJson.of(each.tree.name, each.zh, each.size, each.facts.h1_directory)
        for each in (pair.before, pair.after)
    ]
    return json_provider_diff(packages[0], packages[1], diff, pair.relation, code, version=__version__)
