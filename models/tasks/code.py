"""Code: a command in plain English → lines of Python, and an evaluator of our own for these lines.

“add three to x and print it .” → `x = x + 3 ⏎ print ( x )`

A command has one to three clauses. “it” is the variable named last in the clause before; “before you …” turns
two lines round; “if …” and “repeat … times” indent the line that they govern.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from models.tasks.task import Pair, Task
from models.vocabulary import Vocabulary

NEWLINE, INDENT = "⏎", "⇥"
START: Mapping[str, int] = {"x": 2, "y": 5, "z": 9, "n": 4, "total": 0}  # values before the first line
VARIABLES = tuple(START)
NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
NUMBERS = tuple(str(number) for number in range(len(NUMBER_WORDS)))
COMPARISONS = {
    "is greater than": ">",
    "is more than": ">",
    "is less than": "<",
    "is smaller than": "<",
    "equals": "==",
    "is equal to": "==",
    "is not": "!=",
}
# clause → line; V and W are variables, N a number, A a number or a variable
ACTIONS = {
    "set V to A": "V = A",
    "let V be A": "V = A",
    "add A to V": "V = V + A",
    "increase V by A": "V = V + A",
    "subtract A from V": "V = V - A",
    "take A away from V": "V = V - A",
    "decrease V by A": "V = V - A",
    "multiply V by A": "V = V * A",
    "double V": "V = V * 2",
    "square V": "V = V * V",
    "set V to the sum of W and A": "V = W + A",
    "set V to the product of W and A": "V = W * A",
    "set V to the difference between W and A": "V = W - A",
    "swap V and W": "V , W = W , V",
    "print V": "print ( V )",
    "show V": "print ( V )",
}
COMMON = ("print V", "print V", "show V")  # actions preferred for later clauses
JOINTS = ("and", "then", ", then", "and then", ", and")
SOURCE_WORDS = frozenset(
    (
        *(word for clause in (*ACTIONS, *COMPARISONS) for word in clause.split() if word not in "VWNA"),
        *"it if , repeat times before you and then .".split(),
        *VARIABLES,
        *NUMBERS,
        *NUMBER_WORDS,
    )
)
TARGET_WORDS = frozenset(
    (
        *(word for line in ACTIONS.values() for word in line.split() if word not in "VWNA"),
        *COMPARISONS.values(),
        *"if : for i in range".split(),
        *VARIABLES,
        *NUMBERS,
        NEWLINE,
        INDENT,
    )
)
UNLIKE_TRAINING = (
    "Unlike the commands in training: the rules find no program for it, so nothing says whether the output is"
    " right."
)
Tokens = tuple[str, ...]


# ---- drawing commands ----


def draw_command(rng: random.Random, lengths: range) -> Pair:
    while True:
        words = (*draw_words(rng), ".")
        if len(words) in lengths:
            lines = read_command(words)
            assert lines is not None, f"{words} is no command"
            return Pair(words, join_lines(lines))


def draw_words(rng: random.Random) -> Iterator[str]:
    """Draw one to three clauses. “it” may stand for the last variable of the previous clause."""
    shape = rng.choice(("one", "two", "two", "three", "three", "before", "if", "if", "repeat"))
    if shape == "before":
        first, last = draw_action(rng, "", tuple(ACTIONS)), draw_action(rng, "", tuple(ACTIONS))
        yield from ("before", "you", *first, ",", *last)
        return
    if shape == "if":
        variable, other = rng.sample(VARIABLES, 2)
        comparison = rng.choice(tuple(COMPARISONS)).split()
        yield from ("if", variable, *comparison, draw_amount(rng, other), ",")
        yield from draw_action(rng, variable, tuple(ACTIONS))
        if rng.random() < 0.5:
            yield from (",", "then", *draw_action(rng, "", COMMON))
        return
    if shape == "repeat":
        first = draw_action(rng, "", tuple(ACTIONS))
        yield from ("repeat", draw_number(rng), "times", ",", *first)
        if rng.random() < 0.5:
            yield from (",", "then", *draw_action(rng, last_variable(first), COMMON))
        return
    said = ""
    for k in range({"one": 1, "two": 2, "three": 3}[shape]):
        if k:
            yield from rng.choice(JOINTS).split()
        clause = draw_action(rng, said, COMMON if k and rng.random() < 0.4 else tuple(ACTIONS))
        said = last_variable(clause, said)
        yield from clause


def draw_action(rng: random.Random, said: str, actions: Sequence[str]) -> Tokens:
    """Draw one clause. `said`: the variable that “it” stands for, if any."""
    first, other, third = rng.sample([variable for variable in VARIABLES if variable != said], 3)
    if said and rng.random() < 0.7:
        first = rng.choice(("it", "it", said))
    filled = {"V": first, "W": other, "A": draw_amount(rng, third)}
    return tuple(filled.get(word, word) for word in rng.choice(actions).split())


def draw_amount(rng: random.Random, variable: str) -> str:
    return variable if rng.random() < 0.3 else draw_number(rng)


def draw_number(rng: random.Random) -> str:
    return rng.choice(rng.choice((NUMBERS, NUMBER_WORDS)))


def last_variable(words: Sequence[str], otherwise: str = "") -> str:
    """The variable that a clause changes or prints; “it” in the next clause stands for this variable."""
    found = match_action(words, otherwise)
    return found[0] if found else otherwise


# ---- from a command to its lines ----


def read_command(words: Sequence[str]) -> list[Tokens] | None:
    """Translate a command into lines of code; None if the grammar does not cover one of its clauses."""
    if not words or words[-1] != ".":
        return None
    words = tuple(words[:-1])
    if words[:2] == ("before", "you"):
        for k, word in enumerate(words):
            if word == ",":
                later, sooner = match_action(words[2:k], ""), match_action(words[k + 1 :], "")
                if later and sooner:
                    return [sooner[1], later[1]]
        return None
    if words[:1] == ("if",) and "," in words:
        comma = words.index(",")
        condition = match_condition(words[1:comma])
        return govern(condition[1], condition[0], words[comma + 1 :]) if condition else None
    if words[:1] == ("repeat",) and words[2:4] == ("times", ",") and (count := read_amount(words[1], "")):
        return govern(("for", "i", "in", "range", "(", count, ")", ":"), "", words[4:])
    return read_clauses(words, "")


def govern(head: Tokens, said: str, words: Tokens) -> list[Tokens] | None:
    """An “if” or “for” line, followed by the first clause as its indented block and the other clauses."""
    lines = read_clauses(words, said)
    return [head, (INDENT, *lines[0]), *lines[1:]] if lines else None


def read_clauses(words: Tokens, said: str) -> list[Tokens] | None:
    """The lines of several clauses joined by “and” or “then”."""
    if found := match_action(words, said):
        return [found[1]]
    for k in range(1, len(words)):
        for joint in JOINTS:
            between = tuple(joint.split())
            if words[k : k + len(between)] == between and (found := match_action(words[:k], said)):
                rest = read_clauses(words[k + len(between) :], found[0])
                if rest:
                    return [found[1], *rest]
    return None


def match_action(words: Sequence[str], said: str) -> tuple[str, Tokens] | None:
    """The variable that a clause changes or prints, and its line."""
    for pattern, line in ACTIONS.items():
        if found := match(pattern.split(), words, said):
            return found["V"], tuple(found.get(word, word) for word in line.split())
    return None


def match_condition(words: Sequence[str]) -> tuple[str, Tokens] | None:
    for comparison, sign in COMPARISONS.items():
        if found := match(["V", *comparison.split(), "A"], words, ""):
            return found["V"], ("if", found["V"], sign, found["A"], ":")
    return None


def match(pattern: Sequence[str], words: Sequence[str], said: str) -> dict[str, str] | None:
    """Match words with a pattern: the word for each capital letter, or None if they do not fit."""
    if len(pattern) != len(words):
        return None
    found: dict[str, str] = {}
    for expected, word in zip(pattern, words, strict=True):
        if expected not in "VWA":
            if expected != word:
                return None
            continue
        value = read_amount(word, said)
        if not value or (expected in "VW" and value not in VARIABLES):
            return None
        found[expected] = value
    return found


def read_amount(word: str, said: str) -> str:
    """The code for a variable or a number; empty if the word is neither."""
    if word == "it":
        return said
    if word in NUMBER_WORDS:
        return str(NUMBER_WORDS.index(word))
    return word if word in VARIABLES or word in NUMBERS else ""


def join_lines(lines: Sequence[Tokens]) -> Tokens:
    tokens: list[str] = []
    for line in lines:
        tokens += [NEWLINE, *line] if tokens else line
    return tuple(tokens)


def answer(words: Tokens) -> Tokens | None:
    lines = read_command(words)
    return join_lines(lines) if lines else None


def describe_unseen_command(words: Tokens) -> str:
    return "" if read_command(words) else UNLIKE_TRAINING


# ---- running the lines ----

MAX_STEPS = 40  # lines run before the evaluator stops
MAX_VALUE = 10**9


class ProgramError(ValueError):
    """Raised for a line that cannot be run. The message is for the learner."""


@dataclass(frozen=True)
class Executed:
    """One executed line, with the values of the variables after it."""

    line: int  # 1-based
    values: Mapping[str, int]
    printed: str = ""
    note: str = ""  # a note on what a condition or a loop did


@dataclass(frozen=True)
class Execution:
    lines: tuple[str, ...]  # the program in Python's spelling, line by line
    steps: tuple[Executed, ...]
    fault: str = ""  # why it stopped; empty if every line could be run


def split_lines(tokens: Sequence[str]) -> list[Tokens]:
    lines: list[list[str]] = [[]]
    for token in tokens:
        if token == NEWLINE:
            lines.append([])
        else:
            lines[-1].append(token)
    return [tuple(line) for line in lines]


def write_line(tokens: Sequence[str]) -> str:
    """Join tokens into a line with Python's spacing."""
    depth = next((k for k, token in enumerate(tokens) if token != INDENT), len(tokens))
    text = " ".join(tokens[depth:])
    return "    " * depth + re.sub(r"\s+([,:)])", r"\1", re.sub(r"\s*\(\s*", "(", text))


def run_program(tokens: Sequence[str], start: Mapping[str, int] = START) -> Execution:
    """Run the lines one by one. The first invalid line stops the program; `fault` says why."""
    lines = split_lines(tokens)
    texts = tuple(map(write_line, lines))
    values, steps = dict(start), []
    try:
        for step in run_lines(lines, values):
            steps.append(step)
            if len(steps) >= MAX_STEPS:
                raise ProgramError(f"It was stopped after {MAX_STEPS} steps.")
    except ProgramError as error:
        return Execution(texts, tuple(steps), str(error))
    return Execution(texts, tuple(steps))


def run_lines(lines: Sequence[Tokens], values: dict[str, int]) -> Iterator[Executed]:
    k = 0
    while k < len(lines):
        head, number = lines[k], k + 1
        if head[:1] == (INDENT,):
            raise ProgramError(f"Line {number} is indented, but no “if” or “for” stands before it.")
        if head[:1] not in (("if",), ("for",)):
            yield run_statement(head, number, values)
            k += 1
            continue
        body = [(j + 1, lines[j][1:]) for j in range(k + 1, len(lines)) if block_reaches(lines, k, j)]
        if not body:
            raise ProgramError(f"Line {number} needs an indented line after it.")
        times, note = read_head(head, number, values)
        yield Executed(number, dict(values), note=note)
        for _ in range(times):
            for place, statement in body:
                yield run_statement(statement, place, values)
        k += 1 + len(body)


def block_reaches(lines: Sequence[Tokens], head: int, line: int) -> bool:
    return all(lines[j][:1] == (INDENT,) for j in range(head + 1, line + 1))


def read_head(tokens: Tokens, line: int, values: Mapping[str, int]) -> tuple[int, str]:
    """How many times an “if” or “for” runs its block, and a note that explains this."""
    if tokens[:1] == ("if",) and len(tokens) == 5 and tokens[4] == ":":
        one, other = (evaluate((tokens[k],), line, values) for k in (1, 3))
        signs = {">": one > other, "<": one < other, "==": one == other, "!=": one != other}
        if tokens[2] in signs:
            is_true = signs[tokens[2]]
            return int(is_true), "true" if is_true else "false"
    if tokens[:5] == ("for", "i", "in", "range", "(") and tokens[6:] == (")", ":"):
        times = evaluate(tokens[5:6], line, values)
        return max(times, 0), f"{times} time{'s' * (times != 1)}"
    raise ProgramError(f"Line {line} is not a statement: “{write_line(tokens)}”.")


def run_statement(tokens: Tokens, line: int, values: dict[str, int]) -> Executed:
    """Run an assignment or a print statement; an assignment changes `values`."""
    if not tokens:
        raise ProgramError(f"Line {line} is empty.")
    if tokens[:2] == ("print", "(") and tokens[-1] == ")":
        return Executed(line, dict(values), printed=str(evaluate(tokens[2:-1], line, values)))
    if tokens.count("=") == 1:
        equals = tokens.index("=")
        names, expressions = split_commas(tokens[:equals]), split_commas(tokens[equals + 1 :])
        if len(names) == len(expressions) and all(len(name) == 1 and name[0] in VARIABLES for name in names):
            results = [evaluate(expression, line, values) for expression in expressions]
            values.update((name[0], result) for name, result in zip(names, results, strict=True))
            return Executed(line, dict(values))
    raise ProgramError(f"Line {line} is not a statement: “{write_line(tokens)}”.")


def split_commas(tokens: Tokens) -> list[Tokens]:
    text = " ".join(tokens)
    return [tuple(part.split()) for part in text.split(",")]


def evaluate(tokens: Tokens, line: int, values: Mapping[str, int]) -> int:
    """Evaluate an expression of numbers, variables and the operators + - *."""
    if len(tokens) % 2 == 0 or any(sign not in ("+", "-", "*") for sign in tokens[1::2]):
        raise ProgramError(f"Line {line} has no value to compute: “{write_line(tokens)}”.")
    terms = [[sign_of("+"), operand(tokens[0], line, values)]]
    for sign, token in zip(tokens[1::2], tokens[2::2], strict=True):
        value = operand(token, line, values)
        if sign == "*":
            terms[-1][1] *= value
        else:
            terms.append([sign_of(sign), value])
    result = sum(sign * value for sign, value in terms)
    if abs(result) > MAX_VALUE:
        raise ProgramError(f"Line {line} makes a number with more than nine digits.")
    return result


def sign_of(sign: str) -> int:
    return -1 if sign == "-" else 1


def operand(token: str, line: int, values: Mapping[str, int]) -> int:
    if token.isdecimal():
        return int(token)
    if token in values:
        return values[token]
    raise ProgramError(f"Line {line} uses “{token}”, which is neither a number nor a variable.")


CODE = Task(
    "code",
    Vocabulary.of(SOURCE_WORDS),
    Vocabulary.of(TARGET_WORDS),
    draw_command,
    lengths=range(5, 25),  # no command has four words, and only a few have three
    answer=answer,
    max_typed=40,
    unseen=describe_unseen_command,
)
