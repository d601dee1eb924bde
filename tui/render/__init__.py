"""Values as text and styles for the screens."""
