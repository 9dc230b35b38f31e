"""Who may use the deployment: keys, browser sessions and secrets are stored and found here."""
