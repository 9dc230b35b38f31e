"""Runs are opened when due; their pages are fetched, processed and committed, one transaction per step."""
