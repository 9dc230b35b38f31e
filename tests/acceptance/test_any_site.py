"""Sites that nobody tuned Larder for: added by their address alone, read once, held against their truth."""

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.acceptance.any_site import read_once
from tests.acceptance.conftest import Shell, Up
from tests.platform_sites import SHAPES
from tests.platform_sites.server import HOST, serving

README = Path(__file__).resolve().parents[2] / "README.md"


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_a_site_is_read_by_its_address_alone(name: str, tmp_path: Path) -> None:
    shape = SHAPES[name]
    found = read_once(shape, tmp_path)
    assert (found.recall, found.titles, found.prices, found.dates) >= (0.97, 0.97, 0.97, 0.97), found
    assert min(found.recall, found.titles, found.prices, found.dates) >= 0.97, found
    assert (found.doubled, found.invented, found.asked_twice) == (0, 0, []), found
    assert found.requests <= 1.3, found
    assert found.status == "completed", found.run


@pytest.mark.parametrize("name", ["forum-market", "jours-fr", "mapa-pt", "odoo", "ville-fr"])
def test_a_last_page_of_two_rows_is_read(name: str, tmp_path: Path) -> None:
    """Too few to be told by being alike: the first page says how its rows are built."""
    shape = replace(SHAPES[name], things=SHAPES[name].things[: SHAPES[name].per_page + 2])
    found = read_once(shape, tmp_path)
    assert (found.recall, found.titles, found.prices, found.dates) == (1, 1, 1, 1), found
    assert (found.doubled, found.invented, found.asked_twice) == (0, 0, []), found
    assert found.status == "completed", found.run


async def test_readmes_lines_work_on_a_site_drawn_at_random(tmp_path: Path) -> None:
    """As README has them; only the address and the kind are the site's own."""
    seed = Random().randrange(10**6)
    print(f"seed {seed}")
    shape = SHAPES[Random(seed).choice(sorted(SHAPES))]
    block = re.search(r"## Use it\n\n```console\n(.*?)```", README.read_text(), re.DOTALL)
    assert block is not None
    init, add, up = (line.removeprefix("$ larder ").split() for line in block[1].splitlines())
    larder = Shell(folder=tmp_path)
    with serving(shape) as server:
        await larder(*init)
        given = [server.address if word.startswith("https:") else word for word in add[:-1]]
        said = await larder(*given, shape.kind, "--local")
        assert f"site review {HOST}" in " ".join(said.split()), "it says what still blocks it"
        await larder("site", "review", HOST)
        await larder("site", "set", HOST, "--spacing", "5ms")
        running = Up(process=await larder.start(*up, "--json"))
        ended = await running.until("run ended", kind="discovery")
        assert await running.end() == 0
    assert (ended["status"], ended["inserted"]) == ("completed", len(shape.things)), (seed, shape.name, ended)
