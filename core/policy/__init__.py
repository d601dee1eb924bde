"""The team's policy: whose keys and which mirrors count for which providers, and what every lock file must have."""
