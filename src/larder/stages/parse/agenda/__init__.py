"""Events as a visible page shows them: their days, rows, titles, times and status.

In comes an extraction task, out go items with the page's own words for when; normalize reads those.
"""
