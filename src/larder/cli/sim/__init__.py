"""`larder sim`: policies scored on made-up sites, and how scores are shown."""
