"""`larder run`: options come in; runs and their pages are printed."""
