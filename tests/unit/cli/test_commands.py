"""Commands answer people with tables and programs with one JSON document."""

import os
import subprocess
import sys

import pytest

from tests.unit.cli.conftest import Shell

URL = "https://homes.example/rent"


def test_a_first_session(larder: Shell) -> None:
    added = larder("source", "add", URL, "--kind", "listing", "--json").json
    assert (added["slug"], added["why"]["state"]) == ("homes", "held back")
    assert [reason["gate"] for reason in added["why"]["blocked_by"]] == ["terms"]
    assert larder("site", "review", "homes.example", "--json").json["terms_reviewed_by"]
    assert larder("source", "set", "homes", "--public", "--json").json["state"] == "ready"
    assert larder("why", "homes", "--json").json["blocked_by"] == []
    (line,) = larder("source", "list", "--json").json
    assert (line["slug"], line["visibility"], line["state"]) == ("homes", "public", "ready")
    assert larder("source", "disable", "homes", "--json").json["blocked_by"][0]["gate"] == "disabled"
    assert larder("source", "enable", "homes", "--json").json["blocked_by"] == []
    run = larder("run", "start", "homes", "--no-wait", "--json").json
    assert (run["status"], run["trigger"], run["open_jobs"]) == ("running", "manual", 1)
    assert larder("run", "pause", "1", "--json").json["status"] == "paused"
    assert larder("run", "resume", "1", "--json").json["status"] == "running"
    assert larder("run", "stop", "1", "--json").json["status"] == "stopped"
    assert larder("run", "show", "1", "--json").json["run"]["error_code"] == "stopped"
    assert larder("status", "--json").json["sources"] == 1


def test_the_same_for_people(larder: Shell) -> None:
    added = larder("source", "add", URL, "--kind", "listing")
    assert added.code == 0
    assert "Added homes on homes.example." in added.out
    assert "larder site review homes.example" in added.out
    assert "larder source set homes --public" in added.out
    assert "held back: terms" in larder("source", "list").out
    assert "2 s apart, 1 at a time" in larder("site", "show", "homes.example").out
    assert "are not reviewed yet" in larder("why", "homes").out
    assert "Nothing was due." in larder("tick", "--budget", "1s").out


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("source", "list"), "larder source add"),
        (("site", "list"), "larder source add"),
        (("run", "list"), "larder run start"),
        (("records", "list"), "larder up"),
        (("status",), "larder source add"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_where_there_is_nothing_yet_it_says_what_to_do(
    larder: Shell, command: tuple[str, ...], says: str
) -> None:
    answered = larder(*command)
    assert (answered.code, answered.err) == (0, "")
    assert says in answered.out


@pytest.mark.parametrize("command", [("source", "list"), ("status",), ("tick",), ("up",), ("db", "upgrade")])
def test_without_a_larder_it_says_how_to_make_one(empty: Shell, command: tuple[str, ...]) -> None:
    answered = empty(*command)
    assert answered.code == 2
    assert answered.complaint == (
        "there is no Larder here: larder-data/larder.db does not exist",
        "make one: larder init",
    )
    assert not empty.data.exists()


def test_limits_of_a_site_are_set_and_given_back_to_its_preset(larder: Shell) -> None:
    def limits(*asked: str) -> tuple[float, int]:
        view = larder("site", "set", "homes.example", *asked, "--json").json
        return view["spacing"], view["at_once"]

    assert limits("--spacing", "7s", "--at-once", "3") == (7, 3)
    assert limits("--preset", "crawler") == (7, 3)
    assert limits("--reset", "--at-once", "4") == (1, 4)
    assert "nothing to set" in larder("site", "set", "homes.example").err


def test_l10_13_hosts_of_a_site_are_exempted_and_given_back(larder: Shell) -> None:
    def hosts(*asked: str) -> list[str]:
        found: list[str] = larder("site", "set", "homes.example", *asked, "--json").json["exempt_hosts"]
        return found

    asked = ("--exempt-host", "b.homes.example", "--exempt-host", "A.homes.example")
    assert hosts(*asked) == ["a.homes.example", "b.homes.example"]
    assert "a.homes.example" in larder("site", "show", "homes.example").out
    assert hosts("--reset") == []


def test_l10_13_items_of_a_page_that_is_not_stored(larder: Shell) -> None:
    assert "page 999 is not stored" in larder("run", "items", "999").err


def test_init_may_be_called_twice(larder: Shell) -> None:
    again = larder("init", "--json").json
    assert (again["new"], again["revision"]) == (False, larder("db", "status", "--json").json["revision"])


def test_a_catalogue_by_name_and_by_file(larder: Shell) -> None:
    shipped = larder("source", "import", "apartments-east-coast")
    assert "19 added, 0 changed, 0 unchanged" in shipped.out
    (larder.folder / "mine.yaml").write_text(
        "sources: [{slug: mine, kind: event, url: 'https://venue.example/'}]"
    )
    assert larder("source", "import", "mine.yaml", "--json").json["sources"][0]["change"] == "added"


def test_the_schema_goes_down_and_up(larder: Shell) -> None:
    refused = larder("db", "downgrade", "base")
    assert (refused.code, refused.complaint[0]) == (2, "a downgrade can lose data")
    assert larder("db", "downgrade", "base", "--yes", "--json").json["revision"] is None
    outdated = larder("source", "list")
    assert (outdated.code, outdated.complaint[1]) == (2, "upgrade it: larder db upgrade")
    assert larder("db", "upgrade", "--json").json["ready"] is True
    assert larder("source", "list").code == 0


@pytest.mark.parametrize(
    ("command", "error", "hint"),
    [
        (("sorce",), "there is no command 'sorce'", "did you mean: larder source"),
        (
            ("source", "lst"),
            "no such command 'lst'. Did you mean 'list', 'set'?",
            "see: larder source --help",
        ),
        (("source", "add"), "missing argument URL: the index page of the source", "larder source add URL"),
        (("source", "show"), "missing argument 'SOURCE'", "see: larder source show --help"),
        (
            ("run", "show", "x"),
            "invalid value for 'RUN': must be a whole number",
            "see: larder run show --help",
        ),
        (("tick", "--budget", "soon"), "'soon' is not a duration; write 25s, 2m or 1h", ""),
        (("tick", "--budget", "9999999999d"), "'9999999999d' is too long a duration", ""),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_use_is_two_lines_and_code_2(
    larder: Shell, command: tuple[str, ...], error: str, hint: str
) -> None:
    answered = larder(*command)
    assert answered.code == 2
    assert error in answered.complaint[0]
    assert hint in answered.complaint[1]


def test_version_and_help(empty: Shell) -> None:
    assert empty.process("--version").out.startswith("larder ")
    assert "source" in empty("--help").out
    assert empty("source").out == empty("source", "--help").out


@pytest.mark.parametrize(
    ("asked", "heavy"),
    [
        pytest.param(
            "exit_code(['--help'])",
            "sqlalchemy aiohttp pydantic alembic orjson turbohtml",
            id="the overview",
        ),
        pytest.param(
            "load_command('status')",
            "pydantic rich.text rich.console sqlalchemy.dialects.postgresql dotenv ada_url turbohtml yaml "
            "larder.store.search larder.core.policy.scheduling.cadence larder.adapters.registry larder.runs "
            "larder.stages larder.engine.commit larder.engine.parse_workers larder.engine.scheduling "
            "larder.actions.sources",
            id="status",
        ),
        pytest.param(
            "exit_code(['status'])",
            "pydantic rich.text rich.console sqlalchemy.dialects.postgresql dotenv ada_url "
            "larder.store.search larder.core.policy.scheduling.cadence",
            id="status of a Larder without sources",
        ),
        pytest.param(
            "[load_command(each) for each in 'source status records run quarantine dead alert key'.split()]",
            "aiohttp alembic sqlalchemy.orm larder.engine.worker.driver larder.stages.fetch "
            "larder.stages.parse larder.stages.normalize larder.adapters.registry",
            id="what only looks",
        ),
    ],
)
def test_nothing_heavy_is_loaded_for(larder: Shell, asked: str, heavy: str) -> None:
    script = (
        f"import sys\nfrom larder.cli import exit_code, load_command\n{asked}\n"
        f"loaded = {set(heavy.split())} & set(sys.modules)\nassert not loaded, loaded"
    )
    env = {name: value for name, value in os.environ.items() if not name.startswith("LARDER_")}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=larder.folder,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
