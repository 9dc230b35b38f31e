"""What each benchmark found as figures beside a peer's, with the goal of each."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured figure beside its peer's."""

    name: str
    ours: float
    peer: float
    ratio: float
    """Above 1 is better for us, unless the goal is a most."""
    unit: str
    beside: str = ""
    rounds: int = 1
    spread: Sequence[float] = ()
    """The lowest and the highest ratio of a round."""
    least: float | None = None
    most: float | None = None

    @property
    def goal(self) -> str:
        """The ratio that is asked for; empty where none is."""
        if self.least is not None:
            return f"≥ {self.least:g}"
        return f"≤ {self.most:g}" if self.most is not None else ""

    @property
    def met(self) -> bool | None:
        """Whether the goal is reached; None where there is none."""
        if self.least is not None:
            return self.ratio >= self.least
        return self.ratio <= self.most if self.most is not None else None

    def row(self) -> dict[str, Any]:
        """As it is written to results.json."""
        told = {key: value for key, value in asdict(self).items() if key not in ("least", "most")}
        return {**told, "goal": self.goal, "met": self.met}


_JOURNEYS = {"small": ("small pages", None, 2.0), "large": ("50 KB pages", 4.0, 3.0)}
"""Sizes of pages: their name, and the goals of pages a second and of CPU a page."""


def journey(found: dict[str, Any]) -> list[Figure]:
    return [figure for pages, each in found.items() for figure in _journey(each, *_JOURNEYS[pages])]


def _journey(found: dict[str, Any], pages: str, faster: float | None, less: float) -> list[Figure]:
    ours, peer = found["larder"], found["scrapy"]
    rounds = found["rounds"]
    return [
        Figure(
            name=f"whole journey, {pages}: pages a second",
            ours=ours["pages_per_second"], peer=peer["pages_per_second"], ratio=found["ratio"],
            unit="pages/s", beside="Scrapy", rounds=rounds, least=faster,
        ),
        Figure(
            name=f"whole journey, {pages}: CPU a page",
            ours=ours["cpu_ms_per_page"], peer=peer["cpu_ms_per_page"], ratio=found["cpu_ratio"],
            unit="ms", beside="Scrapy", rounds=rounds, spread=found["cpu_spread"], least=less,
        ),
        Figure(
            name=f"whole journey, {pages}: memory of the main process",
            ours=ours["rss_mib"], peer=peer["rss_mib"], ratio=round(peer["rss_mib"] / ours["rss_mib"], 2),
            unit="MiB", beside="Scrapy", rounds=rounds,
        ),
    ]  # fmt: skip


def extract(found: dict[str, Any]) -> list[Figure]:
    kinds = {"real product pages": found} | {
        name: each for name, each in found.items() if isinstance(each, dict) and "pages" in each
    }
    goals = {("real product pages", "p50"): 4.0, ("real product pages", "p95"): 2.5}
    return [
        Figure(
            name=f"extraction, {kind}: {at} of a page",
            ours=each["larder_ms"][at], peer=each["extruct_ms"][at], ratio=each["ratio"][at],
            unit="ms", beside="extruct", rounds=found["rounds"], least=goals.get((kind, at)),
        )
        for kind, each in kinds.items()
        for at in ("p50", "p95")
    ]  # fmt: skip


def fetch(found: dict[str, Any]) -> list[Figure]:
    return [
        Figure(
            name=f"fetch {name}", ours=each["requests_per_second"], peer=found["bare"]["requests_per_second"],
            ratio=each["ratio"], unit="requests/s", beside="bare client",
        )
        for name, each in found.items()
        if name != "bare"
    ]  # fmt: skip


FIRST_LOOK_MS = 150.0
_API_GOALS = {"list": 0.4, "every page another": 0.08, "search": 0.1}


def api(found: dict[str, Any]) -> list[Figure]:
    return [
        Figure(
            name=f"API, {name} of {found['rows']:,} records on {database}",
            ours=each[name]["requests_per_second"], peer=each["bare"]["requests_per_second"],
            ratio=each[name]["ratio"], unit="requests/s", beside="bare FastAPI", least=least,
        )
        for database, each in found.items()
        if isinstance(each, dict)
        for name, least in _API_GOALS.items()
    ]  # fmt: skip


def web(found: dict[str, Any]) -> list[Figure]:
    return [
        Figure(
            name=f"pages over a million records on {database}: first byte p95",
            ours=each["p95_ms"], peer=each["bare_p95_ms"],
            ratio=round(each["bare_p95_ms"] / each["p95_ms"], 2), unit="ms", beside="bare FastAPI",
        )
        for database, each in found.items()
    ] + [
        Figure(
            name=f"first look at {path} over a million records on {database}",
            ours=took, peer=FIRST_LOOK_MS, ratio=round(took / FIRST_LOOK_MS, 2), unit="ms",
            beside="the goal", most=1.0,
        )
        for database, each in found.items()
        for path, took in each["first_look_ms"].items()
    ]  # fmt: skip


def scale(found: dict[str, Any]) -> list[Figure]:
    cpu, claimed = found["cpu_ms_per_page"], found["lanes_claimed_per_second"]
    return [
        Figure(
            name="two drivers: CPU a page", ours=cpu["2"], peer=cpu["1"], ratio=found["cpu_ratio"],
            unit="ms", beside="one driver", rounds=found["rounds"],
            spread=(found["cpu_ratios"][0], found["cpu_ratios"][-1]), most=1.1,
        ),
        Figure(
            name=f"two workers: lanes claimed of {found['lanes_waiting']:,}",
            ours=claimed["2"], peer=claimed["1"], ratio=round(claimed["2"] / claimed["1"], 2),
            unit="lanes/s", beside="one worker",
        ),
    ]  # fmt: skip


def many_sites(found: list[dict[str, Any]]) -> list[Figure]:
    return [
        Figure(
            name=f"{each['sites']} polite sites, a request in {each['spacing']:g} s each",
            ours=each["requests_per_second"], peer=each["sites"] / each["spacing"],
            ratio=each["of_possible"], unit="requests/s", beside="the sites' limits", least=0.95,
        )
        for each in found
    ]  # fmt: skip


def serving(found: dict[str, Any]) -> list[Figure]:
    kinds = (("larder", "ratio", "", 2.0), ("new", "ratio_of_new", ", queries never asked before", None))
    return [
        Figure(
            name=f"API and pages while a crawl runs flat out on {database}: first byte p95{which}",
            ours=each[name]["p95_ms"], peer=each["bare"]["p95_ms"], ratio=each[ratio],
            unit="ms", beside="bare FastAPI", most=most,
        )
        for database, each in found.items()
        for name, ratio, which, most in kinds
    ]  # fmt: skip


def index_pages(found: dict[str, Any]) -> list[Figure]:
    return [
        Figure(
            name=f"index pages of {found['rows_a_page']} rows: CPU of a commit, a row",
            ours=found["larder_us_a_row"], peer=found["bare_us_a_row"], ratio=found["ratio"],
            unit="µs", beside="bare batch upsert", rounds=found["pages"], spread=found["spread"], least=0.3,
        )
    ]  # fmt: skip


def tables(found: dict[str, Any]) -> list[Figure]:
    names = {"selection": "a window of records to verify", "batch": "a batch of 90 rows"}
    aged = found["aged"]
    grown = [
        Figure(
            name=f"{name}: CPU with {int(size):,} records",
            ours=each[size], peer=each[least], ratio=round(each[size] / each[least], 2), unit="ms",
            beside=f"{int(least):,} records", rounds=found["rounds"], most=2.0,
        )
        for act, name in names.items()
        for each in [found["ms"][act]]
        for least in [min(each, key=int)]
        for size in sorted(each, key=int)[1:]
    ]  # fmt: skip
    return [
        *grown,
        Figure(
            name=f"{aged['records']:,} records age by an hour: rows written",
            ours=aged["rows_written"], peer=aged["records"], ratio=aged["rows_written"] / aged["records"],
            unit="rows", beside="records", most=0.0,
        ),
    ]  # fmt: skip


def ticks(found: dict[str, Any]) -> list[Figure]:
    return [
        Figure(
            name=f"a tick with {int(most):,} targets, {int(due):,} of them due: CPU",
            ours=each[most], peer=each[least], ratio=round(each[most] / each[least], 2), unit="ms",
            beside=f"{int(least):,} targets", rounds=found["rounds"], most=2.0,
        )
        for due, each in found["ms_by_due"].items()
        for least, most in [sorted(each, key=int)]
    ]  # fmt: skip


def unchanged(found: dict[str, Any]) -> list[Figure]:
    names = {"not_modified": "304", "same_body": "the same body again"}
    return [
        Figure(
            name=f"watched pages of {found['bytes'] // 1000} KB, {name}: CPU a page",
            ours=found["ms"][kind], peer=found["ms"]["changed"], ratio=found["ratio"][kind], unit="ms",
            beside="a changed page", rounds=found["rounds"], spread=found["spread"][kind], least=3.0,
        )
        for kind, name in names.items()
    ]  # fmt: skip


def memory(found: dict[str, Any]) -> list[Figure]:
    return [
        Figure(
            name=f"memory after {found['pages']:,} pages",
            ours=found["mib"], peer=found["first_mib"], ratio=round(found["mib"] / found["first_mib"], 2),
            unit="MiB", beside=f"after {found['first_pages']:,}", most=1.2,
        )
    ]  # fmt: skip


def start(found: dict[str, Any]) -> list[Figure]:
    cpu = found["cpu_ms"]
    return [
        Figure(
            name="larder status: CPU", ours=cpu["larder"], peer=cpu["scrapy"], ratio=found["ratio"],
            unit="ms", beside="scrapy version", rounds=found["rounds"], spread=found["spread"], most=0.5,
        )
    ]  # fmt: skip


BENCHES: dict[str, Callable[[Any], list[Figure]]] = {
    "api": api,
    "extract": extract,
    "fetch": fetch,
    "index_pages": index_pages,
    "journey": journey,
    "many_sites": many_sites,
    "scale": scale,
    "serving": serving,
    "start": start,
    "tables": tables,
    "ticks": ticks,
    "unchanged": unchanged,
    "web": web,
}
