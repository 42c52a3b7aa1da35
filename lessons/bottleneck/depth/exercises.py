"""The guess of experiment `depth`, with a computed answer."""

from lessons.bottleneck.depth.compute import ONE_GRU, TRAINING_STEPS, TWO_GRUS, Build, compute
from lessons.bottleneck.measurements import clear_winner
from lessons.kit.exercises import guess
from lessons.kit.pictures.numbers import seed_count

LAYERS = {"one layer": ONE_GRU, "two layers": TWO_GRUS}
NEITHER = "neither; the difference between seeds is larger"


def builds_by_layers() -> dict[str, Build]:
    builds = compute(ONE_GRU, "exact match").builds
    return {layers: builds[name] for layers, name in LAYERS.items()}


def describe_both() -> str:
    """The scores and the parameters of both GRUs."""
    return " ".join(
        f"With {layers} exact match is {build.natural.min():.2f} to {build.natural.max():.2f}"
        f" ({seed_count(len(build.natural))}), with {build.parameters:,} parameters."
        for layers, build in builds_by_layers().items()
    )


def better_depth() -> str:
    return clear_winner({layers: build.natural for layers, build in builds_by_layers().items()}) or NEITHER


how_deep = guess(
    "how-deep",
    f"After {TRAINING_STEPS:,} training steps, does a GRU with one layer or with two layers (in encoder and"
    " decoder each) get more sentences right?",
    {
        "one layer": lambda: f"One layer has the fewest parameters to train. {describe_both()}",
        "two layers": lambda: f"There are twice as many layers to write and read c. {describe_both()}",
        NEITHER: describe_both,
    },
    better_depth,
    "A deeper model can compute more. How many steps does it need to learn that?",
    covers=("by_length", "table", "learning", "still", "rates", "papers", "orders"),
)
