"""Guess and exercise for experiment `live`."""

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess
from lessons.kit.pictures.numbers import percent
from lessons.training.live.compute import generated_runs
from lessons.training.run_views import GOAL

MAX_SECONDS = 45

enough = guess(
    "enough",
    "A model trains for thirty seconds to write dates as numbers. How many unseen dates will it get right?",
    {
        "few": "Thirty seconds are enough for hundreds of steps, each on dozens of dates. Press “train” and"
        " see.",
        "half": "At some moment it will be half. Press “train” and see whether it stays there.",
        "most": "On a machine that does nothing else, it gets most of them right. Press “train” and see what"
        " happens here.",
    },
    lambda: None,
    "Each of the ten output characters depends on one place of the date. What must the model learn, apart"
    " from where to look?",
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
        "Which task is the easiest? What helps more: a wider model, or more steps in the same time?",
        experiment="live",
    ),
)
