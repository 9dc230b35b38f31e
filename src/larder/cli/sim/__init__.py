"""`larder sim`: policies scored on simulated sites, and how scores are shown."""
