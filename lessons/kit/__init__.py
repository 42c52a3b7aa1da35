"""The framework for lessons: contract, links, pictures, web application, jobs and classroom.

This package does not import any lesson.
"""

VERSION = "0.3.0"
