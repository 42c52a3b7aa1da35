"""What the experiments compute: hand (cell, memory), stories (read, edit, gates), reach (gradient), jobs (roles).

Every number comes out of models/; nothing here draws.
"""
