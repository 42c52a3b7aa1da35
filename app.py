"""Seq2See: `python app.py` serves the course. lessons.kit.web builds the pages."""

import argparse
import gc
import ipaddress
import os
import sys

if os.environ.get("SPACES_ZERO_GPU"):
    import spaces  # `spaces` must be imported before torch on a ZeroGPU Space

LOOPBACK = "127.0.0.1,::1"
PRIVATE_NETWORKS = (  # proxies in front of a Hugging Face Space
    f"{LOOPBACK},10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,fc00::/7"
)


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve the course.")
    parser.add_argument(
        "--host", help="address to listen on (default: GRADIO_SERVER_NAME, or this machine only)"
    )
    parser.add_argument(
        "--port", type=int, help="port (default: GRADIO_SERVER_PORT, or the first free one from 7860)"
    )
    parser.add_argument(
        "--device", choices=("cpu", "cuda", "mps"), help="where training runs (default: the best there is)"
    )
    parser.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="number of processes (default: 1; on a Space one per core, up to 4)",
    )
    parser.add_argument(
        "--proxy",
        type=addresses,
        default=os.environ.get("FORWARDED_ALLOW_IPS")
        or (PRIVATE_NETWORKS if os.environ.get("SPACE_ID") else LOOPBACK),
        metavar="ADDRESSES",
        help=(
            "addresses or networks of proxies, separated by commas, whose X-Forwarded-For and"
            " X-Forwarded-Proto are believed (default: FORWARDED_ALLOW_IPS, or this machine; on a Space the"
            " private networks)"
        ),
    )
    args = parser.parse_args()
    os.environ["FORWARDED_ALLOW_IPS"] = args.proxy
    workers = args.workers or (min(os.cpu_count() or 1, 4) if os.environ.get("SPACE_ID") else 1)
    if workers > 1 and not hasattr(os, "fork"):
        parser.error("several workers need Linux or macOS; please leave --workers out.")
    serve(args.host, args.port, args.device, workers)


def addresses(text: str) -> str:
    """Validate a list of IP addresses and networks. Refuse `*`: visitors could forge an address."""
    try:
        if not all(ipaddress.ip_network(part.strip()).prefixlen for part in text.split(",")):
            raise ValueError("this is every address")
    except ValueError as error:
        message = f"{error}. Name each proxy by its address or network, such as 10.0.0.5,10.1.0.0/16."
        raise argparse.ArgumentTypeError(message) from error
    return text


def serve(host: str | None, port: int | None, device: str | None, workers: int) -> None:
    """Import the lessons (this takes seconds) and serve them."""
    gc.disable()  # startup is 20% faster; Site.serve enables it again
    # takes effect only before numpy is imported; more threads do not help
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import torch

    from lessons import LESSONS, start
    from lessons.kit.web.server import Site
    from lessons.kit.web.workers import CannotListen

    torch.set_num_threads(1)  # sentences are short, so a second thread does not help
    if os.environ.get("SPACES_ZERO_GPU"):
        spaces.zero.startup()  # report to ZeroGPU that functions use its GPU, as Gradio's `launch` does
    try:
        Site(LESSONS, start, device).serve(host, port, workers)
    except KeyboardInterrupt:
        pass
    except CannotListen as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
