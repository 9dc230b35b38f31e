"""Sources, schedules, runs and jobs are written here; claimed jobs and their outcomes are read."""
