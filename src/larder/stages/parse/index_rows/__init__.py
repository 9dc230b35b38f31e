"""Index rows: a page comes in; the blocks that are its rows go out, each with its link, title and price."""
