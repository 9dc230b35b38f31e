"""State of the deployment: alerts, keys, secrets, limits and adapter health are written and read here."""
