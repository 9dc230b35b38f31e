"""Parse: what is on a page? A cascade of strategies, and an explicit answer whatever comes."""

from larder.stages.parse.cascade import parse, parse_payload

__all__ = ["parse", "parse_payload"]
