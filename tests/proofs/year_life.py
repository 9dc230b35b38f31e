"""The life of the proof `year`: sites, a Larder beside them, channels that die, and one operator.

The operator is the only person there is: whatever did not arrive in a channel is not mended.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, text

from larder.actions.sources import adapters as adapter_actions
from larder.core.model.run import RunKind
from larder.core.policy.alerting import Severity
from larder.core.policy.delivery import Delivered, DeliveryResult, Undelivered
from larder.engine.background.notifications import Notifier
from larder.engine.clock import VirtualClock
from larder.engine.scheduling.dead_letter_retries import retry_due_dead_letters
from larder.sim.virtual import SimWeb, VirtualLarder, run_inline
from larder.store.database import inline_database
from larder.store.operations.notifications.outbox import Message, Notification
from tests.proofs.reckoning import DAY, HOUR, START
from tests.proofs.year_web import Break, Incident, YearWeb, incidents, site

SOURCES = {"amber": "market", "birch": "market", "cedar": "market", "ember": "index"}
INDEX_BEATS = {"discovery_every": 43_200, "sweep_every": 2 * 86_400, "verification_every": 86_400}
KINDS = frozenset({RunKind.COLLECT, RunKind.DISCOVERY, RunKind.SWEEP, RunKind.VERIFICATION})
TICK = timedelta(minutes=30)
LOOKS_EVERY = 6 * HOUR
MENDS_AFTER = 12 * HOUR
"""From the message to the mended adapter."""
CHANNELS = {"chat": Severity.INFO, "pager": Severity.P1}
DEAD = {"chat": ((40, 2.0), (150, 5.0), (280, 6.5)), "pager": ((151, 1.0),)}
"""The days on which a channel dies, and for how many."""


@dataclass(slots=True, kw_only=True)
class Channels:
    """The services behind the channels: what arrived, and when they are dead."""

    clock: VirtualClock
    arrived: dict[str, list[tuple[datetime, Notification]]] = field(
        default_factory=lambda: {n: [] for n in CHANNELS}
    )
    keys: Counter[str] = field(default_factory=Counter)
    refused: int = 0

    async def send(self, message: Message) -> DeliveryResult:
        day = (self.clock.now() - START) / DAY
        if any(since <= day < since + days for since, days in DEAD[message.channel]):
            self.refused += 1
            return Undelivered(error="it could not be reached")
        self.keys[message.key] += 1
        self.arrived[message.channel] += [(self.clock.now(), note) for note in message.notes]
        return Delivered()


@dataclass(slots=True, kw_only=True)
class Year:
    """The whole of it."""

    days: float
    seed: int
    folder: Path
    stock: int = 35
    incidents: list[Incident] = field(init=False)
    larder: VirtualLarder = field(init=False)
    channels: Channels = field(init=False)
    in_line: dict[str, set[int]] = field(default_factory=lambda: {name: set() for name in CHANNELS})
    _seen: int = 0

    def __post_init__(self) -> None:
        names = [f"{name}.test" for name in SOURCES]
        self.incidents = [i for i in incidents(names, seed=self.seed, days=self.days) if _plausible(i)]
        sites = [
            site(
                name,
                stock=self.stock,
                seed=self.seed + n,
                outages=[i for i in self.incidents if i.site == name],
            )
            for n, name in enumerate(names)
        ]
        web = YearWeb(web=SimWeb.of(sites), incidents=self.incidents)
        self.larder = VirtualLarder(
            web,  # type: ignore[arg-type]
            start=START,
            seed=self.seed,
            database=inline_database(f"sqlite:///{self.folder / 'year.db'}"),
            kinds=KINDS,
            tick_every=TICK,
        )
        self.channels = Channels(clock=self.larder.clock)
        for slug, plan in SOURCES.items():
            self.larder.add_source(**_source(slug, plan))
        self._attend()

    def _attend(self) -> None:
        larder = self.larder
        post = Notifier(
            database=larder.database, clock=larder.clock, minimums=CHANNELS, send=self.channels.send
        )

        async def beat() -> None:
            await larder.database.run(
                retry_due_dead_letters, larder.driver.dispatcher, now=larder.clock.now()
            )
            await post.round()

        larder.driver.on_tick = beat

    def live(self) -> None:
        """Let the year pass; every few hours somebody reads what arrived."""
        while self.larder.clock.now() < START + DAY * self.days:
            self.larder.run(self.larder.clock.now() + LOOKS_EVERY)
            self.larder.database.now(self._count)
            self._mend()
        run_inline(self._last_round())

    async def _last_round(self) -> None:
        await self.larder.driver.on_tick()
        self.larder.clock.advance(self.larder.clock.now() + HOUR)
        await self.larder.driver.on_tick()
        self.larder.database.now(self._count)

    def _count(self, conn: Connection) -> None:
        """What was put in line for each channel since we last looked: sent messages are let go of in time."""
        found = conn.execute(
            text("SELECT id, channel FROM outbox WHERE channel IS NOT NULL AND id > :seen"),
            {"seen": self._seen},
        )
        for row in found:
            self.in_line[row.channel].add(row.id)
            self._seen = max(self._seen, row.id)

    def _mend(self) -> None:
        """What was told a while ago is right again, and its adapter on."""
        now = self.larder.clock.now()
        for broken in self.incidents:
            if not broken.true_break or broken.until or broken.since > now:
                continue
            told = [at for at, note in self._heard() if about(note, broken.site) and at > broken.since]
            if told and now - min(told) >= MENDS_AFTER:
                broken.until = now
                self.larder.database.now(adapter_actions.enable, "listing", who="operator", now=now)

    def _heard(self) -> list[tuple[datetime, Notification]]:
        return [heard for channel in CHANNELS for heard in self.channels.arrived[channel]]


def _plausible(incident: Incident) -> bool:
    """Where only new records' own pages are read there are too few of them for a rate."""
    return incident.kind is not Break.DETAILS or SOURCES[incident.site.split(".")[0]] == "index"


def _source(slug: str, plan: str) -> dict[str, Any]:
    row = {"slug": slug, "kind": "listing", "url": f"http://{slug}.test/listings", "adapter": "listing"}
    policy = INDEX_BEATS if plan == "index" else {"verification_every": 86_400}
    return {**row, "plan": plan, "currency": "EUR", "policy": policy}


def about(note: Notification, name: str) -> bool:
    slug = name.split(".", maxsplit=1)[0]
    return note.topic == "alert" and slug in str(note.payload["subject"]).split()
