"""Recorded approvals: which hashes a person has accepted, why, and for how long."""
