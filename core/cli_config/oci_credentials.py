"""Finds the credentials for a repository in an OCI registry: reads the files, chooses, and asks the helper if need be.

Tokens for registries of providers play no part here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from threading import Lock
from typing import assert_never

from msgspec import Struct

from lockwarden.core.cli_config.docker_files import DockerFile, DockerFileError, read_docker_file
from lockwarden.core.cli_config.files import ON_DISK, ConfigFiles
from lockwarden.core.cli_config.oci_selection import (
    MalformedEntry,
    MalformedEntryError,
    OciCandidate,
    candidates_for,
    choose,
)
from lockwarden.core.cli_config.settings import (
    BasicCredential,
    CliConfig,
    HelperCredential,
    TokenCredential,
)
from lockwarden.core.values.errors import NoAnswerError, Stage
from lockwarden.core.values.problem_codes import ProblemCode

AskDockerHelper = Callable[[str, str], BasicCredential | None]
"""Asks the helper of a name about a registry's domain; raises NoAnswerError."""


class OciAnswer(Struct, frozen=True, kw_only=True):
    """The credentials for one repository, and who knew them. They are for the asked domain and no other."""

    credential: BasicCredential | TokenCredential | None
    """None to ask anonymously."""
    candidate: OciCandidate | None
    """Where they come from; also the helper that had none. None when nothing is configured for the repository."""

    @property
    def shown(self) -> str:
        """Where the credentials come from, or that there are none; without any secret."""
        if self.candidate is None:
            return "anonymous"
        return self.candidate.shown if self.credential else f"anonymous: nothing known to {self.candidate.shown}"


class ContainerFiles(Struct, frozen=True, kw_only=True):
    """The container tools' files that count."""

    files: tuple[DockerFile, ...] = ()
    warning: str = ""
    """Why none of the files that were found counts, when one of them cannot be used."""
    error: str = ""
    """Why no lookup can succeed: a file that the configuration names cannot be used."""


def read_container_files(
    config: CliConfig, standard_places: Sequence[PurePath], files: ConfigFiles = ON_DISK
) -> ContainerFiles:
    """Read the files that the configuration names, or else those in the standard places. It blocks.

    It never raises but for what `files` says of a file in a change's reach.
    """
    defaults = config.oci_defaults
    if defaults is not None and not defaults.discover_ambient_credentials:
        return ContainerFiles()
    named = None if defaults is None else defaults.docker_style_config_files
    found: list[DockerFile] = []
    troubles: list[str] = []
    for path in map(Path, standard_places if named is None else named):
        try:
            file = read_docker_file(path, files)
        except DockerFileError as error:
            troubles.append(str(error))
            continue
        if file is not None:
            found.append(file)
        elif named is not None:
            troubles.append(f"{path} does not exist, although the configuration names it")
    if not troubles:
        return ContainerFiles(files=tuple(found))
    text = "; ".join(troubles)
    return ContainerFiles(warning=text) if named is None else ContainerFiles(error=text)


@dataclass(slots=True)
class OciCredentialStore:
    """Knows the credentials of one configuration. Safe to use from several threads; every method may block."""

    config: CliConfig
    standard_places: Sequence[PurePath]
    ask_helper: AskDockerHelper
    where: ConfigFiles = ON_DISK
    """Where the files are read."""
    _lock: Lock = field(default_factory=Lock)
    _files: ContainerFiles | None = None
    _answers: dict[tuple[str, str], BasicCredential | NoAnswerError | None] = field(default_factory=dict, repr=False)

    def files(self) -> ContainerFiles:
        """The container tools' files, which are read once."""
        with self._lock:
            if self._files is None:
                self._files = read_container_files(self.config, self.standard_places, self.where)
            return self._files

    def candidates(self, domain: str, repository: str) -> tuple[OciCandidate | MalformedEntry, ...]:
        """Every source that is meant for a repository, in the order in which equals win. No helper is asked."""
        config = self.config
        return tuple(
            candidates_for(
                domain,
                repository,
                blocks=config.oci_credentials,
                defaults=config.oci_defaults,
                files=self.files().files,
            )
        )

    def find(self, domain: str, repository: str) -> OciAnswer:
        """The credentials for a repository; `domain` has the port that its address has.

        A helper that has none means anonymous, never a less specific source. Raises NoAnswerError when the chosen
        helper could not be asked, when a source that is meant for the repository cannot be used and another one could,
        and when a file that the configuration names cannot be used.
        """
        if error := self.files().error:
            raise _unusable(domain, error, "correct docker_style_config_files in oci_default_credentials")
        try:
            chosen = choose(self.candidates(domain, repository))
        except MalformedEntryError as failure:
            raise _unusable(domain, failure.entry.message, "log in again, or remove the entry") from failure
        if chosen is None:
            return OciAnswer(credential=None, candidate=None)
        match chosen.credential:
            case BasicCredential() | TokenCredential() as credential:
                return OciAnswer(credential=credential, candidate=chosen)
            case HelperCredential(name=name):
                return OciAnswer(credential=self._asked(name, domain), candidate=chosen)
            case _:
                assert_never(chosen.credential)

    def _asked(self, name: str, domain: str) -> BasicCredential | None:
        with self._lock:
            if (name, domain) not in self._answers:
                try:
                    self._answers[name, domain] = self.ask_helper(name, domain)
                except NoAnswerError as error:
                    self._answers[name, domain] = error
            answer = self._answers[name, domain]
        if isinstance(answer, NoAnswerError):
            raise answer
        return answer


def _unusable(domain: str, why: str, hint: str) -> NoAnswerError:
    message = f"the credentials for {domain} cannot be used: {why}"
    return NoAnswerError(message, stage=Stage.CREDENTIALS, code=ProblemCode.CREDENTIALS_UNUSABLE, hint=hint)
