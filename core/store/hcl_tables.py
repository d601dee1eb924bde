"""The tables of python-hcl2's parser, which take more than a second to make, in the user's cache.

python-hcl2 itself keeps them beside its own code, which helps nobody whose installation cannot be written to, and as a
pickle, which is a program. Here they are plain data, sealed with the user's own key: tables that somebody else put
there are not used, and could not do anything if they were.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import marshal
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from lockwarden.core.store.package_files import make_private, put_in_place
from lockwarden.core.store.user_key import UserKey
from lockwarden.core.system.opening import open_to_read

_FILE: Final = "hcl2-tables"
_MAX_SIZE: Final = 16 * 1024 * 1024
_NOT_DATA: Final = ("postlex",)
"""Options of the parser that are objects of python-hcl2."""


class Tables(Struct, frozen=True, kw_only=True):
    """Where the tables are kept."""

    folder: Path
    """The user's cache folder."""
    key_file: Path
    """The user's own key, which tells tables of this user's runs from all others."""

    def parser(self, made_by: Callable[[], Any] | None = None) -> Any:
        """The parser from the tables that are kept here, or else the one that `made_by` (python-hcl2, when not given)
        makes, whose tables are kept from now on.
        """
        from hcl2.parser import parser
        from hcl2.postlexer import PostLexer
        from lark import Lark

        purpose, key = _purpose(), UserKey.at(self.key_file)
        found = None if key is None else self._load(purpose, key)
        if found is not None:
            # As lark's own stand-alone parsers do; what such tables lack in another version shows at once.
            with contextlib.suppress(AssertionError, AttributeError, LookupError, TypeError, ValueError):
                return Lark._load_from_dict(found["data"], found["memo"], postlex=PostLexer())  # type: ignore[no-untyped-call]
        made = (made_by or parser)()
        if key is not None:
            self._keep(purpose, key, made)
        return made

    def _load(self, purpose: str, key: UserKey) -> dict[str, Any] | None:
        try:
            file = open_to_read(self.folder / _FILE, follow=False)
            with os.fdopen(file, "rb") as opened:
                sealed = opened.read(_MAX_SIZE)
        except OSError:
            return None
        content = key.opened(purpose, sealed)
        # Sealed by this user's own run; and marshal makes data, never something that runs.
        found = None if content is None else marshal.loads(content)  # noqa: S302
        return found if isinstance(found, dict) else None

    def _keep(self, purpose: str, key: UserKey, made: Any) -> None:
        """Write the tables in one step; where that cannot be done, they are made again another time."""
        import pickle

        saved = io.BytesIO()
        made.save(saved, exclude_options=_NOT_DATA)
        try:
            sealed = key.seal(purpose, marshal.dumps(pickle.loads(saved.getvalue())))  # noqa: S301 - saved just now
            make_private(self.folder)
            put_in_place(self.folder / _FILE, sealed)
        except (OSError, ValueError):  # ValueError: tables that are not plain data in a later version
            return


def _purpose() -> str:
    """What has to be the same for tables to be usable: the grammar, and the programs that make and read them."""
    from importlib.metadata import version

    import hcl2.parser

    grammar = Path(hcl2.parser.__file__).with_name("hcl2.lark").read_bytes()
    versions = (version("lark"), version("python-hcl2"), sys.version)
    return f"hcl2 tables {hashlib.sha256(grammar).hexdigest()} {versions}"


def remove_tables(folder: Path) -> None:
    """Remove the tables that are kept in the user's cache folder. They are made again when they are needed."""
    with contextlib.suppress(OSError):
        (folder / _FILE).unlink()
