"""The commands as they look on the command line, by what they are for. What they do is in the modules above.

Each imports what it needs when it runs, so that `--help`, `--version` and shell completion answer at once.
"""
