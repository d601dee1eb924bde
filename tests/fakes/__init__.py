"""Fakes: code that stands in for the parts around the app, with values that never change."""
