"""One thread: the sentences are small, and the tests themselves run side by side."""

import torch

torch.set_num_threads(1)
