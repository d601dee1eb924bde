"""What only the process knows: its environment, the time, its proxies, the user's folders. Nothing else asks for these.

Everything below is handed what it needs of them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import platformdirs

_NAME: Final = "lockwarden"


def environment() -> Mapping[str, str]:
    """The process's environment variables, as they are whenever they are looked at."""
    return os.environ


def clock() -> datetime:
    """The time now, in UTC."""
    return datetime.now(UTC)


def proxies() -> Mapping[str, str]:
    """The proxies that the environment names, or else the system's settings, by scheme; `no` for who needs none."""
    from urllib.request import getproxies

    return getproxies()


def cache_folder() -> Path:
    """Where packages and facts are kept for this user."""
    return platformdirs.user_cache_path(_NAME)


def state_folder() -> Path:
    """Where the user's own key lies."""
    return platformdirs.user_state_path(_NAME)


def settings_file() -> Path:
    """Where this user's settings are, if there are any."""
    return platformdirs.user_config_path(_NAME) / "settings.toml"
