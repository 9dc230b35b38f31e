"""What each benchmark found as figures beside a peer's, with the goal of each."""

from typing import Any

from bench.figure import Figure

_JOURNEYS: dict[str, tuple[str, dict[str, float], float | None]] = {
    "small": ("small pages", {}, 2.0),
    "large": ("50 KB pages", {"scrapy": 4.0, "crawlee": 3.0}, 3.0),
    "real": ("real pages of shops", {}, 3.0),
    "postgresql": ("50 KB pages, on PostgreSQL", {"scrapy": 3.0}, None),
}
"""Their name, and the goals of pages a second beside each peer and of CPU a page (without a server's)."""
_PEERS = {"scrapy": "Scrapy", "crawlee": "Crawlee"}


def journey(found: dict[str, Any]) -> list[Figure]:
    return [
        figure
        for site, each in found.items()
        for peer in each["beside"]
        for figure in _journey(each, peer, *_JOURNEYS[site])
    ]


def _journey(
    found: dict[str, Any], peer: str, pages: str, faster: dict[str, float], less: float | None
) -> list[Figure]:
    ours, theirs, ratios = found["larder"], found[peer], found["beside"][peer]
    named = _PEERS[peer] + (" with extruct" if pages == _JOURNEYS["real"][0] else "")
    kinds = (
        ("pages a second", "pages_per_second", "pages/s", "ratio", "spread", faster.get(peer)),
        (
            "CPU a page",
            "cpu_ms_per_page",
            "ms",
            "cpu_ratio",
            "cpu_spread",
            less if peer == "scrapy" else None,
        ),
    )
    figures = [
        Figure(
            name=f"whole journey, {pages}: {kind}", ours=ours[key], peer=theirs[key], ratio=ratios[ratio],
            unit=unit, beside=named, rounds=found["rounds"], spread=ratios[spread], least=least,
        )
        for kind, key, unit, ratio, spread, least in kinds
    ]  # fmt: skip
    memory = Figure(
        name=f"whole journey, {pages}: memory of the main process",
        ours=ours["rss_mib"], peer=theirs["rss_mib"], ratio=round(theirs["rss_mib"] / ours["rss_mib"], 2),
        unit="MiB", beside=named, rounds=found["rounds"],
    )  # fmt: skip
    return [*figures, memory]


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


FIRST_LOOK_MS, SEARCH_P95_MS = 150.0, 300.0
TESTS_SECONDS, TEST_SECONDS = 480.0, 30.0
_API_GOALS = {"list": 0.4, "every page another": 0.08, "search": 0.1, "every search another": 0.1}


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
    ] + [
        Figure(
            name=f"API, {name} of {found['rows']:,} records on {database}: CPU",
            ours=each[name]["cpu_ms"], peer=each["bare"]["cpu_ms"],
            ratio=round(each["bare"]["cpu_ms"] / each[name]["cpu_ms"], 3), unit="ms", beside="bare FastAPI",
        )
        for database, each in found.items()
        if isinstance(each, dict)
        for name in _API_GOALS
    ] + [
        Figure(
            name=f"API, {name} of {found['rows']:,} records on {database}: p95",
            ours=each[name]["p95_ms"], peer=SEARCH_P95_MS,
            ratio=round(each[name]["p95_ms"] / SEARCH_P95_MS, 2), unit="ms", beside="the goal", most=1.0,
        )
        for database, each in found.items()
        if isinstance(each, dict)
        for name in ("search", "every search another")
    ]  # fmt: skip


def export(found: dict[str, Any]) -> list[Figure]:
    peers = {"sqlite": "sqlite3 .dump", "postgresql": "COPY"}
    kinds = (
        ("rows_per_second", "ratio", "rows/s", "", 0.3),
        ("all_cpu_us", "cpu_ratio", "µs", ": CPU a row", None),
    )
    return [
        Figure(
            name=f"export of {found['records']:,} records on {database} as {form}{which}",
            ours=found[database][form][key], peer=found[database]["peer"][key],
            ratio=found[database][form][ratio], unit=unit, beside=peer, least=least,
        )
        for database, peer in peers.items()
        if database in found
        for form in ("csv", "jsonl", "parquet")
        for key, ratio, unit, which, least in kinds
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
            name=f"first look at {path} over a million records on {database}{which}",
            ours=took, peer=FIRST_LOOK_MS, ratio=round(took / FIRST_LOOK_MS, 2), unit="ms",
            beside="the goal", most=most,
        )
        for database, each in found.items()
        for kind, which, most in (("first_look_ms", "", 1.0), ("first_look_cpu_ms", ": CPU", None))
        for path, took in each[kind].items()
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
        figure
        for each in found
        for name in [f"{each['sites']:,} polite sites, a request in {each['spacing']:g} s each"]
        for figure in (
            Figure(
                name=name, ours=each["requests_per_second"], peer=each["sites"] / each["spacing"],
                ratio=each["of_possible"], unit="requests/s", beside="the sites' limits", least=0.95,
            ),
            Figure(
                name=f"{name}: CPU a page", ours=each["cpu_ms_per_page"], peer=each["fast_cpu_ms_per_page"],
                ratio=round(each["cpu_ms_per_page"] / each["fast_cpu_ms_per_page"], 2), unit="ms",
                beside="one fast site", most=1.5,
            ),
        )
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


def suite(found: dict[str, Any]) -> list[Figure]:
    return [
        Figure(
            name="make test on two cores", ours=found["seconds"], peer=TESTS_SECONDS,
            ratio=round(found["seconds"] / TESTS_SECONDS, 2), unit="s", beside="the goal", most=1.0,
        ),
        Figure(
            name="the slowest test", ours=found["slowest"], peer=TEST_SECONDS,
            ratio=round(found["slowest"] / TEST_SECONDS, 2), unit="s", beside="the goal", most=1.0,
        ),
    ]  # fmt: skip
