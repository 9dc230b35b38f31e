"""Generic adapter for events."""
