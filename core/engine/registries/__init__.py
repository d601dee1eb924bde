"""Whole registries: their metadata files on disk, the backfill of hashes, and the audit of what they say."""
