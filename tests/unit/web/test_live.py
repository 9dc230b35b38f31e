"""A stream goes on for whoever may see it, and no longer."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from larder.core.errors import NotSignedIn
from larder.core.model.caller import ANYONE, Caller, Scope
from larder.web.live import END, stream

ADA = Caller(name="ada", scopes=frozenset({Scope.ADMIN}))


@dataclass
class FakeAuthenticator:
    """Knows who is calling, as long as it lasts."""

    callers: list[Caller | Exception]
    asked: int = 0

    async def identify(self, _: object) -> Caller:
        self.asked += 1
        found = self.callers.pop(0)
        if isinstance(found, Exception):
            raise found
        return found


@dataclass
class Drawn:
    texts: list[str]
    told: list[str] = field(default_factory=list)

    async def __call__(self) -> str:
        self.told.append(self.texts.pop(0))
        return self.told[-1]


class Connected:
    async def is_disconnected(self) -> bool:
        return False


async def streamed(auth: FakeAuthenticator, draw: Drawn) -> list[str]:
    clock = SimpleNamespace(now=lambda: datetime.now(UTC))
    ctx: Any = SimpleNamespace(request=Connected(), auth=auth, app=SimpleNamespace(clock=clock), now=None)
    answer = await stream(ctx, draw, interval=0.0)
    return [str(part) async for part in answer.body_iterator]


async def test_a_session_that_ended_ends_its_streams() -> None:
    for refused in (ANYONE, NotSignedIn("revoked")):
        draw = Drawn(["one", "two", "hidden by then"])
        told = await streamed(FakeAuthenticator([ADA, refused]), draw)
        assert told == ["event: part\ndata: one\n\n", "event: part\ndata: two\n\n", END]
        assert draw.told == ["one", "two"]


async def test_what_did_not_change_is_not_sent_again() -> None:
    told = await streamed(FakeAuthenticator([ADA, ADA, ANYONE]), Drawn(["same", "same", "other"]))
    assert told == ["event: part\ndata: same\n\n", ": still here\n\n", "event: part\ndata: other\n\n", END]
