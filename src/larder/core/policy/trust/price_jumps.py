"""Is a new price the old one with its decimal point in another place?

A price that is 10, 100 or 1,000 times the last one, or that part of it, is more often a misread number
("1.299" for 1,299) than a change. It counts once a second reading shows it, or a person confirms it.
"""

FACTORS = (10, 100, 1_000)


def is_decimal_slip(before: int, after: int) -> bool:
    """Whether two prices, in minor units, differ only in where the decimal point is, up to rounding."""
    low, high = sorted((before, after))
    return low > 0 and any(2 * abs(low * factor - high) <= factor for factor in FACTORS)
