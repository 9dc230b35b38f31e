"""YAML that people write comes in, within bounds and with line numbers; checked declarations go out."""
