"""The meanings of problem codes, by subject."""
