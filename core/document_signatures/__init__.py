"""Detached signatures over one of our own documents, of SSH, minisign and signify: bytes are read and judged."""
