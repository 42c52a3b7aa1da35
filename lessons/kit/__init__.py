"""What lessons are made of: the contract, the link, pictures, and the shell that makes pages of them. Knows no lesson."""
