"""Values for tests, made by hand: short ways to write an audit whose right verdict can be told by reading it."""
