"""Days that head lists, columns or stages: takes days that stand alone, returns the entries below them."""
