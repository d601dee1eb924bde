"""The origin registry: discovery, metadata, lists of checksums, signatures and packages."""
