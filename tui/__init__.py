"""Everything that faces a terminal."""
