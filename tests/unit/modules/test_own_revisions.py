"""The revision that a call names by itself."""

from __future__ import annotations

from builders.tables import table

from lockwarden.core.modules.calls import ModuleCall
from lockwarden.core.modules.own_revisions import own_revision


@table(
    ("source", "revision"),
    [
        (f"oci://example.test/vpc?digest=sha256:{'a' * 64}", f"sha256:{'a' * 64}"),
        (f"git::https://example.test/vpc?ref={'A' * 40}", "a" * 40),
        (f"https://example.test/vpc.zip?checksum=sha256:{'A' * 64}", f"sha256:{'a' * 64}"),
        (f"https://example.test/vpc.zip?checksum={'a' * 64}", f"sha256:{'a' * 64}"),
        (f"https://example.test/vpc.zip?checksum=sha512:{'a' * 128}", ""),
        ("oci://example.test/vpc?tag=1.0.0", ""),
        ("git::https://example.test/vpc?ref=v1", ""),
        ("acme/vpc/aws", ""),
        ("./vpc", ""),
        ("what is this", ""),
    ],
)
def test_a_digest_or_a_commit_needs_nobody_to_be_asked(source: str, revision: str) -> None:
    found = own_revision(ModuleCall(name="m", path="main.tf", line=1, source=source), "registry.opentofu.org")
    assert ("" if found is None else found.revision) == revision
