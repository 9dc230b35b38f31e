"""Parse: what is on a page? A cascade of strategies, and an explicit answer whatever comes."""

from larder.stages.parse.cascade import Attempt, attempts, parse, parse_payload

__all__ = ["Attempt", "attempts", "parse", "parse_payload"]
