"""Getting pages: polite, guarded, and without an exception that leaves."""
