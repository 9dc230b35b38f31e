"""Scouts: a region comes in; candidates for sources go out, and a person accepts or rejects each."""
