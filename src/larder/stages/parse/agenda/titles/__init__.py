"""Finds the titles of agenda rows: takes rows, returns for each the text that names its event."""
