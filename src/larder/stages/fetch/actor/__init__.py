"""Hosted actors instead of pages: a call comes in; the items of its dataset go out."""
