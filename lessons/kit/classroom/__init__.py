"""The classroom: a lecturer leads a room and asks questions.

This package has the rules and a store; the routes are in web/classroom.py.
"""
