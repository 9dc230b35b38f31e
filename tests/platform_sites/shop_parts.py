"""What shops share: their goods, the head and the foot of their pages."""

from typing import Any

from larder.core.model.source import Kind
from tests.platform_sites.shape import Shape, Thing, amounts, pick

_THINGS = ("Kettle", "Teapot", "Lamp", "Stool", "Basket", "Blanket", "Mug", "Vase", "Clock", "Mirror")
_KINDS = ("Oak", "Walnut", "Copper", "Linen", "Stone", "Glass", "Enamel", "Wool", "Steel")
_NAMES = ("Alma", "Birk", "Cora", "Dune", "Elm", "Fjord", "Gale")


def goods(seed: str, count: int) -> list[Thing]:
    """So many things to sell; some of them are out of stock."""
    titles = pick(seed, count, _NAMES, _KINDS, _THINGS)
    prices = amounts(seed, count, 8, 240, 5)
    return [
        Thing(number=n + 1, title=title, price=price, in_stock=n % 6 != 4)
        for n, (title, price) in enumerate(zip(titles, prices, strict=True))
    ]


def header(basket: str, total: str) -> str:
    """Navigation and a basket with an amount that is no price."""
    return (
        f'<header><a href="/">Home</a><nav><ul><li><a href="/about/">About</a></li><li><a href="/delivery/">'
        f'Delivery</a></li></ul></nav><a class="cart-contents" href="/cart/">{basket} {total}</a></header>'
    )


FOOTER = '<footer><a href="/imprint/">Imprint</a> <a href="/privacy/">Privacy</a> © Example</footer>'


def shop(name: str, currency: str, language: str, count: int, **more: Any) -> Shape:
    """A shop with goods of its own."""
    return Shape(
        name=name, kind=Kind.PRODUCT, currency=currency, language=language, things=goods(name, count), **more
    )
