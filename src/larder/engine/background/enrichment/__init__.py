"""Enrichment: what rules could not read waits in the database, is asked in batches and becomes records."""
