"""`larder up` and `larder tick`, and what they report."""
