"""What the experiments of this lesson compute: step by step, candidates, words forced, the measured curve, surgery, gradients."""
