"""Long work, in processes of its own: a line that any web worker can ask, with progress, place, stop and fairness.

line.py     the line: orders, progress, place; in a store that all processes share (SQLite, or Redis)
shelf.py    what was made, kept for a while
labour.py   what a work process does: an order at a time, in a child that can be stopped or lost
"""
