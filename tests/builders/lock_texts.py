"""Lock files as texts, and what is wrong with them."""

from __future__ import annotations

import pytest

from builders.reading import parse
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.values.clients import Client
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.errors import LockFileInvalidError

WIDGET = 'provider "registry.opentofu.org/acme/widget" {\n  version = "1.0.0"\n'


def read(text: str, *, client: Client | None = None) -> LockFile:
    return parse(text.encode("utf-8", "surrogateescape"), path="lock", client=client)


def problems(text: str, *, client: Client | None = None) -> list[Diagnostic]:
    with pytest.raises(LockFileInvalidError) as caught:
        read(text, client=client)
    return list(caught.value.diagnostics)


def problem(text: str) -> Diagnostic:
    found = problems(text)
    assert len(found) == 1, found
    return found[0]
