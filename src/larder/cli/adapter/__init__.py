"""`larder adapter`, and how adapters and repairs are shown."""
