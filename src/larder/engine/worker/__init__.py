"""Claimed jobs come in; fetched and processed pages go out to `commit`."""
