"""Seq2See. `python app.py` serves the course; every lesson is a page, derived from data by lessons.kit.shell."""

import argparse
import sys

import torch

from lessons import LESSONS, start
from lessons.kit.shell.site import Site


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve the course.")
    parser.add_argument("--host", help="address to listen on (default: GRADIO_SERVER_NAME, or this machine only)")
    parser.add_argument("--port", type=int, help="port (default: GRADIO_SERVER_PORT, or the first free one from 7860)")
    parser.add_argument("--device", choices=("cpu", "cuda", "mps"), help="where training runs (default: the best there is)")
    args = parser.parse_args()
    torch.set_num_threads(1)  # sentences are small; a second thread only waits
    try:
        Site(LESSONS, start, args.device).serve(args.host, args.port)
    except KeyboardInterrupt:
        pass
    except OSError as error:  # a busy port
        sys.exit(f"{error} Choose another with --port, or leave it out.")


if __name__ == "__main__":
    main()
