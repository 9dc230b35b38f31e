"""Enrichment: items that rules could not read come in; the language model's answers go out as records."""
