"""The mathematics of the course, as a learner should read it. Torch only: no drawing, no page."""
