"""Rules about evidence: circuits, drift, canaries, verification, coverage."""
