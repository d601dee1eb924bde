"""Module calls of a configuration: what their sources mean, and how far a source pins what is installed."""
