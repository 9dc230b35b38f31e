"""A browser for hundreds of pages: neither its processes nor its memory grow, and none is left behind.

The pages make work: each builds a few thousand elements with scripts and asks its site for more. Several
browsers' lives lie within the proof, so that what is measured is the whole, replacement included.
"""

import asyncio
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from larder.core.model.outcome import FetchOutcome
from larder.stages.fetch.browser.process import BrowserLimits, memory_of, processes_of
from tests.integration.fetch.chromium import BrowserStage, browser_stage
from tests.integration.fetch.hostile import Hostile, hostile_server, reply
from tests.proofs.proof import ROOT, Part, Stage, proof
from tests.services import url_of

CLAIM = (
    "Over 200 pages made by scripts the number of browser processes and their memory are flat, every page "
    "comes, and neither closing nor SIGKILL leaves a browser behind"
)
PAGE = b"""<html><body><div id=root></div><script>
fetch('/more?' + location.search).then(answer => answer.text()).then(words => {
  const root = document.getElementById('root')
  for (let n = 0; n < 3000; n++) {
    const one = document.createElement('article')
    one.textContent = words + n
    root.append(one)
  }
})
</script></body></html>"""
WORDS = b"A room with a view over the harbour, "
GROWTH = 1.3
"""The last quarter may hold this much of what the first one held."""
SLACK_PROCESSES = 4
"""A browser that is being replaced is there twice for a moment, with its processes and its memory."""
ENDS_WITHIN = 10.0


@dataclass(frozen=True, slots=True)
class Sample:
    """What there was after a page."""

    processes: int
    megabytes: int


def visit_many(chromium: Path, *, pages: int, at_once: int = 4, recycle_after: int = 60) -> Part:
    """Visit so many pages and look at the browser after each; then kill a Larder that has one open."""
    return asyncio.run(_visit_many(chromium, pages, at_once, recycle_after))


async def _visit_many(chromium: Path, pages: int, at_once: int, recycle_after: int) -> Part:
    limits = BrowserLimits(pages=at_once, recycle_after=recycle_after)
    async with hostile_server() as server, browser_stage(chromium, limits=limits) as browser:
        server.scripts["/page"] = reply(PAGE, Content_Type="text/html")
        server.scripts["/more"] = reply(WORDS, Content_Type="text/plain")
        samples, failed = await _samples(browser, server, pages, at_once)
        seen = {pid for group in browser.process.groups() for pid in processes_of(group)}
        browsers = browser.process.started
    left = _left(seen)
    orphans = _left(_kill_one(chromium))
    broken = [*failed, *_grown(samples)]
    broken += [f"{len(left)} processes were left after closing"] if left else []
    broken += [f"{len(orphans)} processes outlived a killed Larder"] if orphans else []
    return Part(figures=_figures(samples, browsers, len(failed)), broken=broken)


async def _samples(
    browser: BrowserStage, server: Hostile, pages: int, at_once: int
) -> tuple[list[Sample], list[str]]:
    samples: list[Sample] = []
    failed: list[str] = []
    left = iter(range(pages))

    async def one_after_the_other() -> None:
        for number in left:
            got = await browser.fetch(server.url(f"/page?{number}"))
            if got.outcome is not FetchOutcome.OK or got.body.count(WORDS) != 3000:
                failed.append(f"page {number}: {got.outcome} {got.error}")
            samples.append(_sample(browser))

    await asyncio.gather(*(one_after_the_other() for _ in range(at_once)))
    return samples, failed


def _sample(browser: BrowserStage) -> Sample:
    groups = browser.process.groups()
    processes = sum(len(processes_of(group)) for group in groups)
    return Sample(processes, sum(memory_of(group) for group in groups) >> 20)


def _grown(samples: Sequence[Sample]) -> list[str]:
    """The middle of the first quarter beside that of the last.

    A browser's memory is the middle of the first quarter: its first sample may be taken while it starts.
    """
    quarter = len(samples) // 4
    one_browser = round(statistics.median(sample.megabytes for sample in samples[:quarter]))
    slack = {"processes": SLACK_PROCESSES, "megabytes": one_browser}
    broken = []
    for name in Sample.__slots__:
        first, last = (
            statistics.median(getattr(sample, name) for sample in part)
            for part in (samples[:quarter], samples[-quarter:])
        )
        if last > max(first * GROWTH, first + slack[name]):
            broken.append(f"{name} grew from {first} to {last}")
    return broken


def _kill_one(chromium: Path) -> list[int]:
    """A Larder with a page open, killed; the processes of its browser."""
    larder = subprocess.Popen(
        [sys.executable, "-m", "tests.proofs.browse", str(chromium)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    with larder:
        pids = [int(word) for word in larder.stdout.readline().split()] if larder.stdout else []
        larder.send_signal(signal.SIGKILL)
    if not pids:
        raise RuntimeError("no browser was started")
    return pids


def _left(pids: Sequence[int] | set[int]) -> list[int]:
    """Who still lives after a while."""
    until = time.monotonic() + ENDS_WITHIN
    while (alive := [pid for pid in pids if _alive(pid)]) and time.monotonic() < until:
        time.sleep(0.1)
    return alive


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _figures(samples: Sequence[Sample], browsers: int, failed: int) -> dict[str, object]:
    quarter = max(len(samples) // 4, 1)
    parts = [samples[at : at + quarter] for at in range(0, len(samples), quarter)]
    return {
        "pages": len(samples),
        "failed": failed,
        "browsers": browsers,
        "processes_by_quarter": [statistics.median(s.processes for s in part) for part in parts],
        "megabytes_by_quarter": [statistics.median(s.megabytes for s in part) for part in parts],
        "processes_most": max(sample.processes for sample in samples),
        "megabytes_most": max(sample.megabytes for sample in samples),
    }


@proof("browsers", CLAIM, seed=1)
def browsers(stage: Stage) -> Part:
    return visit_many(Path(url_of("chromium")), pages=200)
