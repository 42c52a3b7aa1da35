"""Long work (jobs) in separate processes: a queue with progress, place, stop and limits.

queue.py        the queue: jobs, their status and place, in a store that all processes share (SQLite or Redis)
artifacts.py    what jobs have saved, kept for an hour: trained models
worker.py       a worker process: one job at a time, in a child process that can be stopped
supervisor.py   starts the worker processes, and restarts them when they are lost
"""
