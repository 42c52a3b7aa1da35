"""The program of the export process: it reads calls from stdin, runs them, and writes the results to stdout.

lessons/kit/web/export_process.py starts it with the module search path as arguments. Calls and results are
pickled. The program ends when stdin is closed.
"""

import os
import pickle
import signal
import sys
from importlib.machinery import ModuleSpec, PathFinder
from typing import Any

EMPTY_PACKAGES = ("lessons", "models")


class EmptyPackages:
    """Imports packages of the course without their `__init__`, which would import all lessons and torch."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        found = PathFinder.find_spec(name, path) if name.partition(".")[0] in EMPTY_PACKAGES else None
        if found is None or found.submodule_search_locations is None:
            return None
        package = ModuleSpec(name, None, is_package=True)
        package.submodule_search_locations = found.submodule_search_locations
        return package


def run(call: bytes) -> Any:
    """Run a pickled call. Returns its result, or the exception that it raised."""
    try:
        function, args, kwargs = pickle.loads(call)
        return function(*args, **kwargs)
    except Exception as error:
        return error


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches this process too, but the parent ends it
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # send what a library prints to stderr
    sys.path[:] = sys.argv[1:]  # not this folder: its numbers.py would hide that of the standard library
    sys.meta_path.insert(0, EmptyPackages)
    while True:
        try:
            call = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(run(call), results)
        results.flush()


if __name__ == "__main__":
    main()
