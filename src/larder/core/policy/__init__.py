"""The rules of Larder, one decision a module.

Values in, decisions out: a policy reads no clock, draws no random number and stores nothing. The caller
passes `now` and randomness, so the simulator and the product run the same code. Every number is a named
constant; where a source may differ, the constants are the defaults of a `…Rules` value.
"""
