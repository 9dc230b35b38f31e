"""What is to be done: sources, schedules, runs and jobs come in; claimed work and its outcome go out."""
