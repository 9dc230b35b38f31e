"""`larder demo`: options come in; the demo runs, and its view is printed."""
