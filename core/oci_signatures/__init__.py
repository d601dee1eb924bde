"""Signatures over OCI indexes: taken apart, and verified by keys that somebody brings. Nothing here is fetched."""
