"""`functools.cached_property` without the lock that it has before Python 3.12: a page asks for dozens."""

import functools
import sys
from typing import TYPE_CHECKING, Any

__all__ = ["cached_property"]

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801 - as the one that it stands for
        """A property that is computed on first access; concurrent first accesses may each compute it."""

        def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
            """Compute the value and store it in place of the attribute."""
            if instance is None:
                return self
            value = instance.__dict__[self.attrname] = self.func(instance)
            return value
