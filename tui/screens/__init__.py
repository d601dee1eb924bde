"""One module and one stylesheet a screen."""
