"""What the experiments compute, one module each. Every number comes out of models/; nothing here draws."""
