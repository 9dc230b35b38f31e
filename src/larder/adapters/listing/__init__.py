"""Generic adapter for listings."""
