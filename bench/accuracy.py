"""How right is extraction? Every labelled set of real pages, a table with Wilson intervals.

    python -m bench.accuracy [set …] [--wrong] [--write]

Reads the pages from ../shared/fixtures beside the repository; says so where they are absent.
"""

import gzip
import json
import math
import sys
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from bench.written import write
from larder.extraction import Extraction, extract, parse_price, parse_when

FIXTURES = Path(__file__).parents[2] / "shared" / "fixtures"


def cases(name: str, kind: str) -> Iterator[dict[str, Any]]:
    for line in (FIXTURES / name / "cases.jsonl").read_text().splitlines():
        case = json.loads(line)
        if case["kind"] == kind:
            yield case


def body(name: str, case: dict[str, Any]) -> bytes:
    if "html" in case["input"]:
        return str(case["input"]["html"]).encode()
    path = FIXTURES / name / case["input"]["file"]
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def wilson(hits: int, of: int, z: float = 1.96) -> tuple[float, float]:
    if of == 0:
        return 0.0, 1.0
    p, zz = hits / of, z * z
    middle = (p + zz / (2 * of)) / (1 + zz / of)
    spread = z * math.sqrt(p * (1 - p) / of + zz / (4 * of * of)) / (1 + zz / of)
    return middle - spread, middle + spread


class Tally:
    """Hits and misses of one field of one set."""

    def __init__(self, name: str, goal: str) -> None:
        self.name, self.goal = name, goal
        self.right = self.wrong = self.missed = 0
        self.notes: list[str] = []

    def count(self, case: str, expected: list[str], got: str | None, same: bool) -> None:
        if got is not None and same:
            self.right += 1
            return
        self.wrong += got is not None
        self.missed += bool(expected)
        if expected or got is not None:
            self.notes.append(f"  {self.name:28} {case:60} expected {expected} got {got!r}")

    def figures(self) -> dict[str, Any]:
        total = self.right + self.missed
        precision = self.right / (self.right + self.wrong) if self.right + self.wrong else 0.0
        recall = self.right / total if total else 0.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        interval = [round(each, 3) for each in wilson(self.right, total)]
        shares = {"recall": recall, "precision": precision, "f1": f1}
        return {
            "n": total,
            **{name: round(share, 3) for name, share in shares.items()},
            "recall_95": interval,
        }

    def row(self) -> str:
        told = self.figures()
        low, high = told["recall_95"]
        shares = f"{told['recall']:7.3f} [{low:.2f}, {high:.2f}] {told['precision']:9.3f} {told['f1']:7.3f}"
        return f"{self.name:28} {told['n']:5} {shares}   {self.goal}"


def number(text: Any) -> Decimal | None:
    try:
        return Decimal(str(text).strip())
    except InvalidOperation:
        return None


def first(found: Extraction) -> dict[str, Any]:
    return found.items[0] if found.items else {}


SCHEMA_WORDS = {"in_stock": "InStock", "out_of_stock": "OutOfStock", "backorder": "OutOfStock"}


def products() -> list[Tally]:
    price = Tally("products price", "F1 > .794, goal .899")
    sku = Tally("products sku", "F1 > .794, goal .791")
    stock = Tally("products availability", "F1 > .932, goal .959")
    for case in cases("products", "product_page"):
        item = first(extract(body("products", case), url=case["input"]["url"], kind="product"))
        name, expected = case["input"]["url"][-60:], case["expected"]
        if not case["id"].startswith("peb-"):
            expected = {**expected, "sku": None, "availability": None}
        wanted = [text.strip() for text in expected.get("price", [])]
        got = item.get("price")
        price.count(name, wanted, got, number(got) in {number(text) for text in wanted})
        if expected.get("sku", ()) is not None:
            wanted = [text.strip() for text in expected.get("sku", [])]
            sku.count(name, wanted, item.get("sku"), item.get("sku") in wanted)
            word = SCHEMA_WORDS.get(str(item.get("availability")))
            stock.count(
                name, expected.get("availability", []), word, word in expected.get("availability", [])
            )
    return [price, sku, stock]


def amazon() -> list[Tally]:
    title, price = Tally("amazon title", "80 %, goal 90 %"), Tally("amazon price", "80 %, goal 90 %")
    for case in cases("amazon", "amazon_product_page"):
        item = first(
            extract(body("amazon", case), url=case["input"]["url"], kind="product", adapter="amazon")
        )
        name, expected = case["id"], case["expected"]
        wanted = [" ".join(str(expected[key]).split()) for key in ("name", "title") if expected.get(key)]
        if wanted:
            title.count(name, wanted, item.get("title"), item.get("title") in wanted)
        accepted = expected.get("price")
        accepted = accepted if isinstance(accepted, list) else [accepted] if accepted else []
        if accepted:
            same = number(item.get("price")) in {number(text) for text in accepted}
            price.count(name, accepted, item.get("price"), same)
    return [title, price]


def willhaben() -> list[Tally]:
    fields = {"title": "title", "price": "price", "area_m2": "area_m2", "rooms": "rooms", "id": "platform_id"}
    tallies = {key: Tally(f"willhaben {name}", "95 %, goal 98 %") for key, name in fields.items()}
    pages: dict[str, dict[str, dict[str, Any]]] = {}
    for case in [*cases("willhaben", "advert_summary"), *cases("willhaben", "advert_detail")]:
        file = case["input"]["file"]
        if file not in pages:
            found = extract(
                body("willhaben", case), url="https://www.willhaben.at/iad/x", adapter="willhaben"
            )
            pages[file] = {str(item.get("platform_id")): item for item in found.items}
        expected = case["expected"]
        item = pages[file].get(str(expected["id"]), {})
        for key, field in fields.items():
            wanted = (
                expected.get(key) if key != "area_m2" else expected.get(key, expected.get("living_area_m2"))
            )
            if wanted is None:
                continue
            got = item.get(field)
            same = number(got) == number(wanted) if isinstance(wanted, int | float) else got == wanted
            tallies[key].count(case["id"], [str(wanted)], None if got is None else str(got), same)
    return list(tallies.values())


ZONES = {"nl": "Europe/Amsterdam", "fr": "Europe/Paris", "us": "America/Chicago"}


def events() -> list[Tally]:
    """A page counts as right where the expected event (all of a short page, most of a long one) is found."""
    pages = Tally("event pages date+title", "50 %, goal 70 %")
    rows, dates = Tally("events date+title", ""), Tally("events date", "")
    for case in cases("events", "event_page"):
        base = case["input"].get("base") or "2026-10-09T10:00:00"
        zone = ZoneInfo(ZONES.get(case.get("lang") or "", "UTC"))
        now = datetime.fromisoformat(base)
        now = now if now.tzinfo else now.replace(tzinfo=zone)
        found = extract(
            body("events", case), url=case["input"].get("url") or "https://x.test/", kind="event", now=now
        )
        expected = case["expected"] if isinstance(case["expected"], list) else [case["expected"]]
        expected = [event for event in expected if isinstance(event, dict) and event.get("start")]
        if not expected:
            continue
        hits = 0
        for event in expected:
            day = str(event["start"])[:10]
            same_day = [item for item in found.items if str(item.get("starts_at"))[:10] == day]
            title = str(event.get("title") or "").casefold()
            both = [
                i
                for i in same_day
                if not title or similar_titles(title, str(i.get("title") or "").casefold())
            ]
            hits += bool(both)
            shown = str([(i.get("title"), i.get("starts_at")) for i in (same_day or found.items)[:3]])
            dates.count(case["id"], [day], shown if not same_day else day, bool(same_day))
            rows.count(case["id"], [f"{day} {title}"], shown, bool(both))
        pages.count(
            case["id"], [f"{len(expected)} events"], f"{hits} of {len(expected)}", hits >= 0.5 * len(expected)
        )
    return [pages, rows, dates]


def similar_titles(a: str, b: str) -> bool:
    a, b = " ".join(a.split()), " ".join(b.split())
    return bool(b) and (a in b or b in a)


def sgammo() -> list[Tally]:
    tally = Tally("sgammo fields", "")
    for case in [*cases("sgammo", "product_page"), *cases("sgammo", "listing_row")]:
        url = case["input"].get("url") or "https://sgammo.com/catalog/pistol-ammo-sale/"
        item = first(extract(body("sgammo", case), url=url, adapter="sgammo"))
        for key, field in (
            ("name", "title"),
            ("price", "price"),
            ("sku", "sku"),
            ("availability", "availability"),
        ):
            wanted = case["expected"].get(key)
            if wanted is None:
                continue
            got = SCHEMA_WORDS.get(str(item.get(field))) if field == "availability" else item.get(field)
            same = number(got) == number(wanted) if key == "price" else got == wanted
            tally.count(case["id"], [str(wanted)], None if got is None else str(got), same)
    return [tally]


def apartments() -> list[Tally]:
    tally = Tally("apartments fields", "")
    for case in cases("apartments", "apartments_page"):
        found = extract(body("apartments", case), url=case["input"]["url"], adapter="apartments")
        expected = case["expected"] if isinstance(case["expected"], list) else [case["expected"]]
        items = {str(item.get("platform_id")): item for item in found.items}
        for wanted in expected:
            item = items.get(wanted["id"], {})
            pairs = (("rent_min", "price"), ("beds", "beds"), ("baths", "baths"), ("latitude", "latitude"))
            for key, field in pairs:
                if wanted.get(key) is not None:
                    got = item.get(field)
                    same = number(got) == number(wanted[key])
                    tally.count(
                        f"{case['id']} {key}", [str(wanted[key])], None if got is None else str(got), same
                    )
    return [tally]


def blocked() -> list[Tally]:
    tally = Tally("pages not taken as blocked", "100 %")
    for path in sorted(FIXTURES.glob("*/pages/**/*.htm*")):
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        found = extract(raw, url="https://x.test/page")
        tally.count(str(path.name), ["content"], found.reason or "content", found.reason != "blocked_page")
    return [tally]


def prices() -> list[Tally]:
    plain, hard = Tally("price strings", "99 %, goal 100 %"), Tally("price strings, known hard", "")
    for case in cases("price", "price_string"):
        given, expected = case["input"], case["expected"]
        found = parse_price(given["price"], currency_hint=given.get("currency_hint"))
        amount = number(expected["amount"]) if expected["amount"] else None
        known = expected.get("currency", found and found.currency)  # where the label names none, any will do
        same = (found.amount, found.currency) == (amount, known) if found else amount is None
        tally = hard if case.get("known_hard") else plain
        tally.count(case["id"], [f"{amount} {known}"], str(found), same)
    return [plain, hard]


def agenda_dates() -> list[Tally]:
    tally = Tally("Dutch agenda dates", "90 %, goal 95 %")
    for case in [*cases("events", "agenda_date"), *cases("events", "agenda_time")]:
        now = datetime.fromisoformat(case["input"].get("base") or "2026-10-09T10:00:00")
        found = parse_when(case["input"]["text"], now=now, languages=("nl",))
        wanted = case["expected"]
        if found is None or wanted is None:
            tally.count(case["id"], [str(wanted)], str(found), found is None and wanted is None)
            continue
        shown = found.start.strftime("%H:%M") if case["kind"] == "agenda_time" else found.start.isoformat()
        tally.count(case["id"], [wanted], shown, shown[: len(wanted)] == wanted)
    return [tally]


SETS = {
    "prices": prices,
    "dates": agenda_dates,
    "products": products,
    "amazon": amazon,
    "willhaben": willhaben,
    "events": events,
    "sgammo": sgammo,
    "apartments": apartments,
    "blocked": blocked,
}


def main(arguments: list[str]) -> int:
    if not FIXTURES.is_dir():
        print(f"no pages to judge by: {FIXTURES} is absent", file=sys.stderr)
        return 2
    chosen = [name for name in arguments if name in SETS] or list(SETS)
    print(f"{'set':28} {'n':>5} {'recall':>7} {'95 %':12} {'precision':>11} {'F1':>7}   asked")
    figures: dict[str, Any] = {}
    for name in chosen:
        for tally in SETS[name]():
            figures[tally.name] = tally.figures()
            print(tally.row())
            if "--wrong" in arguments:
                print("\n".join(tally.notes))
    if "--write" in arguments and chosen == list(SETS):
        write("accuracy", figures)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
