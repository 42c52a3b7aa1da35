"""What lessons are made of: contract, links, pictures, web application, jobs and classroom.

It imports no lesson.
"""

VERSION = "0.3.0"
