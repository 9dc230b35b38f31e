"""What people are told: alerts, watches and the outbox that delivers them are written and read here."""
