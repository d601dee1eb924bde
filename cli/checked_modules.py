"""The modules of `lockwarden check --modules`: what the paths stand for, and what is found out about the calls."""

from __future__ import annotations

from functools import partial

from lockwarden.cli.audits import run_watched
from lockwarden.core.engine.lock_files import LoadedFiles, load_all
from lockwarden.core.engine.module_checks import HeldModules, held_modules, review_modules
from lockwarden.core.engine.module_roots import named_paths
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.standards import StandardsFinder
from lockwarden.core.review.module_review import ModuleReview


class CheckedModules:
    """The modules of one run."""

    def __init__(
        self, paths: tuple[str, ...], finder: StandardsFinder, options: AuditOptions, *, recursive: bool
    ) -> None:
        self._named = named_paths(paths)
        self._finder = finder
        self._options = options
        self._recursive = recursive
        self._held: HeldModules | None = None

    def lock_files(self) -> LoadedFiles:
        """The lock files that the paths stand for; those of a configuration or a module lock stand for none.

        Raises as `load_all` does.
        """
        if self._named.lock_files is None:
            return LoadedFiles(files=())
        options = self._options
        return load_all(
            self._named.lock_files,
            self._finder,
            base=options.base,
            recursive=self._recursive,
            client=options.client,
        )

    def hold(self, loaded: LoadedFiles, runtime: Runtime) -> None:
        """Read the calls and the module locks that count, before anything is asked. Raises as `held_modules` does."""
        self._held = held_modules(
            self._named,
            loaded.files,
            self._finder,
            runtime,
            base=self._options.base,
            recursive=self._recursive,
        )

    def review(self, runtime: Runtime) -> ModuleReview | None:
        """Ask what they mean today; None where they were not held before."""
        return None if self._held is None else run_watched(partial(review_modules, self._held, self._options), runtime)
