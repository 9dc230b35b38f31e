"""Rules about evidence: readings and checks come in; verdicts on sources, adapters and records go out."""
