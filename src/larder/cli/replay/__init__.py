"""`larder replay`, and how differences between two readings are shown."""
