"""`larder sim`: a policy and a simulated world come in; the scores are printed."""
