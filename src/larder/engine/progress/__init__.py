"""What a finished job means for its run: outcomes come in, the run's next step and its new jobs go out."""
