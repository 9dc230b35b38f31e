"""Commands about the deployment itself: create, check, upgrade, back up and maintain it."""
