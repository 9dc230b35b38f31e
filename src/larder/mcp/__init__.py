"""The Model Context Protocol: assistants ask questions about the dataset; nothing can be changed."""
