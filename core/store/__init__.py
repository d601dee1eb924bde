"""Packages, what is known of them, and the key of the user that vouches for it."""
