import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in app.py, before numpy is imported
