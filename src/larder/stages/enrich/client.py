"""The chat-completions protocol of OpenAI, which Gemini and local servers speak as well.

One endpoint, so plain HTTP: bounded in time and size, no redirects, and the key is part of no message.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import aiohttp
import orjson

from larder.core.errors import Category, ServiceLimited, ServiceRefused, Transient
from larder.core.policy.retry import service_retry_after
from larder.service_responses import ServiceResponse, post_json

LLM_TIMEOUT = aiohttp.ClientTimeout(total=60)
MAX_ANSWER_TOKENS = 4_000
Chat = Sequence[Mapping[str, str]]
"""Messages, each with a role and its content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmAnswer:
    """The model's answer and the tokens it counted."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0


class LlmDown(Transient):
    """The service did not answer, or not in its protocol."""

    category = Category.NETWORK


class LlmLimited(ServiceLimited):
    """The rate limit is reached."""


class LlmRefused(ServiceRefused):
    """The key is wrong, or the quota is spent."""


class LlmClient(Protocol):
    """Answers a chat with JSON."""

    async def ask(self, chat: Chat) -> LlmAnswer:
        """The answer; raises LlmDown, LlmLimited or LlmRefused."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAiClient:
    """A service with OpenAI's protocol."""

    url: str
    """The base URL, such as https://api.openai.com/v1."""
    model: str
    client: aiohttp.ClientSession = field(repr=False)
    key: str = field(default="", repr=False)
    timeout: aiohttp.ClientTimeout = LLM_TIMEOUT

    async def ask(self, chat: Chat) -> LlmAnswer:
        """One completion, as JSON and with temperature 0."""
        body = {
            "model": self.model,
            "messages": list(chat),
            "temperature": 0,
            "max_tokens": MAX_ANSWER_TOKENS,
            "response_format": {"type": "json_object"},
        }
        response = await post_json(
            self.client,
            f"{self.url.rstrip('/')}/chat/completions",
            body,
            headers={"Authorization": f"Bearer {self.key}"} if self.key else {},
            timeout=self.timeout,
            service="the language model",
            down=LlmDown,
        )
        _check_status(response)
        return _answer(response.body)


def _check_status(response: ServiceResponse) -> None:
    status = response.status
    if status == 200:
        return
    body = response.body[:2_000].decode("utf-8", "replace").lower()
    if status == 402 or (status == 429 and "insufficient_quota" in body):
        raise LlmRefused(f"the quota of the language model is spent ({status})", quota=True)
    if status == 429:
        wait = service_retry_after(response.retry_after)
        raise LlmLimited("the rate limit of the language model is reached", retry_after=wait)
    if status in (401, 403):
        raise LlmRefused(f"the language model does not accept the API key ({status})")
    raise LlmDown(f"the language model answered {status}")


def _answer(text: bytes) -> LlmAnswer:
    try:
        found = orjson.loads(text)
        content = found["choices"][0]["message"]["content"]
    except (orjson.JSONDecodeError, KeyError, IndexError, TypeError) as error:
        raise LlmDown("the language model's answer is not a completion") from error
    usage = found.get("usage") or {}
    return LlmAnswer(
        text=content if isinstance(content, str) else "",
        tokens_in=_count(usage, "prompt_tokens"),
        tokens_out=_count(usage, "completion_tokens"),
    )


def _count(usage: Any, name: str) -> int:
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if isinstance(count, int) and 0 <= count < 10**9 else 0
