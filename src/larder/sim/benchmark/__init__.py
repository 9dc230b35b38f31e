"""Scores how correct a policy keeps a dataset, and at what cost.

A policy, days and a seed come in; a score goes out.

The sites follow from the seed alone; requests change nothing about them. The engine, the runs and the store
are those of production, in virtual time.
"""
