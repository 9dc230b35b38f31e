"""Commands about the deployment: options come in; it is created, checked, upgraded, backed up, maintained."""
