"""`larder run`, and how runs and their pages are shown."""
