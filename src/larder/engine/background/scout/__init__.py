"""Scouts: a region comes in; candidates for sources go out, each for a person to decide on."""
