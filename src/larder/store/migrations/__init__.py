"""The schema's history, up and down."""
