"""What the experiments compute, one module each; `sentences` is what they share.

Every number comes out of models/; nothing here draws.
"""
