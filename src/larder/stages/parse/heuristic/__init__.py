"""How pages look to a reader: in comes a page, out go its parts and values. One module a question."""
