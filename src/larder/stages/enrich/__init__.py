"""Asks a language model about what rules could not read: texts come in as data, checked values go out."""

from larder.stages.enrich.client import LlmAnswer, LlmClient, LlmDown, LlmLimited, LlmRefused, OpenAiClient

__all__ = ["LlmAnswer", "LlmClient", "LlmDown", "LlmLimited", "LlmRefused", "OpenAiClient"]
