"""What the experiments compute: the scores of models.attention, with weights a learner sets or a model has learned."""
