"""Metadata files of a provider registry: what they say, what they lack, how they are filled, what is wrong."""
