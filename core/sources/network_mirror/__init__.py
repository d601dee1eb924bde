"""Network mirrors: two JSON documents and the archives that they point at."""
