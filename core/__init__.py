"""The judgement and its sources: no terminal, no argv, no printing."""

__version__ = "0.1.0.dev0"
"""The version of Lockwarden, in this one place: packaging reads it here, and so does every report.

Between releases it is that of the next one with `.dev0` behind it.
"""
