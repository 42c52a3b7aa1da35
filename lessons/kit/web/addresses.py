"""The addresses at which other machines can reach this one, for lecturers who started the course locally."""

import ipaddress
import socket
from contextlib import suppress

UNROUTED = "192.0.2.1"  # reserved for documentation; connecting a UDP socket to it sends no packet


def is_loopback(host: str) -> bool:
    """Whether this host, as in a URL, is the machine itself."""
    name = host.rsplit(":", 1)[0].strip("[]") if not host.endswith("]") else host.strip("[]")
    if name == "localhost":
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(name).is_loopback
    return False


def machine_addresses() -> list[str]:
    """IPv4 addresses of this machine that are not loopback, the one of the default route first."""
    found: dict[str, None] = {}
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect((UNROUTED, 9))
        found[probe.getsockname()[0]] = None
    with suppress(OSError):
        for *_, place in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            found[str(place[0])] = None
    return [address for address in found if not ipaddress.ip_address(address).is_loopback]
