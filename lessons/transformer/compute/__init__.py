"""What the experiments compute: sentence (the model and its words), then one module for each experiment.

Every number comes out of models/; nothing here draws.
"""
