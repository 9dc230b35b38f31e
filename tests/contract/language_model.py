"""A local server that speaks OpenAI's protocol, on good days and on bad ones."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

KEY = "llm-key-5678"
Answer = Callable[[dict[str, Any]], Any]


def always(value: Any) -> Answer:
    """The same answer for every row."""
    return lambda row: value if row else None


@dataclass
class LanguageModel:
    """`answer` gives the value of a row; `bad` is a queue of what to do instead of answering."""

    answer: Answer = field(default_factory=lambda: always(None))
    bad: list[str] = field(default_factory=list)
    always: str = ""
    says: str = ""
    """The whole text of every answer, whatever was asked."""
    names: Callable[[dict[str, Any]], Any] = lambda _: {}
    """What it answers to a question about selectors."""
    asked: list[dict[str, Any]] = field(default_factory=list)
    tokens: tuple[int, int] = (100, 20)
    url: str = ""

    @property
    def batches(self) -> list[int]:
        """How many rows each question had."""
        return [len(json.loads(each["messages"][1]["content"])["rows"]) for each in self.asked]

    async def complete(self, request: web.Request) -> web.StreamResponse:  # noqa: PLR0911 - one a fault
        """`POST /v1/chat/completions`."""
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            return web.json_response({"error": {"code": "invalid_api_key"}}, status=401)
        asked = await request.json()
        self.asked.append(asked)
        trouble = self.bad.pop(0) if self.bad else self.always
        match trouble:
            case "limited":
                body = {"error": {"code": "rate_limit_exceeded"}}
                return web.json_response(body, status=429, headers={"Retry-After": "1800"})
            case "spent":
                return web.json_response({"error": {"code": "insufficient_quota"}}, status=429)
            case "garbage":
                return web.Response(text="<html>")
            case "no choices":
                return web.json_response({"choices": []})
            case "null":
                return web.json_response({"choices": [{"message": {"content": None}}]})
            case "slow":
                await asyncio.Event().wait()
            case "cuts":
                assert request.transport is not None
                request.transport.close()
                return web.Response()
            case str() if trouble:
                return web.Response(status=int(trouble))
        return web.json_response(self._completion(asked))

    def _completion(self, asked: dict[str, Any]) -> dict[str, Any]:
        data = json.loads(asked["messages"][1]["content"])
        said: dict[str, Any] = {"selectors": self.names(data)} if "pages" in data else {}
        said |= {"answers": [{"id": row["id"], "value": self.answer(row)} for row in data.get("rows", ())]}
        return {
            "choices": [{"message": {"role": "assistant", "content": self.says or json.dumps(said)}}],
            "usage": {"prompt_tokens": self.tokens[0], "completion_tokens": self.tokens[1]},
        }


@asynccontextmanager
async def served(model: LanguageModel) -> AsyncIterator[LanguageModel]:
    """On a free port."""
    app = web.Application()
    app.router.add_post("/v1/chat/completions", model.complete)
    runner = web.AppRunner(app, shutdown_timeout=0, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    model.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    try:
        yield model
    finally:
        await runner.cleanup()
