"""Windows of checks come in; verdicts on records and coverage certificates go out."""
