"""The user's own CLI configuration: where providers come from, and the credentials for those places."""
