"""Answers before and after instruction tuning, and what the model forgets."""

from collections.abc import Callable

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import compact, percent
from lessons.kit.pictures.prose import Prose, Text
from lessons.kit.pictures.table import Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.real.tune.compute import Tuning
from lessons.real.tune.tuning import TEXT_KINDS, Measurement, first_mention_right

ROLES = ("target", "source", "context", "weight")
NOT_TUNED = ("(not tuned yet)",)
NOTHING = ("(nothing)",)
GROUPS = ("one", "several")


def prompt(run: Tuning) -> Tokens:
    """The story and the question, with outlines around the marks of the template."""
    marks = frozenset({len(run.story), len(run.prompt) - 1})
    return Tokens(
        (TokenLine("the model reads", run.prompt, changed=marks),),
        key="word",
        title="The story, and the question in quotation marks",
    )


def answers(run: Tuning) -> Tokens:
    def is_right(words: tuple[str, ...] | None) -> bool | None:
        return None if run.expected is None or words is None else words == run.expected

    lines = [
        TokenLine("before tuning", run.base_answer or NOTHING, right=is_right(run.base_answer)),
        TokenLine(
            "after tuning",
            NOT_TUNED if run.tuned_answer is None else run.tuned_answer or NOTHING,
            right=is_right(run.tuned_answer),
        ),
    ]
    if run.expected:
        lines.append(TokenLine("right answer", run.expected, quiet=True))
    return Tokens(tuple(lines), key="word", tall=130, title="What the model writes next")


def next_words(run: Tuning) -> Bars:
    is_tuned = run.tuned_p is not None
    return Bars(
        run.tuned_p if is_tuned else run.base_p,
        run.candidates,
        compare=run.base_p if is_tuned else None,
        compare_names=("after tuning", "before tuning"),
        wide=560,
        role="target",
        title="P of the next word",
    )


def lines(run: Tuning, pick: Callable[[Measurement], float]) -> tuple[Line, ...]:
    """One line per run, or one point for the base model if there is none."""
    if not run.runs:
        return (Line("before tuning", [0.0], [pick(run.base)], "quiet", points=True),)
    return tuple(
        Line(
            name,
            [look.seconds for look in each.looks],
            [pick(look) for look in each.looks],
            role,
            points=True,
        )
        for (each, name), role in zip(run.labelled_runs, ROLES, strict=False)
    )


def seconds_range(run: Tuning) -> tuple[float, float]:
    return 0.0, max([1.0, *(each.last.seconds + each.left for each in run.runs)])


def right_curve(run: Tuning) -> Curves:
    return Curves(
        lines(run, lambda look: look.right),
        x_title="seconds of training",
        y_title="fraction right",
        x_range=seconds_range(run),
        y_range=(0, 1),
        wide=440,
        tall=158,
        title=f"Answers to {run.unseen} unseen questions",
    )


def forgetting_curve(run: Tuning) -> Curves:
    return Curves(
        lines(run, lambda look: look.perplexity[0]),
        x_title="seconds of training",
        y_title="perplexity",
        x_range=seconds_range(run),
        log_y=True,
        rules=((run.base.perplexity[0], "before"),) if run.runs else (),
        wide=440,
        tall=158,
        title="Perplexity on unseen stories",
    )


def reading(run: Tuning) -> str:
    before, own = percent(run.base.right), compact(run.base.perplexity[0])
    if run.run is None:
        return (
            "The story model continues the story instead of answering. It answers"
            f" **{before}** of {run.unseen} unseen questions correctly. Its perplexity on unseen stories is"
            f" **{own}**. Press “Tune”."
        )
    last = run.run.last
    left = f" **{run.run.left:.0f}** s are left." if run.run.left else ""
    return (
        f"After **{last.seconds:.0f}** s of tuning the model answers **{percent(last.right)}** of the unseen"
        f" questions instead of {before}. Its perplexity on unseen stories changes from **{own}** to"
        f" **{compact(last.perplexity[0])}**.{left}"
    )


def by_rivals(run: Tuning) -> Table:
    tuned = run.run.last.by_rivals if run.run else (None, None)
    rows = tuple(
        (group, percent(first), percent(before), "–" if after is None else percent(after))
        for group, first, before, after in zip(
            GROUPS, first_mention_right(), run.base.by_rivals, tuned, strict=True
        )
    )
    return Table(
        ("possible answers in the story", "rule: the first one", "before tuning", "after tuning"),
        rows,
        key="group",
        title="Fraction of unseen questions answered without an error",
    )


def forgotten(run: Tuning) -> Table:
    tuned = run.run.last.perplexity if run.run else (None,) * len(TEXT_KINDS)
    rows = tuple(
        (f"unseen {kind}", compact(before), "–" if after is None else compact(after))
        for kind, before, after in zip(("stories", "songs"), run.base.perplexity, tuned, strict=True)
    )
    return Table(("text", "before tuning", "after tuning"), rows, key="text", title="Perplexity per word")


def without_question(run: Tuning) -> Prose:
    after = NOT_TUNED if run.tuned_story is None else run.tuned_story or ("(nothing: the text ends)",)
    return Prose(
        (Text.of("before tuning", [" ".join(run.base_story)]), Text.of("after tuning", [" ".join(after)])),
        title="Continuation of the story without a question",
    )


def data(run: Tuning) -> Tokens:
    """Examples of prompts with their answers; only the outlined words are targets of the loss."""
    return Tokens(
        tuple(
            TokenLine(
                f"example {n}",
                (*asked, *answer, "<eos>"),
                changed=frozenset(range(len(asked), len(asked) + len(answer) + 1)),
            )
            for n, (asked, answer) in enumerate(run.examples, start=1)
        ),
        key="word",
        title="Questions about stories with their answers",
    )
