"""A property that is computed once."""

from larder.core.cached_property import cached_property


class Page:
    """Counts how often its text is computed."""

    def __init__(self) -> None:
        self.computed = 0

    @cached_property
    def text(self) -> str:
        """What it says."""
        self.computed += 1
        return "text"


def test_it_is_computed_when_first_asked_for_and_then_kept() -> None:
    page = Page()
    assert vars(page) == {"computed": 0}
    assert (page.text, page.text, page.computed) == ("text", "text", 1)
