"""The rules of Larder, one judge a module.

Values in, decisions out: a policy never reads a clock, draws a number or stores anything. Whoever asks
brings `now` and chance along, so the simulator and the product obey the very same code. Every number is a
named constant of its module; where a source may differ, the constants are the defaults of a `…Rules` value.
"""
