"""What operators do with running work: runs, errors, alerts, dead letters, checks, proxies."""
