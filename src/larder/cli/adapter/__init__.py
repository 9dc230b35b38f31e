"""`larder adapter`: options come in; adapters and repairs are printed."""
