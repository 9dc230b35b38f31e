"""What moves: dispatch opens runs, lanes are driven, jobs travel; each step is settled in one transaction."""
