"""One Chromium process for many pages: started when first needed, replaced when it has grown, always ended.

Browsers leak memory. So after a number of pages, or above a memory limit, a new browser is started and the
old one ends with its last page. One that exceeds its limit while a page runs is killed with all its
processes, and its pages end as errors. If Larder is killed, Playwright's driver and Chromium end because
their pipes close.
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Playwright

CHECK_SECONDS = 1.0
START_SECONDS = 60.0
END_SECONDS = 10.0
_PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")

_OFF = (
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "WebUIOmniboxPopup",
)
PLAIN = f"--disable-features={','.join(_OFF)}"
"""Features switched off.

Those of Playwright, whose list this one replaces, and those of the address bar, which would render two pages
for every window and take longer than most sites.
"""
_ARGUMENTS = (
    PLAIN,
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-crash-reporter",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-notifications",
    "--disable-quic",
    "--disable-sync",
    "--dns-prefetch-disable",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--js-flags=--max-old-space-size=512",
    "--mute-audio",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-pings",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)
"""Chromium resolves no names, sends nothing by itself, and connects to its proxy only."""
_NOT_WANTED = ("--disable-popup-blocking",)


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserLimits:
    """Limits of browsers and contexts."""

    pages: int = 4
    """Maximum open pages."""
    recycle_after: int = 100
    """Maximum pages of one browser before it is replaced."""
    recycle_memory: int = 1024 * 1024 * 1024
    """Bytes of private memory of all its processes, above which a browser gets no new page."""
    most_memory: int = 2048 * 1024 * 1024
    """Bytes above which it is killed."""


class BrowserGoneError(Exception):
    """The browser cannot be started, or ended while a page was open."""


@dataclass(slots=True)
class _Running:
    """A browser with its driver and its users."""

    driver: "Playwright"
    browser: "Browser"
    group: int | None
    """Its process group: Playwright gives each browser its own."""
    seen: int = 0
    open: int = 0
    retired: bool = False
    why: str = ""
    """Why it was killed, if it was."""
    watch: asyncio.Task[None] | None = None

    @property
    def alive(self) -> bool:
        return self.browser.is_connected()


class BrowserProcess:
    """Gives each visit a new context of the shared browser."""

    def __init__(self, executable: Path | None, *, limits: BrowserLimits | None = None) -> None:
        self._executable = executable
        self._limits = limits or BrowserLimits()
        self._seats = asyncio.Semaphore(self._limits.pages)
        self._starting = asyncio.Lock()
        self._now: _Running | None = None
        self._all: list[_Running] = []
        self.started = 0
        """Number of browsers started."""

    @asynccontextmanager
    async def context(self, **options: Any) -> "AsyncIterator[BrowserContext]":
        """A context of its own for one visit; raises BrowserGoneError."""
        async with self._seats:
            running = await self._running()
            running.seen += 1
            running.open += 1
            try:
                context = await _context(running, options)
                try:
                    yield context
                finally:
                    await _closed(context)
            finally:
                running.open -= 1
                self._retire(running)
                if running.retired and not running.open:
                    await self._end(running)

    async def close(self) -> None:
        """End all browsers."""
        self._now = None
        for running in list(self._all):
            await self._end(running)

    def groups(self) -> list[int]:
        """The process groups of all browsers that run."""
        return [running.group for running in self._all if running.group is not None]

    def why_gone(self) -> str:
        """Why the last browser was killed."""
        return next((running.why for running in reversed(self._all) if running.why), "the browser crashed")

    async def _running(self) -> _Running:
        async with self._starting:
            if self._now is None or self._now.retired or not self._now.alive:
                await self._replace()
            if self._now is None:
                raise BrowserGoneError("there is no browser")
            return self._now

    async def _replace(self) -> None:
        if self._now is not None and not self._now.open:
            await self._end(self._now)
        self._now = await _start(self._executable)
        self._now.watch = asyncio.create_task(self._watch(self._now))
        self._all.append(self._now)
        self.started += 1

    def _retire(self, running: _Running) -> None:
        full = running.seen >= self._limits.recycle_after
        if full or not running.alive or memory_of(running.group) > self._limits.recycle_memory:
            running.retired = True

    async def _watch(self, running: _Running) -> None:
        """Kill a browser that exceeds its memory limit."""
        while running.alive:
            await asyncio.sleep(CHECK_SECONDS)
            memory = memory_of(running.group) if running.open else 0
            if memory > self._limits.most_memory:
                running.why = f"the browser used {memory >> 20} MB of memory and was killed"
                kill_group(running.group)

    async def _end(self, running: _Running) -> None:
        if running not in self._all:
            return
        self._all.remove(running)
        if running.watch is not None:
            running.watch.cancel()
        with suppress(Exception):  # a browser that does not end on request is killed below
            async with asyncio.timeout(END_SECONDS):
                await running.browser.close()
        kill_group(running.group)
        with suppress(Exception):
            async with asyncio.timeout(END_SECONDS):
                await running.driver.stop()


async def _start(executable: Path | None) -> _Running:
    try:
        from playwright.async_api import async_playwright  # noqa: PLC0415 - an optional part, slow to load
    except ImportError as error:
        raise BrowserGoneError("playwright is not installed") from error
    driver = None
    try:
        async with asyncio.timeout(START_SECONDS):
            driver = await async_playwright().start()
            browser = await driver.chromium.launch(
                executable_path=executable,
                args=[*_ARGUMENTS, *(["--no-sandbox"] if os.geteuid() == 0 else [])],
                ignore_default_args=_NOT_WANTED,
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
            )
            return _Running(driver, browser, await _group(browser))
    except Exception as error:
        if driver is not None:
            await driver.stop()
        raise BrowserGoneError(f"the browser does not start: {str(error)[:300]}") from error


async def _group(browser: "Browser") -> int | None:
    """Its process group, unless that is our own."""
    session = await browser.new_browser_cdp_session()
    processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
    await session.detach()
    leader = next(process["id"] for process in processes if process["type"] == "browser")
    group = os.getpgid(leader)
    return group if group != os.getpgid(0) else None


async def _context(running: _Running, options: dict[str, Any]) -> "BrowserContext":
    try:
        return await running.browser.new_context(**options)
    except Exception as error:
        raise BrowserGoneError(f"the browser cannot open a page: {str(error)[:300]}") from error


async def _closed(context: "BrowserContext") -> None:
    """Close a context; one whose browser is gone needs no closing."""
    with suppress(Exception):
        async with asyncio.timeout(END_SECONDS):
            await context.close()


def processes_of(group: int | None) -> list[int]:
    """The living processes of a group."""
    if group is None or not Path("/proc/self/stat").exists():
        return []
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError, ValueError):
                state, _, its_group = _stat(entry)
                if its_group == group and state != "Z":
                    found.append(int(entry.name))
    return found


def _stat(entry: Path) -> tuple[str, int, int]:
    """State, parent and group; the name of a process is in brackets and may contain anything."""
    state, parent, group = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
    return state, int(parent), int(group)


def memory_of(group: int | None) -> int:
    """The private memory of all processes of a group, in bytes."""
    total = 0
    for pid in processes_of(group):
        with suppress(OSError, ValueError):
            _, resident, shared = Path(f"/proc/{pid}/statm").read_text().split()[:3]
            total += (int(resident) - int(shared)) * _PAGE_SIZE
    return total


def kill_group(group: int | None) -> None:
    """End all processes of a group at once."""
    if group is not None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
