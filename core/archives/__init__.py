"""Zip archives: read strictly through the central directory, hashed, never extracted."""
