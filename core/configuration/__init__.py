"""Reads of a configuration which providers it requires, and which modules it calls."""
