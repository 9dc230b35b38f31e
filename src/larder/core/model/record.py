"""A record is one row of the dataset."""

from enum import StrEnum


class Verification(StrEnum):
    """What checking a record has shown so far (nothing yet: null)."""

    PENDING = "pending"
    VERIFIED = "verified"
    LAPSED = "lapsed"
    UNSEEN = "unseen"
    """Missing twice from the index page that shows its neighbours; hidden until it is seen again."""
    GONE = "gone"


class Availability(StrEnum):
    """Whether a product is available; only ever from an explicit signal."""

    IN_STOCK = "in_stock"
    OUT_OF_STOCK = "out_of_stock"
    BACKORDER = "backorder"
    UNKNOWN = "unknown"


SOURCE_NAME = "source"
"""`venue_from` of an event whose page names no venue: the venue is the name of its source."""


class Observed(StrEnum):
    """The facts about a record whose history is kept."""

    PRICE = "price"
    AVAILABILITY = "availability"
    SELLER = "seller"
