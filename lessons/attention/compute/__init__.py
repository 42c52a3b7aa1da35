"""What the experiments compute, one module each; `wirings` names the models.

Every number comes out of models/; nothing here draws.
"""
