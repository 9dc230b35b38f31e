"""`larder up` and `larder tick`: settings come in; due work is done, and reports are printed."""
