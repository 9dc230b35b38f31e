"""Named URLs: added one by one or by file, paused, run, removed."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from larder.actions.sources import targets
from larder.actions.sources.targets import TargetSpec, csv_import
from larder.actions.sources.targets.csv_import import BadRow
from larder.core.errors import BadInput, Conflict
from larder.core.model.hint import Hint
from larder.core.policy.scheduling.targets import TargetStatus
from larder.store.queue import targets as store
from larder.store.reads.operators import targets as reads
from larder.store.tables import sources
from larder.store.tables import targets as table
from tests.unit.actions.conftest import Office

DAY = timedelta(days=1)
URL = "https://homes.example/flat/1"


@pytest.fixture
def watch(office: Office) -> Office:
    office.add(slug="shop", plan="monitor")
    office.tick()
    return office


def test_a_new_target_is_due_at_once_then_daily(watch: Office) -> None:
    view = watch.act(targets.add, "shop", TargetSpec(url=URL))
    assert (view.next_due_at, view.interval, view.priority) == (watch.now, DAY, 0)
    assert (view.status, view.enabled) == ("active", True)


def test_the_same_page_under_another_address_is_the_same_target(watch: Office) -> None:
    first = watch.act(targets.add, "shop", TargetSpec(url=URL))
    again = watch.act(targets.add, "shop", TargetSpec(url=f"{URL}/?utm_source=x", priority=5))
    assert (again.id, again.priority, again.url) == (first.id, 5, URL)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        pytest.param(TargetSpec(url="nowhere"), "nowhere", id="not a URL"),
        pytest.param(TargetSpec(url="https://other.example/1"), "not on homes.example", id="another site"),
        pytest.param(TargetSpec(url=URL, interval=timedelta(seconds=5)), "too short", id="too often"),
        pytest.param(TargetSpec(url=URL, cron="every day"), "cron", id="not a cron expression"),
        pytest.param(TargetSpec(url=URL, cron="0 6 * * *", interval=DAY), "not both", id="two schedules"),
    ],
)
def test_what_cannot_be_watched_is_refused(watch: Office, spec: TargetSpec, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        watch.act(targets.add, "shop", spec)
    assert watch.ask(targets.list_targets) == []


@pytest.mark.parametrize("plan", ["index", "market", "agenda"])
def test_a_source_that_watches_no_pages_takes_no_targets(office: Office, plan: str) -> None:
    office.add(slug="shop", plan=plan)
    for add, asked in ((targets.add, TargetSpec(url=URL)), (csv_import.import_csv, f"url\n{URL}\n")):
        with pytest.raises(BadInput, match=f"shop has the plan {plan}") as refused:
            office.act(add, "shop", asked)
        assert "plan monitor" in refused.value.hint.text
    assert office.ask(targets.list_targets) == []


def test_targets_of_a_source_that_took_another_plan_are_neither_run_nor_resumed(watch: Office) -> None:
    target = watch.act(targets.add, "shop", TargetSpec(url=URL)).id
    watch.ask(lambda conn: conn.execute(update(sources).values(plan="index")))
    assert watch.ask(targets.show, target).state == "off"
    for deed in (targets.run_now, targets.resume):
        with pytest.raises(BadInput, match="shop has the plan index"):
            watch.act(deed, target)


def test_what_is_not_looked_at_cannot_be_due_until_it_is_resumed(watch: Office) -> None:
    paused = watch.act(targets.add, "shop", TargetSpec(url=URL)).id
    off = watch.act(targets.add, "shop", TargetSpec(url=f"{URL}0", enabled=False)).id
    watch.act(targets.pause, paused)
    for target, state in ((paused, "paused"), (off, "off")):
        with pytest.raises(Conflict, match=f"target {target} is {state}") as refused:
            watch.act(targets.run_now, target)
        assert refused.value.hint == Hint(text="resume it", action="target.resume", target=str(target))
        assert not watch.ask(targets.show, target).watched
        assert watch.act(targets.resume, target).state == "active"
    assert {row.id for row in watch.ask(store.claim_due, 1, now=watch.now, limit=9)} == {paused, off}


def test_pause_resume_run_and_remove_leave_their_line_in_the_audit(watch: Office) -> None:
    target = watch.act(targets.add, "shop", TargetSpec(url=URL)).id
    assert watch.act(targets.pause, target).status == "paused"
    watch.later(hours=1)
    resumed = watch.act(targets.resume, target)
    assert (resumed.status, resumed.next_due_at) == ("active", watch.now)
    watch.later(hours=1)
    assert watch.act(targets.run_now, target).next_due_at == watch.now
    watch.act(targets.remove, target)
    assert watch.ask(targets.list_targets) == []
    said = ["target added", "target paused", "target resumed", "target requeued", "target removed"]
    assert [action for action, _, _ in watch.audited()][-5:] == said


def test_l10_13_a_page_is_blocked_and_unblocked_by_hand(watch: Office) -> None:
    target = watch.act(targets.add, "shop", TargetSpec(url=URL)).id
    view = watch.act(targets.block, target)
    assert (view.state, view.watched, bool(view.blocked_by)) == ("blocked", False, True)
    with pytest.raises(Conflict, match="is blocked by"):
        watch.act(targets.add, "shop", TargetSpec(url=URL))
    with pytest.raises(Conflict, match="is blocked by"):
        watch.act(targets.remove, target)
    assert watch.act(targets.unblock, target).state == "active"
    watch.ask(reads.update_target, target, {"blocked": 1}, now=watch.now)
    with pytest.raises(Conflict, match="was erased on request"):
        watch.act(targets.unblock, target)


def test_an_interval_takes_the_place_of_a_calendar(watch: Office) -> None:
    target = watch.act(targets.add, "shop", TargetSpec(url=URL, cron="0 6 * * *")).id
    view = watch.act(targets.edit, target, {"interval": timedelta(hours=6)})
    assert (view.cron, view.interval) == (None, timedelta(hours=6))


def test_a_target_that_is_not_there(watch: Office) -> None:
    with pytest.raises(BadInput, match="no target 7"):
        watch.act(targets.pause, 7)


CSV = """url,interval,priority,notes
https://homes.example/flat/1,6h,3,the red one
nonsense,6h,3,
https://homes.example/flat/2,soon,,
https://homes.example/flat/3,,high,
https://homes.example/flat/1,12h,,
https://elsewhere.example/1,,,
https://homes.example/flat/4,,,
"""


def test_an_import_takes_the_good_lines_and_names_the_bad_ones(watch: Office) -> None:
    done = watch.act(csv_import.import_csv, "shop", CSV)
    assert (done.added, done.changed) == (2, 1)
    assert [bad.line for bad in done.bad] == [3, 4, 5, 7]
    assert done.bad[1] == BadRow(line=4, says="'soon' is not a duration")
    one, two = watch.ask(targets.list_targets)
    assert (one.interval, one.priority, one.notes) == (timedelta(hours=12), 3, "the red one")
    assert two.url.endswith("/4")


@pytest.mark.parametrize(
    ("header", "says"),
    [("link,notes", "no column `url`"), ("notes", "no column `url`"), ("", "no column `url`")],
)
def test_a_file_that_is_something_else_is_refused_whole(watch: Office, header: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        watch.act(csv_import.import_csv, "shop", f"{header}\nhttps://homes.example/flat/1\n")


def test_l10_17_columns_of_ones_own_become_notes_and_other_countries_separate_otherwise(
    watch: Office,
) -> None:
    text = f"\ufeffURL;Notes;Farbe;Größe\r\n{URL};schön;rot;\r\n"
    assert watch.act(csv_import.import_csv, "shop", text).added == 1
    (view,) = watch.ask(targets.list_targets)
    assert (view.url, view.notes) == (URL, "schön; farbe: rot")


def test_l10_17_pages_of_other_shops_go_to_their_sources_which_are_added_where_asked(watch: Office) -> None:
    text = f"url\n{URL}\nhttps://elsewhere.example/a\nhttps://elsewhere.example/b\nhttps://third.example/c\n"
    sites = watch.ask(csv_import.unknown_sites, "shop", text)
    assert sites == ["elsewhere.example", "third.example"]
    refused = watch.act(csv_import.import_csv, "shop", text)
    assert (refused.added, len(refused.bad)) == (1, 3)
    done = watch.act(csv_import.import_csv, "shop", text, add_sources=watch.how)
    assert (done.added, done.changed, done.unchanged, done.bad) == (3, 0, 1, ())
    found = {view.url: view.source for view in watch.ask(targets.list_targets)}
    assert found["https://elsewhere.example/b"] == "elsewhere"
    assert watch.ask(targets.monitor_of, "https://third.example/x") == "third"
    again = watch.act(csv_import.import_csv, "shop", text)
    assert (again.added, again.changed, again.unchanged) == (0, 0, 4)


def test_l10_17_a_file_that_is_imported_again_changes_nothing(watch: Office) -> None:
    text = f"url,interval,priority,notes,enabled\n{URL},6h,3,red,no\n{URL}0,,,,\n"
    assert watch.act(csv_import.import_csv, "shop", text).added == 2
    before = watch.ask(targets.list_targets)
    again = watch.act(csv_import.import_csv, "shop", text)
    assert (again.added, again.changed, again.unchanged) == (0, 0, 2)
    assert watch.ask(targets.list_targets) == before
    other = watch.act(csv_import.import_csv, "shop", text.replace("red", "blue"))
    assert (other.changed, other.unchanged) == (1, 1)


def test_l10_17_numbers_words_and_durations_of_other_countries_are_read(watch: Office) -> None:
    rows = ["1,5 Std;3,0;ja", "2 Tage;7;FALSCH", "1 jour;;vrai", "90 Minuten;-2,00;", "12 uur;;nee"]
    lines = "".join(f"{URL}{n};{row}\r\n" for n, row in enumerate(rows))
    done = watch.act(csv_import.import_csv, "shop", f"sep=;\r\nurl;interval;priority;enabled\r\n{lines}")
    assert (done.added, done.bad) == (5, ())
    found = [(view.interval, view.priority, view.enabled) for view in watch.ask(targets.list_targets)]
    assert found == [
        (timedelta(minutes=90), 3, True),
        (2 * DAY, 7, False),
        (DAY, 0, True),
        (timedelta(minutes=90), -2, True),
        (DAY / 2, 0, False),
    ]


def test_l10_17_what_is_neither_yes_nor_no_is_reported_with_its_line(watch: Office) -> None:
    text = f"sep=;\nurl;priority;enabled\n{URL};2,5;\n{URL};;perhaps\n"
    done = watch.act(csv_import.import_csv, "shop", text)
    assert done.bad == (
        BadRow(line=3, says="priority '2,5' is not a whole number"),
        BadRow(line=4, says="enabled 'perhaps' is neither yes nor no"),
    )


def test_l10_17_an_address_of_an_unknown_shop_says_what_to_do(watch: Office) -> None:
    with pytest.raises(BadInput, match=r"no source checks single pages of nowhere\.example"):
        watch.ask(targets.monitor_of, "https://nowhere.example/1")


def test_a_line_without_end_is_refused_with_its_file(watch: Office) -> None:
    endless = f"url,notes\nhttps://homes.example/flat/1,\nhttps://homes.example/flat/2,{'x' * 200_000}\n"
    with pytest.raises(BadInput, match="after line 2: field larger"):
        watch.act(csv_import.import_csv, "shop", endless)


def test_a_scale_on_which_one_is_highest_is_turned_round(watch: Office) -> None:
    watch.act(csv_import.import_csv, "shop", f"url,priority\n{URL},1\n{URL}0,10\n", ten_scale=True)
    assert [view.priority for view in watch.ask(targets.list_targets)] == [9, 0]


def test_due_targets_come_by_priority_then_by_time_and_only_once(watch: Office) -> None:
    for number, priority in ((1, 0), (2, 7), (3, 7), (4, 3)):
        watch.act(targets.add, "shop", TargetSpec(url=f"{URL}{number}", priority=priority))
    paused = watch.act(targets.add, "shop", TargetSpec(url=f"{URL}5", priority=9)).id
    watch.act(targets.pause, paused)
    sooner = update(table).where(table.c.id == 3).values(next_due_at=watch.now - DAY)
    watch.ask(lambda conn: conn.execute(sooner))
    watch.later(minutes=1)

    def taken(most: int) -> list[int]:
        return [row.id for row in watch.ask(store.claim_due, 1, now=watch.now, limit=most)]

    assert taken(3) == [3, 2, 4]
    assert taken(3) == [1]
    assert taken(3) == []


def test_targets_can_be_listed_by_status(watch: Office) -> None:
    first = watch.act(targets.add, "shop", TargetSpec(url=URL)).id
    watch.act(targets.add, "shop", TargetSpec(url=f"{URL}2"))
    watch.act(targets.pause, first)
    assert [view.id for view in watch.ask(targets.list_targets, status=TargetStatus.PAUSED)] == [first]
