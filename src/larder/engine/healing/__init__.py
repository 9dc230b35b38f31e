"""A finished run's pages and declared selectors come in; suggested, applied or withdrawn repairs go out."""
