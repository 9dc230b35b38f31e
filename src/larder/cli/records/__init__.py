"""`larder records`: filters and corrections come in; records and their history are printed."""
