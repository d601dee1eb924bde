"""Reports of a review, each a function from a review to text."""
