"""Windows of checks come in; results for records and coverage certificates go out."""
