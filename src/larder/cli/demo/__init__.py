"""`larder demo`, and how it is shown."""
