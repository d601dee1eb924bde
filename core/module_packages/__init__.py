"""Packages of modules: what a source leads to today, checked on the way, and put where a client would have it."""
