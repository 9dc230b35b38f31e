"""Index rows: finds the blocks of a page that are its rows, each with its link, title and price."""
