"""Long computations (jobs) in separate processes, with a queue, progress reports and limits.

queue.py        the queue: jobs and their status, in a store that all processes share (SQLite or Redis)
artifacts.py    results saved by jobs, such as trained models, kept for an hour
worker.py       a worker process: one job at a time, in a child process that can be stopped
supervisor.py   starts the worker processes and restarts them when they die
"""
