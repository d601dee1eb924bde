"""Verdicts with reasons, decisions with undo, and the next lock file."""
