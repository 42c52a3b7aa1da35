"""Guess and exercise for experiment `live`."""

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess
from lessons.kit.pictures.numbers import percent
from lessons.training.live.compute import generated_runs
from lessons.training.run_views import GOAL

MAX_SECONDS = 45

enough = guess(
    "enough",
    "A model learns for thirty seconds to write dates as numbers. How many unseen dates will be right?",
    {
        "few": "Thirty seconds are hundreds of steps, each over dozens of dates. Press “train” and see.",
        "half": "For a while it is so. Press “train” and see how long.",
        "most": "On a machine without other work it gets there. Press “train” and see what it does here.",
    },
    lambda: None,
    "Each of the ten output characters stands somewhere in the date. What has to be learned apart from"
    " where to look?",
)


def check_fast_run(_: None, state: State) -> Verdict:
    runs = [saved.run for saved in generated_runs(state["runs"])]
    times = [seconds for run in runs if (seconds := run.seconds_to_reach(GOAL)) is not None]
    if times and min(times) < MAX_SECONDS:
        return Verdict(True, f"Yes: 90% after {min(times):.0f} seconds.")
    if not runs:
        return Verdict(False, "There is no run yet. Go to “Your run” and press “train”.")
    best = max(look.exact for run in runs for look in run.looks)
    late = f" It reached 90%, but only after {min(times):.0f} seconds." if times else ""
    return Verdict(False, f"Not yet: the best of your runs reached {percent(best)}.{late}")


EXERCISES = (
    Exercise(
        "quick",
        "In “Your run”, reach 90% of unseen pairs without an error in under 45 seconds of training, on any"
        " task.",
        check_fast_run,
        "Which task needs the least? What helps more: a wider model, or more steps in the same time?",
        experiment="live",
    ),
)
