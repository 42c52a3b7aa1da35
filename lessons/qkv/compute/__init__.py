"""What the experiments compute: layer (advice, matrices), general (layer), swoop, cross, sets (order, mask), dynamic,
heads (heads, parameters), bank, blank, cost, between.

Every number comes out of models/; nothing here draws.
"""
