"""How long adverts stay: a Weibull distribution with a given mean, cut off at their expiry."""

from dataclasses import dataclass
from math import exp, gamma
from random import Random

_STEPS = 2_000
_HALVINGS = 60


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """Lifetimes in days."""

    scale: float
    shape: float = 1.0
    expiry: float | None = None

    @classmethod
    def of(cls, mean: float, shape: float = 1.0, expiry: float | None = None) -> "Lifetimes":
        """Lifetimes whose mean is `mean`, expiry included."""
        scale = mean / gamma(1 + 1 / shape)
        if expiry is None:
            return cls(scale, shape)
        if mean >= expiry:
            raise ValueError(f"a mean stay of {mean} days is not below the expiry of {expiry} days")
        low, high = scale, scale * 2
        while _capped_mean(high, shape, expiry) < mean:
            high *= 2
        for _ in range(_HALVINGS):
            scale = (low + high) / 2
            low, high = (scale, high) if _capped_mean(scale, shape, expiry) < mean else (low, scale)
        return cls(scale, shape, expiry)

    def rest(self, rng: Random, age: float = 0.0) -> float:
        """The remaining lifetime of an advert that is `age` days old."""
        if self.shape == 1.0:
            left = rng.expovariate(1 / self.scale)
        else:
            reached = (age / self.scale) ** self.shape + rng.expovariate(1)
            left = float(self.scale * reached ** (1 / self.shape)) - age
        return left if self.expiry is None else max(0.0, min(left, self.expiry - age))

    def age(self, rng: Random) -> float:
        """The age of one that is there now, on a site that has long been running."""
        if self.shape == 1.0 and self.expiry is None:
            return rng.expovariate(1 / self.scale)
        longest = self.expiry or self.scale * 50
        while True:
            age = rng.uniform(0, longest)
            if rng.random() <= exp(-((age / self.scale) ** self.shape)):
                return age


def _capped_mean(scale: float, shape: float, expiry: float) -> float:
    """The integral of the share that is still there, up to the expiry."""
    step = expiry / _STEPS
    return step * sum(exp(-(((each + 0.5) * step / scale) ** shape)) for each in range(_STEPS))
