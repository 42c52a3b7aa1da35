"""The classroom: a lecturer leads a room and asks questions.

Rules and a store; the routes are in web/classroom.py.
"""
