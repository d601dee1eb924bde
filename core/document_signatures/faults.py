"""Why a signature, or a key, cannot be judged at all: it is broken, or of a kind that is not known here."""

from __future__ import annotations

from lockwarden.core.values.errors import InputError


class MalformedError(InputError):
    """The bytes are no signature, or no key, of the form that they claim to have."""


class UnsupportedError(InputError):
    """Well-formed as far as it goes, and of a kind that is not verified here; the message names it."""
