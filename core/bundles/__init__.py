"""Evidence bundles: what an audit asked and heard, written into one file and answered from it again."""
