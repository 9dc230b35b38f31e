"""The loop that does the work: claimed jobs come in, fetched and processed pages go out to `commit`."""
