"""Processed pages come in; records, evidence, job states and the runs' progress go out in one transaction."""
