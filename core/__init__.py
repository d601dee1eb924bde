"""The judgement and its sources: no terminal, no argv, no printing."""
