"""Amazon's shops in many countries."""
