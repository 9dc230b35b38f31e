"""Questions about the dataset: a validated query comes in, a page of visible records or a count goes out."""
