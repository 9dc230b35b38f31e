"""The titles of agenda rows: in go rows, out comes for each the text that names its event."""
