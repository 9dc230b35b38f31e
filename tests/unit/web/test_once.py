"""What is shown once is not there a second time."""

from larder.web.once import MOST, Once


def test_a_second_look_finds_nothing() -> None:
    once = Once[str]()
    ticket = once.put("a key")
    assert (once.take("another"), once.take(ticket), once.take(ticket)) == (None, "a key", None)


def test_what_nobody_looks_at_makes_room() -> None:
    once = Once[int]()
    tickets = [once.put(number) for number in range(MOST + 1)]
    assert [once.take(each) for each in tickets] == [None, *range(1, MOST + 1)]
