"""What commands share: opening a deployment, query options, durations, output."""
