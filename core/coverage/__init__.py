"""Would a client install with this lock file, on which platform, from which source; and if not, why."""
