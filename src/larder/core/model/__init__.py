"""The nouns of Larder, one a module. Frozen values; their rules live in `core.policy`."""
