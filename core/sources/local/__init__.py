"""Folders as sources: filesystem mirrors, plugin caches and installed providers."""
