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

LLM_TIMEOUT = aiohttp.ClientTimeout(total=60)
MAX_RESPONSE_BYTES = 1_000_000
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
    """It did not answer, or not in its protocol."""

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
    """Its base, such as https://api.openai.com/v1."""
    model: str
    client: aiohttp.ClientSession = field(repr=False)
    key: str = field(default="", repr=False)
    timeout: aiohttp.ClientTimeout = LLM_TIMEOUT

    async def ask(self, chat: Chat) -> LlmAnswer:
        """One completion, as JSON and without chance."""
        body = {
            "model": self.model,
            "messages": list(chat),
            "temperature": 0,
            "max_tokens": MAX_ANSWER_TOKENS,
            "response_format": {"type": "json_object"},
        }
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {self.key}"} if self.key else {}
        try:
            async with self.client.post(
                f"{self.url.rstrip('/')}/chat/completions",
                data=orjson.dumps(body),
                headers=headers,
                timeout=self.timeout,
                allow_redirects=False,
            ) as response:
                text = await response.content.read(MAX_RESPONSE_BYTES)
                while len(text) < MAX_RESPONSE_BYTES and (chunk := await response.content.read(65_536)):
                    text += chunk
                _check_status(response, text)
        except TimeoutError as error:
            raise LlmDown("the language model did not answer in time") from error
        except (aiohttp.ClientError, OSError) as error:
            raise LlmDown(f"the language model could not be reached ({type(error).__name__})") from error
        return _answer(text)


def _check_status(response: aiohttp.ClientResponse, text: bytes) -> None:
    status = response.status
    if status == 200:
        return
    body = text[:2_000].decode("utf-8", "replace").lower()
    if status == 402 or (status == 429 and "insufficient_quota" in body):
        raise LlmRefused(f"the quota of the language model is spent ({status})", quota=True)
    if status == 429:
        wait = service_retry_after(response.headers.get("Retry-After"))
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
