"""A limit bounds what one page queues, and the run says by name what lies beyond it."""

from pathlib import Path

import pytest

from tests.acceptance.served import Answer, add_source, serving, shell

ROWS = 40
LIMIT = 5


def index() -> Answer:
    rows = "".join(
        f'<li class="flat"><a href="/expose/{n}-wohnung">Wohnung am Park {n}, hell</a>'
        f"<p>{2 + n % 3} Zimmer, {50 + n} m²</p><b>{700 + 10 * n} €</b></li>"
        for n in range(ROWS)
    )
    return Answer(
        f"<html lang=de><title>Wohnungen</title><body><h1>{ROWS} Wohnungen</h1><ul>{rows}</ul></body></html>"
    )


@pytest.mark.parametrize("plan", ["index", "market"])
def test_l10_26_one_page_queues_no_more_than_the_limit(plan: str, tmp_path: Path) -> None:
    larder = shell(tmp_path)
    with serving() as site:
        site.answers["/wohnungen"] = index()
        for n in range(ROWS):
            site.answers[f"/expose/{n}-wohnung"] = Answer(
                f"<html lang=de><h1>Wohnung am Park {n}, hell</h1><b>{700 + 10 * n} €</b></html>"
            )
        options = ("--kind", "listing", "--plan", plan, "--max-items", str(LIMIT))
        add_source(larder, site.url("/wohnungen"), *options)
        line = " ".join(larder("run", "start", "it").out.split())
        run = larder("run", "list", "--json").json[0]
    asked = [path for path in site.asked if path.startswith("/expose/")]
    assert len(asked) == LIMIT
    assert (run["status"], run["error_code"]) == ("partial", "max_items_per_run")
    assert run["pages_not_read"] == ROWS - LIMIT
    assert f"{ROWS - LIMIT} detail pages not requested" in line
