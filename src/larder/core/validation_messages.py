"""Puts pydantic's messages about invalid values into words for people: `must be at least 1`."""

_BEGINNINGS = {
    "Value error, ": "",
    "Input should be a valid integer": "must be a whole number",
    "Input should be a valid number": "must be a number",
    "Input should be a valid boolean": "must be true or false",
    "Input should be a valid string": "must be text",
    "Input should be a valid list": "must be a list",
    "Input should be a valid dictionary": "must be a mapping",
    "Input should be a valid datetime": "must be a date and time such as 2026-05-01T18:00:00+02:00",
    "Input should be greater than or equal to": "must be at least",
    "Input should be less than or equal to": "must be at most",
    "Input should be greater than": "must be more than",
    "Input should have timezone info": "needs a time zone, such as 2026-05-01T18:00:00+02:00",
    "Input should": "must",
    "String should": "must",
    "List should": "must",
    "Value should": "must",
    "Field required": "is missing",
    "Extra inputs are not permitted": "there is no such field",
}
_WITHOUT_REST = ("must be a ", "must be true", "must be text", "needs ")


def validation_message(message: str) -> str:
    """The message without the library's own words; others as they are."""
    for beginning, words in _BEGINNINGS.items():
        if message.startswith(beginning):
            return words if words.startswith(_WITHOUT_REST) else words + message[len(beginning) :]
    return message
