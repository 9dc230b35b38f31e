"""Counts with their nouns, in messages for people: 1 page, 2 pages."""


def plural(many: int, one: str, several: str = "") -> str:
    """A count with its noun: 1 room, 2 rooms, 1,000 rooms."""
    return f"{many:,} {noun(many, one, several)}"


def noun(many: float, one: str, several: str = "") -> str:
    """The singular or plural noun for a count."""
    return one if many == 1 else several or f"{one}s"
