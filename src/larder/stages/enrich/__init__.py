"""Asks a language model about items that rules could not read.

Texts come in as data, checked values go out.
"""

from larder.stages.enrich.client import LlmAnswer, LlmClient, LlmDown, LlmLimited, LlmRefused, OpenAiClient

__all__ = ["LlmAnswer", "LlmClient", "LlmDown", "LlmLimited", "LlmRefused", "OpenAiClient"]
