"""What operators look at: runs, pages, checks, targets and sites come out as typed rows."""
