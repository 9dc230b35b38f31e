"""Records: queries, exports, corrections, links and watches come in; views of records go out."""
