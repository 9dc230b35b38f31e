"""Comparing two readings of stored pages."""

from typing import Any

import pytest

from larder.engine.quality.comparison import shortened_sample


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (None, None),
        (12, 12),
        ("x" * 200, "x" * 200),
        ("x" * 201, "x" * 199 + "…"),
        (["x" * 300], '["' + "x" * 197 + "…"),
    ],
)
def test_samples_are_short(value: Any, kept: Any) -> None:
    assert shortened_sample(value) == kept
