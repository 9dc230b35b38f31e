"""A decimal slip of a price does not reach the record; the page is asked again although it did not change."""

from pathlib import Path

from tests.acceptance.served import Answer, add_source, serving, shell

URL = "/p/lamp"


def lamp(price: str) -> Answer:
    return Answer(
        f"<html lang=en><head><title>Copper lamp</title></head><body><h1>Copper lamp</h1><b>€ {price}</b>"
        "<button>Add to cart</button></body></html>"
    )


def test_it_waits_in_quarantine_until_it_is_read_again(tmp_path: Path) -> None:
    larder = shell(tmp_path)
    prices, statuses = [], []
    with serving() as site:
        site.answers[URL] = lamp("1299.00")
        add_source(larder, site.url("/"), "--kind", "product", "--plan", "monitor", "--currency", "EUR")
        assert larder("target", "add", "it", site.url(URL)).code == 0
        for price in ("1299.00", "12.99", "12.99"):
            site.answers[URL] = lamp(price)
            larder("target", "run", "1")
            larder("run", "start", "it")
            (record,) = larder("records", "list", "--json").json
            prices.append(record["price_minor"])
            statuses.append([item["status"] for item in larder("quarantine", "list", "--all", "--json").json])
    assert prices == [129900, 129900, 1299]
    assert statuses == [[], ["pending"], ["released"]]
