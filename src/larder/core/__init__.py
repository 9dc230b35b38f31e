"""Nouns and rules. Pure: no await, no clock, no randomness, no third-party import."""
