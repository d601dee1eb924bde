"""Secrets show themselves nowhere."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import asdict, dataclass

import pytest

from lockwarden.core.values.secret import Secret

VALUE = "correct horse"


@dataclass(frozen=True)
class Holder:
    secret: Secret


def test_a_secret_is_handed_out_on_demand_and_shown_nowhere() -> None:
    secret = Secret(VALUE)
    assert secret.expose() == VALUE
    shown = [str(secret), repr(secret), f"{secret}", f"{secret:>40}", f"{secret!r}", str(Holder(secret)), f"{[secret]}"]
    assert not any("correct" in text for text in shown)


def test_a_secret_cannot_be_written_anywhere() -> None:
    with pytest.raises(TypeError, match="cannot be written"):
        pickle.dumps(Secret(VALUE))
    with pytest.raises(TypeError):
        json.dumps({"token": Secret(VALUE)})
    assert not hasattr(Secret(VALUE), "__dict__")


def test_copies_of_what_holds_a_secret_hold_the_same() -> None:
    holder = Holder(Secret(VALUE))
    assert copy.copy(holder.secret) is holder.secret
    assert copy.deepcopy(holder).secret is holder.secret
    assert asdict(holder)["secret"] is holder.secret


def test_secrets_are_compared_by_value() -> None:
    assert Secret(VALUE) == Secret(VALUE)
    assert Secret(VALUE) != Secret("x")
    assert Secret("\udcff") != Secret("x")
    assert Secret(VALUE) != VALUE
    assert len({Secret(VALUE), Secret(VALUE)}) == 1
    assert Secret("").empty
    assert not Secret(VALUE).empty
