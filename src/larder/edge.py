"""What holds at the edge, for the API and the pages alike: which numbers and texts may come in at all.

An address with a number that no row can have leads nowhere, so it is not even routed; a text that a database
cannot hold is refused before anybody asks one. Neither face has rules of its own for this.
"""

from starlette.convertors import Convertor, register_url_convertor

DIGITS = 18
"""No row's number has more: they last for longer than any database does, and fit into 64 bits."""
MOST_ID = 10**DIGITS - 1


class RowNumber(Convertor[int]):
    """The number of a row in a path, written `{run_id:row}`."""

    regex = f"[1-9][0-9]{{0,{DIGITS - 1}}}"

    def convert(self, value: str) -> int:
        """As it is asked for."""
        return int(value)

    def to_string(self, value: int) -> str:
        """As it is written."""
        return str(value)


register_url_convertor("row", RowNumber())
