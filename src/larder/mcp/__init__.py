"""The Model Context Protocol: questions about the dataset come in, answers go out; nothing is changed."""
