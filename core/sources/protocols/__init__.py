"""The documents of the registry and mirror protocols, as values."""
