"""`larder enrich` without a language model."""

import json

from tests.unit.cli.conftest import Shell


def test_it_is_off_by_default_and_says_how_to_turn_it_on(larder: Shell) -> None:
    said = larder("enrich")
    assert said.code == 2
    assert "LARDER_LLM_URL" in said.err


def test_the_budget_is_shown(larder: Shell) -> None:
    used = json.loads(larder("enrich", "--usage", "--json").out)["usage"]
    assert (used["enabled"], used["tokens"], used["tokens_allowed"]) == (False, 0, 2_000_000)
    assert (used["usd"], used["usd_allowed"], used["state"]) == (0, 5, "plenty")
    assert "rules only" in larder("enrich", "--usage").out


def test_the_status_shows_the_budget_of_a_model_that_is_configured(larder: Shell) -> None:
    assert larder("status", "--json").json["language_model"] is None
    larder.env.update(LARDER_LLM_URL="http://127.0.0.1:9/v1", LARDER_LLM_MODEL="small-1")
    used = larder("status", "--json").json["language_model"]
    assert (used["model"], used["tokens"], used["state"]) == ("small-1", 0, "plenty")
