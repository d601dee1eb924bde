"""Many repositories in one run: which they are, what each has committed, and one audit of all that they lock."""
