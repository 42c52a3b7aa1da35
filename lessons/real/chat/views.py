"""The chat as the text that the model reads, and two continuations."""

from lessons.kit.pictures.numbers import plural
from lessons.kit.pictures.prose import Prose, Text
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.real.chat.compute import Chat


def prompt(run: Chat) -> Tokens:
    """Every token that the model reads, with outlines around those from the template."""
    return Tokens(
        (TokenLine("the model reads", run.prompt, changed=frozenset(run.special)),),
        title=f"{plural(len(run.prompt), 'piece')} that the model reads (outlined: marks of the template)",
    )


def answers(run: Chat) -> Prose:
    texts = [("with the template", run.answer)] if run.uses_template else []
    texts.append(("question alone", run.plain_answer))
    return Prose(
        tuple(Text.of(name, [text.strip() or "(nothing)"]) for name, text in texts),
        title="What the same weights write",
    )


def reading(run: Chat) -> str:
    if not run.uses_template:
        return (
            f"Without the template, the model reads only the **{run.user_pieces}** pieces that you typed, and"
            " continues them like any other text."
        )
    end = "ends its turn by itself" if run.ended else "has not finished its turn yet"
    return (
        f"You typed **{run.user_pieces}** pieces; with the template the model reads **{len(run.prompt)}**. It"
        f" writes **{run.answer_pieces}** pieces and {end}."
    )
