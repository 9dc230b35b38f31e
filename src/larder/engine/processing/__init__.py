"""One fetched page comes in; its parsed and normalized items go out.

Deterministic, so it can be repeated from the stored page.
"""
