"""What was seen of a hash, by whom, and what follows from that alone."""
