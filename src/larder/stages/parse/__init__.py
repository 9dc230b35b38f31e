"""Parse: a page comes in; its items go out, or the reason why there are none. A cascade of strategies."""

from larder.stages.parse.cascade import Attempt, attempts, parse, parse_payload

__all__ = ["Attempt", "attempts", "parse", "parse_payload"]
