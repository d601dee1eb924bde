"""Addresses, versions, hashes, keys, errors: what everything else speaks of. Nothing here reads or writes."""
