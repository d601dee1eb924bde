"""The places packages come from, one module a kind."""
