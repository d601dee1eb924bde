"""A value that must never be shown: a token or a password."""

from __future__ import annotations

import hmac
from typing import Any, Final, NoReturn, Self, final

SHOWN: Final = "(secret)"
"""What stands for every secret, however long it is."""


@final
class Secret:
    """Holds a secret and hands it out only through `expose`, which is easy to search for.

    Neither `str`, `repr`, a format string, a traceback with local values nor pickle shows the value. It is no defence
    against code that wants to know it.
    """

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def expose(self) -> str:
        """The value itself, for the request that needs it and for nothing else."""
        return self._value

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it: an empty token is set, and useless."""
        return not self._value

    def __str__(self) -> str:
        return SHOWN

    def __repr__(self) -> str:
        return SHOWN

    def __format__(self, _: str) -> str:
        return SHOWN

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        mine, theirs = (each._value.encode("utf-8", "surrogatepass") for each in (self, other))
        return hmac.compare_digest(mine, theirs)

    def __hash__(self) -> int:
        return hash((Secret, self._value))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        return self

    def __reduce_ex__(self, _: object) -> NoReturn:
        raise TypeError("a secret cannot be written anywhere")
