"""Gets the package of a module's source: resolves it, checks it on the way, and puts it where it was wanted."""

from __future__ import annotations

from msgspec import Struct

from lockwarden.core.engine.network import opened_network
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.module_packages.oci_packages import ResolvedPackage, UnpackedPackage
from lockwarden.core.module_packages.placing import module_folder, staging
from lockwarden.core.modules.oci_sources import OciModuleSource, oci_source
from lockwarden.core.modules.sources import Getter, RemoteSource, parse_module_source
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.store.user_key import KEY_FILE, UserKey
from lockwarden.core.values.errors import ModuleSourceError
from lockwarden.core.values.source_redaction import redacted_source


class GotModule(Struct, frozen=True, kw_only=True):
    """A package that lies where it was wanted."""

    resolved: ResolvedPackage
    package: UnpackedPackage
    subdirectory: str
    """Where the module lies in it; empty for the top."""


def gettable(text: str) -> OciModuleSource:
    """The source that was named. Raises ModuleSourceError for one that cannot be got."""
    source = parse_module_source(text)
    if not isinstance(source, RemoteSource) or source.getter is not Getter.OCI:
        raise ModuleSourceError(
            f"“{redacted_source(text)}” is not the source of a package in an OCI registry, and only those are got",
            hint="write oci://REGISTRY/REPOSITORY?tag=TAG or ?digest=DIGEST",
        )
    found = oci_source(source)
    if source.url.user is not None:
        raise ModuleSourceError(
            f"“{redacted_source(text)}” holds a user name or a password, which the client does not heed",
            hint="take it out, and write an oci_credentials block in the CLI configuration",
        )
    return found


async def get_module(source: OciModuleSource, folder: str, options: AuditOptions, runtime: Runtime) -> GotModule:
    """Get a package into a folder that is not there yet, or is empty; after any error it is as it was.

    Raises InputError, SaveError, SourceError and ArchiveError.
    """
    cache = runtime.cache_folder if options.keep_cache else None
    key = None if cache is None or runtime.state_folder is None else UserKey.at(runtime.state_folder / KEY_FILE)
    async with (
        staging(folder) as tree,
        PackageStore(cache, key=key, now=lambda: runtime.now().timestamp()) as store,
        opened_network(options, runtime, store, runtime.report) as network,
    ):
        packages = network.module_packages()
        resolved = await packages.resolve(source)
        package = await packages.unpack(resolved, tree.folder)
        subdirectory = module_folder(tree.folder, source.subdirectory)
        tree.place()
    return GotModule(resolved=resolved, package=package, subdirectory=subdirectory)
