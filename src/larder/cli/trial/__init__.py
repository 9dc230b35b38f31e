"""`larder try`: a URL or a file comes in; what each strategy reads from it is printed."""
