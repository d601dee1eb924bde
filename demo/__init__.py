"""A provider world in a box, for the demo, the tests and the screenshots."""
