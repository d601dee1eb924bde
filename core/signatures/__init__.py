"""Detached OpenPGP signatures, judged by gpg in a throw-away home, one key at a time."""
