"""JSON documents arrive whole."""

import io
import json
import sys
from types import SimpleNamespace

import pytest

from larder.cli.common.output import print_fields, print_json


class ShortWrites(io.RawIOBase):
    """Takes a part of what it is given, as a pipe does when a signal interrupts an unbuffered write."""

    def __init__(self) -> None:
        self.taken = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        part = bytes(memoryview(data)[:1_000])  # type: ignore[arg-type]
        self.taken += part
        return len(part)


def test_a_document_is_written_whole_where_standard_output_takes_a_part_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pipe, value = ShortWrites(), [{"title": f"record {number}"} for number in range(1_000)]
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=pipe))
    print_json(value)
    assert json.loads(pipe.taken) == value


def test_a_nested_value_is_shown_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    print_fields([("image", {"url": "/1.png", "main": True}), ("tags", ["new", {"sale": None}])])
    out = capsys.readouterr().out
    assert '{"url": "/1.png", "main": true}' in out
    assert 'new, {"sale": null}' in out
