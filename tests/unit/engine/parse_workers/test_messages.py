"""Tasks for parse workers: a source is packed once for all of its pages."""

import pickle
from dataclasses import replace
from functools import partial

import pytest

from larder.adapters.listing.adapter import GenericListing
from larder.core.errors import Unusable
from larder.core.model.source import Kind, Source
from larder.engine.parse_workers import messages
from larder.engine.parse_workers.messages import dump_task, load_task

SOURCE = Source(
    id=1, slug="homes", name="Homes", kind=Kind.LISTING, site_id=1, adapter="listing", url="http://a.test/"
)


def sent_source(source: Source) -> Source:
    sent: Source = load_task(dump_task(partial(next, iter([source]))))()
    return sent


def test_a_task_comes_out_as_it_went_in() -> None:
    task = partial(max, (SOURCE,), key=str)
    assert load_task(dump_task(task))() == SOURCE
    assert load_task(dump_task(partial(getattr, GenericListing(), "id")))() == "listing"


def test_the_pages_of_a_source_share_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sent_source(SOURCE) is sent_source(SOURCE)
    monkeypatch.setattr(messages, "pickle", _no_dumps())
    assert messages._dump_source(SOURCE)


def test_sources_that_were_sent_long_ago_are_dropped() -> None:
    others = [replace(SOURCE, id=number) for number in range(2 * messages.MAX_SOURCES)]
    for each in others:
        assert sent_source(each) == each
    assert len(messages._DUMPED) <= messages.MAX_SOURCES


def test_an_adapter_whose_files_changed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = dump_task(partial(str, GenericListing()))
    monkeypatch.setattr(messages, "adapter_revision", lambda _: "another")
    with pytest.raises(Unusable, match="adapter 'listing' were changed"):
        load_task(sent)


class _no_dumps:  # noqa: N801 - stands for a module
    HIGHEST_PROTOCOL = pickle.HIGHEST_PROTOCOL

    @staticmethod
    def dumps(*_: object) -> bytes:
        raise AssertionError("packed again")
