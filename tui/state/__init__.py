"""What the screens show, as frozen values."""
