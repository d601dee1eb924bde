"""Which CLI configuration a run went by: it says where providers come from, and so who is asked at all."""

from __future__ import annotations

from typing import Annotated, Self

from msgspec import UNSET, Meta, Struct, UnsetType

from lockwarden.core.reports.result import UsedConfiguration, UsedSettings
from lockwarden.core.values.origins import UsedFile

_DIGITS_OF_A_COMMIT = 12


def configuration_line(used: UsedConfiguration) -> str:
    """One line: the files with their digests, and the hosts whose services they replace."""
    parts = [file_words(each) for each in used.files] or ["no CLI configuration file"]
    if used.replaced_hosts:
        parts.append(replaced_words(used))
    if used.settings is not None:
        parts.append(settings_words(used.settings))
    return f"Configuration: {'; '.join(parts)}"


def file_words(file: UsedFile) -> str:
    """One file with its digest, and the commit that it was read at."""
    at = f" at {file.revision[:_DIGITS_OF_A_COMMIT]}" if file.revision else ""
    return f"{file.path}{at} ({file.digest})"


def replaced_words(used: UsedConfiguration) -> str:
    """The hosts that are not asked for their services."""
    return f"host blocks replace the services of {', '.join(used.replaced_hosts)}"


def settings_words(settings: UsedSettings) -> str:
    """What the user's settings decided: it was not said on the command line, and nobody else has the same."""
    what = " and ".join(
        word for word, decided in (("sources", settings.sources), ("platforms", settings.platforms)) if decided
    )
    return f"the {what} are those of the user's settings, {file_words(settings.file)}"


class ConfigurationFileJson(Struct, frozen=True, kw_only=True):
    """A file of the CLI configuration."""

    path: str
    digest: Annotated[str, Meta(pattern="^sha256:[0-9a-f]{64}$")]
    revision: str | UnsetType = UNSET
    """The full ID of the commit that the file was read at; absent for the disk."""

    @classmethod
    def of(cls, file: UsedFile) -> Self:
        """One file that was read."""
        return cls(path=file.path, digest=file.digest, revision=file.revision or UNSET)


class SettingsJson(Struct, frozen=True, kw_only=True):
    """The user's settings, where they decided whom the run asked, or for which platforms."""

    path: str
    digest: Annotated[str, Meta(pattern="^sha256:[0-9a-f]{64}$")]
    sources: bool
    """Whether the sources are theirs, since none were named."""
    platforms: bool
    """Whether the platforms are theirs, since none were named."""

    @classmethod
    def of(cls, used: UsedSettings | None) -> Self | UnsetType:
        """The settings; absent where they decided nothing."""
        if used is None:
            return UNSET
        return cls(path=used.file.path, digest=used.file.digest, sources=used.sources, platforms=used.platforms)


class ConfigurationJson(Struct, frozen=True, kw_only=True):
    """What of the CLI configuration the run went by."""

    files: list[ConfigurationFileJson]
    """The files that were read, in the order in which they count; empty without any."""
    replaced_hosts: list[str]
    """Hosts whose services a host block names, so that they are not asked for them."""
    settings: SettingsJson | UnsetType = UNSET
    """The user's settings; absent where they decided nothing."""

    @classmethod
    def of(cls, used: UsedConfiguration | None) -> Self | None:
        """The same with full values; None where no configuration was looked for."""
        if used is None:
            return None
        return cls(
            files=[ConfigurationFileJson.of(each) for each in used.files],
            replaced_hosts=list(used.replaced_hosts),
            settings=SettingsJson.of(used.settings),
        )
