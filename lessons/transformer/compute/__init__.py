"""What the experiments compute: sentence (the model and what can be picked in it), then one module for each experiment.

Every number comes out of models/; nothing here draws.
"""
