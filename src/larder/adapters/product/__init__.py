"""Generic adapter for products."""
