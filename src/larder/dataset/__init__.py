"""`larder.open`: the dataset in programs and notebooks, from a data folder or from the API of a deployment.

Reads only. Both ways give the same values: JSON as the API answers it.
"""

from larder.dataset.opened import Dataset, open  # noqa: A004 - it is called larder.open

__all__ = ["Dataset", "open"]
