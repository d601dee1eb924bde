"""Measures Lockwarden side by side with the clients and with what the machine could do at best: `make bench`."""
