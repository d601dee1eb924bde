"""URLs that servers name: judged before they are asked, shown without their secrets."""

from __future__ import annotations

import httpx

from fuzzing.oracle import promise
from lockwarden.core.http.redirect_policy import redirect_url
from lockwarden.core.values.errors import SourceError, Stage
from lockwarden.core.values.urls import first_url, host_of, is_inside, is_loopback, redacted, resolved

_BASE = "https://registry.example.test/v1/providers/acme/widget/"
_SECRET = "s3cr3t"
_NOBODY: frozenset[str] = frozenset()


def url(data: bytes) -> None:
    """Take bytes as a URL: as a first one, as one that a document names, and as a redirect's."""
    text = data.decode("utf-8", "replace")
    shown = redacted(text)
    promise(len(shown) <= 301, "what is shown is short")
    if f":{_SECRET}@" in text and text.count(_SECRET) == 1 and "//" in text.partition(_SECRET)[0]:
        promise(_SECRET not in shown or not _has_user(text), "a password is not shown")
    for asked in (_first(text), _first(_resolved(text))):
        if asked is not None:
            _may_be_asked(asked)
    target = _redirected(text)
    if target is not None:
        _may_be_asked(target)
        promise(target.scheme == "https", "no redirect leads from https to http")
        promise(not is_inside(target.host), "no redirect leads into this machine")


def _may_be_asked(asked: httpx.URL) -> None:
    promise(asked.scheme == "https" or is_loopback(asked.host), "only https is asked elsewhere")
    promise(asked.host and not asked.userinfo and not asked.fragment, "a URL that is asked has a host and no user")
    promise(host_of(asked).isascii(), "a host is compared in its ASCII form")


def _has_user(text: str) -> bool:
    try:
        return bool(httpx.URL(text).userinfo)
    except httpx.InvalidURL:
        return False


def _first(text: str) -> httpx.URL | None:
    try:
        return first_url(text, stage=Stage.METADATA, insecure_hosts=_NOBODY)
    except SourceError as error:
        once = text.count(_SECRET) == 1
        promise(not once or _SECRET not in error.message or not _has_user(text), "a password is in no error")
        return None


def _resolved(text: str) -> str:
    try:
        return resolved(_BASE, text, stage=Stage.METADATA)
    except SourceError:
        return ""


def _redirected(text: str) -> httpx.URL | None:
    base = httpx.URL(_BASE)
    try:
        base.join(text)
    except httpx.InvalidURL:
        return None  # the client has refused such a redirect before it comes to us
    except ValueError:
        pass
    try:
        return redirect_url(base, text, stage=Stage.METADATA, insecure_hosts=_NOBODY)
    except SourceError:
        return None
