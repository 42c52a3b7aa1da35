"""For all tests: one thread, since they run side by side; and properties that try the same examples every time."""

import torch
from hypothesis import settings

torch.set_num_threads(1)
settings.register_profile("same every time", deadline=None, derandomize=True)
settings.load_profile("same every time")
