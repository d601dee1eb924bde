"""What is no provider package, and how to tell whoever expected one: at least as clearly as the client does."""

from __future__ import annotations

from typing import Final

from lockwarden.core.oci.media_types import (
    DOCKER_LIST,
    INDEXES,
    MODULE,
    OCI_DESCRIPTOR,
    OCI_INDEX,
    PROVIDER,
    PROVIDER_TARGET,
)
from lockwarden.core.values.errors import BadAnswerError, Stage
from lockwarden.core.values.problem_codes import ProblemCode

PACKAGE_LABEL: Final = "org.opentofu.package-type"
"""Label of container images that hold an OpenTofu package, by the first proposal for OCI registries."""
_LONGEST: Final = 200
_LOOK: Final = (
    f"a provider is an index whose artifactType is {PROVIDER}; look whether the repository template leads to the right"
    " repository"
)
_PUSH: Final = (
    "push it with a tool that writes artifactType into the index and into each of its entries, such as a recent oras;"
    " some registries drop it"
)
_IS_MODULE: Final = "selected OCI artifact is an OpenTofu module package, not a provider package"
_DIRECT: Final = (
    "selected an OCI image manifest directly, but providers must be selected through a multi-platform index manifest"
)
_IS_CONTAINER: Final = "is this a container image, rather than an OpenTofu provider?"
_PROVIDER_LABELS: Final = frozenset({"provider", "providers"})
_MODULE_LABELS: Final = frozenset({"module", "modules"})


def wrong_kind(message: str, *, hint: str = _LOOK) -> BadAnswerError:
    """The error that a tag leads to something else than a provider."""
    return BadAnswerError(message, stage=Stage.INDEX, code=ProblemCode.OCI_WRONG_KIND, hint=hint)


def wrong_index(artifact_type: str, *, entries_are_targets: bool) -> BadAnswerError:
    """An index of another artifact type than a provider's. `entries_are_targets`: its entries have a provider's."""
    shown = artifact_type[:_LONGEST]
    if artifact_type == MODULE:
        return wrong_kind(f"{_IS_MODULE}: the index has the artifact type “{shown}”")
    if artifact_type == PROVIDER_TARGET:
        return wrong_kind(
            f"unexpected artifact type “{shown}”: it is that of an index's entries, and the index has “{PROVIDER}”",
            hint=_PUSH,
        )
    if artifact_type:
        return wrong_kind(f"unexpected artifact type “{shown}”: the index of a provider has “{PROVIDER}”")
    missing = (
        f"unexpected artifact type “”: the index has none (“artifactType”), and that of a provider has “{PROVIDER}”"
    )
    if entries_are_targets:
        return wrong_kind(f"{missing}, though its entries are typed as a provider's", hint=_PUSH)
    return wrong_kind(f"{missing}; {_IS_CONTAINER}")


def wrong_entries(foreign: tuple[str, ...]) -> BadAnswerError:
    """A provider's index none of whose entries is typed as a provider's package; `foreign` are their types."""
    typed = [text for text in foreign if text]
    begin = "provider image manifest has unsupported artifact type"
    if typed:
        return wrong_kind(f"{begin} “{typed[-1][:_LONGEST]}”, which should be “{PROVIDER_TARGET}”", hint=_PUSH)
    what = "the index's entries have none" if foreign else "the index has no entries"
    return wrong_kind(f"{begin}: {what}; {_IS_CONTAINER}", hint=_PUSH)


def wrong_image(artifact_type: str, config_type: str) -> BadAnswerError:
    """A tag that leads to an image manifest directly, which is no container image that says what it holds."""
    if artifact_type == MODULE:
        return wrong_kind(f"{_IS_MODULE}; {_DIRECT}")
    if artifact_type == PROVIDER_TARGET:
        return wrong_kind(
            "tag refers directly to image manifest, but OpenTofu providers require an index manifest for"
            " multi-platform support",
            hint="push an index that names this manifest, and give the tag to the index",
        )
    if artifact_type:
        return wrong_kind(f"unsupported OCI artifact type “{artifact_type[:_LONGEST]}”; {_DIRECT}")
    if config_type:
        return wrong_kind(f"{_DIRECT}; its configuration has the media type “{config_type[:_LONGEST]}”")
    return wrong_kind(_DIRECT)


def wrong_media_type(media_type: str) -> BadAnswerError:
    """A tag that leads to neither an index nor an image."""
    if media_type == OCI_DESCRIPTOR:
        return wrong_kind("found OCI descriptor but expected multi-platform index manifest")
    shown = media_type[:_LONGEST]
    return wrong_kind(f"unsupported media type “{shown}” for OCI index manifest, which should be “{OCI_INDEX}”")


def unlabelled(media_type: str) -> BadAnswerError:
    """A container image, of one platform or several, that says nothing of OpenTofu."""
    says = f"a container image that is not intended for OpenTofu: its configuration has no label {PACKAGE_LABEL}"
    if media_type == DOCKER_LIST:
        return wrong_kind(f"unsupported media type “{DOCKER_LIST}” for OCI index manifest; this is {says}")
    if media_type in INDEXES:
        return wrong_kind(f"unexpected artifact type “” of the index; this is {says}")
    return wrong_kind(f"{_DIRECT}; this is {says}")


def wrong_label(value: str) -> BadAnswerError | None:
    """A container image that says it holds something else than a provider; None for one that holds a provider."""
    if value in _PROVIDER_LABELS:
        return None
    if value in _MODULE_LABELS:
        return wrong_kind(f"this package is an OpenTofu module, not a provider: its label {PACKAGE_LABEL} is “{value}”")
    return wrong_kind(f"the label {PACKAGE_LABEL} is “{value[:_LONGEST]}”, which is no kind of package that is known")
