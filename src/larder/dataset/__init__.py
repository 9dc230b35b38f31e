"""`larder.open`: the dataset in programs and notebooks, from a data folder or from the API of a deployment.

Read-only. Both give the same values: JSON as in the API's answers.
"""

from larder.dataset.opened import Dataset, open  # noqa: A004 - it is called larder.open

__all__ = ["Dataset", "open"]
