"""Days that head lists, columns or stages: in go days that stand alone, out come the entries below them."""
