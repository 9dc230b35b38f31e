"""Running work: requests about runs, errors, alerts, dead letters and proxies come in; views go out."""
