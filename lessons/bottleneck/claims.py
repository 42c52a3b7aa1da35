"""What the lesson claims, for its referee."""

from lessons.bottleneck.compute.measured import ALIKE, ATTENTION, CELL_STEPS, CELLS, EARLY, LATE, WIRINGS, of_size
from lessons.kit.referee import Claim, Side
from lessons.kit.translators import STEPS
from models import recipes

LAST, FIRST = STEPS[LATE], recipes.BUDGETS[0]
GRU = Side("GRU, one layer", CELLS["GRU"], CELL_STEPS)


def cell(name: str) -> Side:
    return Side(name, CELLS[name], CELL_STEPS)


CLAIMS = (
    Claim("A larger c holds more", Side("k = 128", of_size("128"), LAST), Side("k = 16", of_size("16"), LAST)),
    Claim(
        "Longer training moves the cliff",
        Side(f"k = 16, {LATE} steps", of_size("16"), LAST),
        Side(f"k = 16, {EARLY} steps", of_size("16"), STEPS[EARLY]),
    ),
    Claim(
        "Attention learns sooner than one vector",
        Side(f"attention, {FIRST:,} steps", ATTENTION, FIRST),
        Side(f"k = 128, {LATE} steps", of_size("128"), LAST),
    ),
    Claim(
        "c at every step beats c at the first",
        Side("every step", WIRINGS["every step"], ALIKE),
        Side("first state", WIRINGS["first state"], ALIKE),
    ),
    Claim("Gates beat a plain cell", GRU, cell("vanilla")),
    Claim("A GRU beats an LSTM", GRU, cell("LSTM")),
    Claim("Two layers beat one", cell("GRU, two layers"), GRU),
)
