"""A batch of processed pages comes in.

Records, evidence, job states and the runs' progress go out in one transaction.
"""
