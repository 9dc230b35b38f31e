"""`larder try`, and how its result is shown."""
