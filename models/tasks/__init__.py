"""Every data set of the course, generated here by our own grammars: the same for the same seed, on every machine."""
