"""Search for the most probable output: beam search with its whole tree, and the exact best. Lesson decoding, beam."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from models.decoding.filters import ranks
from models.decoding.writer import Hypothesis, Writer, log_probabilities, select
from models.decoding.writing import score
from models.vocabulary import InputError


@dataclass(frozen=True, slots=True)
class Node:
    """A hypothesis: the tokens on the way from the root to here."""

    id: int  # its place in Tree.nodes
    parent: int | None  # the same with the last token left off; None for the root
    step: int  # tokens written; the root has none
    token: int  # the last of them; for the root, the begin token
    logprob: float  # log P(y_t | y_<t, x)
    total: float  # log P(y_1 .. y_t | x) = the parent's total + logprob
    score: float  # total / step^λ, λ the length penalty
    rank: int  # by total among all V children of every hypothesis expanded at this step; 1 is the best
    status: str  # "kept" in the beam, "pruned", "finished" (kept, and ends here), or "best": the answer
    why: str = ""  # in words, where a branch ends without an end token


@dataclass(frozen=True)
class Tree:
    """What a beam search looked at, less the children that were both pruned and far down their parent's list."""

    nodes: tuple[Node, ...]  # parents before children; nodes[0] is the root
    best: Node
    finished: tuple[Node, ...]  # those that ended, the best score first
    width: int
    limit: int
    length_penalty: float

    def path(self, node: Node) -> tuple[Node, ...]:
        """From the first token to this node; the root is left out."""
        path = []
        while node.parent is not None:
            path.append(node)
            node = self.nodes[node.parent]
        return tuple(reversed(path))

    def tokens(self, node: Node | None = None) -> tuple[int, ...]:
        """What a node's hypothesis says; without a node, the answer."""
        return tuple(step.token for step in self.path(node or self.best))


def beam(
    writer: Writer, width: int, limit: int, length_penalty: float = 0.0, shown: int | None = None
) -> Tree:
    """Keeps the `width` best hypotheses at each step instead of one.

        score(y) = log P(y | x) / T^λ        T tokens, the end token included; λ = 0 sums, λ = 1 averages

    Each step ranks all continuations of all hypotheses by log P, and keeps as many as there is room for. One that ends keeps
    its place, so the room shrinks. The search is over when no hypothesis is unfinished, at `limit` tokens, or when no
    unfinished one can overtake the best that ended. The answer is the best score among those that ended; if none did, among
    the others. Width 1 is greedy. The tree holds the first `shown` children of each parent (by default `width`), and all kept.
    """
    if width < 1 or limit < 1 or not 0 <= length_penalty <= 10:
        raise InputError("Use a width and a limit of at least 1, and a length penalty from 0 to 10.")
    shown = width if shown is None else shown
    nodes = [Node(0, None, 0, writer.bos, 0.0, 0.0, 0.0, 1, "kept")]
    live, finished = nodes[:], list[Node]()
    tokens, state = torch.tensor([writer.bos]), writer.begin()
    for _ in range(limit):
        logits, state = writer.next(tokens, state)  # (k, V)
        room = width - len(finished)
        grown = _expand(live, log_probabilities(logits), room, shown, writer.eos, length_penalty, len(nodes))
        nodes += grown
        finished = sorted(
            finished + [node for node in grown if node.status == "finished"], key=lambda node: -node.score
        )
        rows: dict[int | None, int] = {node.id: row for row, node in enumerate(live)}
        live = sorted((node for node in grown if node.status == "kept"), key=lambda node: node.rank)
        # log P only falls: the most that an unfinished hypothesis can reach is its present total, as the longest output
        if not live or (finished and finished[0].score >= live[0].total / limit**length_penalty):
            break
        tokens = torch.tensor([node.token for node in live])  # (k,)
        state = select(state, torch.tensor([rows[node.parent] for node in live]))
    return _tree(nodes, live, finished, width, limit, length_penalty)


def _expand(
    live: list[Node], log_p: Tensor, room: int, shown: int, eos: int, length_penalty: float, first: int
) -> list[Node]:
    """The children to show of each hypothesis, log_p (k, V), numbered from `first`, and what becomes of them."""
    totals = torch.tensor([[node.total] for node in live], dtype=torch.float64) + log_p  # (k, 1) + (k, V)
    places = ranks(totals.flatten()).view_as(totals)  # (k, V) 0 is the best of the step
    best = places.topk(
        min(log_p.shape[-1], max(shown, room)), largest=False
    )  # (k, n) the best of each parent
    logprobs = log_p.gather(-1, best.indices)  # (k, n)
    nodes: list[Node] = []
    for parent, *columns in zip(
        live, best.values.tolist(), best.indices.tolist(), logprobs.tolist(), strict=True
    ):
        for child, (place, token, logprob) in enumerate(zip(*columns, strict=True)):
            if logprob == -math.inf or (place >= room and child >= shown):
                continue
            status = "pruned" if place >= room else "finished" if token == eos else "kept"
            why = f"Ranked {place + 1} at this step; the beam had room for {room}." if place >= room else ""
            step, total = parent.step + 1, parent.total + logprob
            scored = total / step**length_penalty
            nodes.append(
                Node(
                    first + len(nodes), parent.id, step, token, logprob, total, scored, place + 1, status, why
                )
            )
    return nodes


def _tree(
    nodes: list[Node], live: list[Node], finished: list[Node], width: int, limit: int, length_penalty: float
) -> Tree:
    """Names the answer, and says of each hypothesis still unfinished why the search left it."""
    best = (finished or live)[0]
    for node in live:
        reach = node.total / limit**length_penalty
        beaten = f"Can reach {reach:.2f} at most; the best that ended has {best.score:.2f}."
        nodes[node.id] = replace(node, why=f"Cut off at {limit} tokens." if node.step == limit else beaten)
    nodes[best.id] = replace(nodes[best.id], status="best")
    return Tree(
        tuple(nodes), nodes[best.id], tuple(nodes[node.id] for node in finished), width, limit, length_penalty
    )


def exhaustive(writer: Writer, limit: int, vocabulary: Iterable[int], most: int = 20_000) -> Hypothesis:
    """The most probable output of at most `limit` tokens, its end token included, made of the words in `vocabulary`.

    Branch and bound: log P only falls as an output grows, so a beginning that is already less probable than a finished output
    leads nowhere. A beam finds the first such output; then all beginnings left grow together, one token at a time.
    """
    words = torch.tensor(sorted({*vocabulary, writer.eos}))  # (n,)
    end = words.tolist().index(writer.eos)
    best, bound = _start(writer, limit, set(words.tolist()))
    texts, totals = [()], torch.zeros(1, 1, dtype=torch.float64)  # the beginnings, and their log P (k, 1)
    tokens, state = torch.tensor([writer.bos]), writer.begin()
    expanded = 1
    for length in range(1, limit + 1):
        logits, state = writer.next(tokens, state)  # (k, V)
        grown = totals + log_probabilities(logits)[:, words]  # (k, n)
        ended, row = grown[:, end].max(0)
        if ended > bound:
            best, bound = (*texts[row], writer.eos), ended.item()
        rows, columns = (grown > bound).nonzero(
            as_tuple=True
        )  # (k',) each: the beginnings left; none has ended
        if length == limit or not len(rows):
            break
        expanded += len(rows)
        if expanded > most:
            raise InputError(
                f"More than {most:,} beginnings are worth a try. Use fewer words or a shorter output."
            )
        tokens, state = words[columns], select(state, rows)
        texts = [(*texts[row], token) for row, token in zip(rows.tolist(), tokens.tolist(), strict=True)]
        totals = grown[rows, columns].unsqueeze(1)  # (k', 1)
    if best is None:
        raise InputError(f"No output ends within {limit} tokens. Allow more.")
    return score(writer, best)


def _start(writer: Writer, limit: int, words: set[int]) -> tuple[tuple[int, ...] | None, float]:
    """A finished output made of these words to begin the search with, and its log P; none, if a beam finds none."""
    tree = beam(writer, 8, limit)
    usable = [node for node in tree.finished if words.issuperset(tree.tokens(node))]
    return (tree.tokens(usable[0]), usable[0].total) if usable else (None, -math.inf)
