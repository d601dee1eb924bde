"""The commands: each reads its options, calls the same engine as the screens, and tells the result."""
