"""Joins the days of a page with the rows that they belong to."""
