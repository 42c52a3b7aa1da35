"""The models of the course: plain PyTorch that learners read, without drawing or web code."""
