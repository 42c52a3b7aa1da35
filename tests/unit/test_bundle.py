"""assets/page.js is built from the current modules; tests/run compares it if Node is installed."""

import hashlib
from pathlib import Path

ASSETS = Path(__file__).parents[2] / "assets"


def test_the_bundle_is_made_from_the_present_modules():
    paths = sorted(
        f"./{path.relative_to(ASSETS / 'js').as_posix()}" for path in (ASSETS / "js").rglob("*.js")
    )
    sources = hashlib.sha256(b"".join((ASSETS / "js" / path).read_bytes() for path in paths)).hexdigest()[:16]
    first = (ASSETS / "page.js").read_text(encoding="utf-8").partition("*/")[0]
    assert sources in first, "assets/page.js is not current: run assets/js/build (it needs esbuild)"
