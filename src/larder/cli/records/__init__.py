"""`larder records`, and how records are shown."""
