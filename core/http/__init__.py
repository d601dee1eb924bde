"""The one HTTP client and the rules it keeps."""
