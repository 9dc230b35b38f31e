"""Does a changed record match a watch?

A saved search matches each record once. A price drop is measured from the highest price since the watch last
matched (or since it was made); a target price matches each time the price comes down to it; stock matches
when a record that was sold out is in stock. A price whose stock is unknown proves and matches nothing.
"""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from larder.core.errors import BadInput
from larder.core.model.money import from_minor
from larder.core.model.record import Availability

MAX_PRICE = 10**12
_SOLD_OUT = frozenset({Availability.OUT_OF_STOCK, Availability.BACKORDER})


class WatchOn(StrEnum):
    """What a watch waits for."""

    NEW_MATCH = "new_match"
    PRICE_DROP = "price_drop"
    TARGET_PRICE = "target_price"
    BACK_IN_STOCK = "back_in_stock"
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchRule:
    """What a watch waits for, and how much of it."""

    on: WatchOn = WatchOn.NEW_MATCH
    falls_percent: float | None = None
    falls_by: Decimal | None = None
    target_price: Decimal | None = None


NEW_MATCH = WatchRule()
_NUMBERS = {
    WatchOn.PRICE_DROP: ("falls_percent", "falls_by"),
    WatchOn.TARGET_PRICE: ("target_price",),
}


def watch_rule(
    on: WatchOn | None = None,
    *,
    falls_percent: float | None = None,
    falls_by: Decimal | None = None,
    target_price: Decimal | None = None,
) -> WatchRule:
    """The rule that these say together; what is waited for follows from the number that is given."""
    numbers = {"falls_percent": falls_percent, "falls_by": falls_by, "target_price": target_price}
    given = [name for name, value in numbers.items() if value is not None]
    implied = (each for each, names in _NUMBERS.items() if set(names) & set(given))
    on = on or next(implied, WatchOn.NEW_MATCH)
    needs = _NUMBERS.get(on, ())
    if len(given) != bool(needs) or not set(given) <= set(needs):
        text = ", ".join(given) or "nothing"
        hint = f"give either {' or '.join(needs)}" if needs else f"leave out {text}"
        raise BadInput(f"a watch on {on} does not go with {text}", hint=hint)
    if falls_percent is not None and not 0 < falls_percent < 100:
        raise BadInput(f"falls_percent is {falls_percent}", hint="set it to more than 0 and less than 100")
    for name, amount in (("falls_by", falls_by), ("target_price", target_price)):
        if amount is not None and not 0 < amount <= MAX_PRICE:
            raise BadInput(f"{name} is {amount}", hint=f"set it to more than 0 and at most {MAX_PRICE}")
    return WatchRule(on=on, falls_percent=falls_percent, falls_by=falls_by, target_price=target_price)


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedState:
    """What a watch compares: as it knew a record, or as the record is."""

    price: int | None = None
    currency: str | None = None
    availability: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchDecision:
    """Whether to notify, and the reference price and stock from now on."""

    notify: bool
    price: int | None
    availability: str | None = None


def watch_decision(rule: WatchRule, state: WatchedState | None, now: WatchedState) -> WatchDecision:
    """For a record that matches a watch: `state` is what the watch knew of it, None if it is new to it."""
    stock = now.availability
    if rule.on is WatchOn.NEW_MATCH:
        return WatchDecision(notify=state is None, price=now.price, availability=stock)
    if rule.on is WatchOn.PRICE_DROP:
        notify, price = _drop(rule, state.price if state else None, now)
        return WatchDecision(notify=notify, price=price, availability=stock)
    if rule.on is WatchOn.TARGET_PRICE:
        notify = _reached(rule, now.price, now) and not (state and _reached(rule, state.price, now))
        price = now.price if now.price is not None or state is None else state.price
        return WatchDecision(notify=notify, price=price, availability=stock)
    in_stock_again = state is not None and state.availability in _SOLD_OUT and stock == Availability.IN_STOCK
    notify = in_stock_again and rule.on is WatchOn.BACK_IN_STOCK
    return WatchDecision(notify=notify, price=now.price, availability=stock)


def _drop(rule: WatchRule, reference: int | None, now: WatchedState) -> tuple[bool, int | None]:
    if reference is None or now.price is None:
        return False, now.price if reference is None else reference
    if rule.falls_percent is not None:
        fell = now.price * 100 <= reference * (100 - rule.falls_percent)
    else:
        fell = from_minor(reference - now.price, now.currency) >= (rule.falls_by or 0)
    return fell, now.price if fell else max(reference, now.price)


def _reached(rule: WatchRule, price: int | None, now: WatchedState) -> bool:
    return (
        price is not None
        and rule.target_price is not None
        and from_minor(price, now.currency) <= rule.target_price
    )
