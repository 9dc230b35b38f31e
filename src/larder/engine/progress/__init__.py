"""Outcomes of jobs come in; their runs' next steps and new jobs go out."""
