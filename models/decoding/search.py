"""Beam search that returns its search tree, and exact search (lesson `decoding`, experiment `beam`)."""

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
    """A hypothesis: the tokens on the path from the root to this node."""

    id: int  # index in Tree.nodes
    parent: int | None  # id of the hypothesis without the last token; None for the root
    step: int  # number of tokens; 0 for the root
    token: int  # the last token; the begin token for the root
    logprob: float  # log P(y_t | y_<t, x)
    total: float  # log P(y_1 .. y_t | x) = the parent's total + logprob
    score: float  # total / step^λ, λ the length penalty
    rank: int  # rank by total among all children at this step; 1 is the best
    status: str  # "kept", "pruned", "finished" (kept, with the end token), or "best" (the answer)
    why: str = ""  # why a branch stops without an end token, as a sentence


@dataclass(frozen=True)
class Tree:
    """The hypotheses of a beam search, without pruned children that rank low among their siblings."""

    nodes: tuple[Node, ...]  # parents before children; nodes[0] is the root
    best: Node
    finished: tuple[Node, ...]  # best score first
    width: int
    limit: int
    length_penalty: float

    def path(self, node: Node) -> tuple[Node, ...]:
        """The nodes from the first token to this node, without the root."""
        path = []
        while node.parent is not None:
            path.append(node)
            node = self.nodes[node.parent]
        return tuple(reversed(path))

    def tokens(self, node: Node | None = None) -> tuple[int, ...]:
        """The tokens of a node's hypothesis; by default of the answer."""
        return tuple(step.token for step in self.path(node or self.best))


def beam(
    writer: Writer, width: int, limit: int, length_penalty: float = 0.0, shown: int | None = None
) -> Tree:
    """Beam search: keep the `width` best hypotheses at each step. Width 1 is greedy.

        score(y) = log P(y | x) / T^λ        T tokens, including the end token; λ is the length penalty

    Each step ranks all continuations of all hypotheses by log P and keeps the best; a finished hypothesis
    keeps its place in the beam. The search stops when all are finished, at `limit` tokens, or when no
    unfinished hypothesis can overtake the best finished one. The answer is the finished hypothesis with the
    best score, or an unfinished one if none is finished. The tree contains the first `shown` children of each
    parent (default: width) and all kept children.
    """
    if width < 1 or limit < 1 or not 0 <= length_penalty <= 10:
        raise InputError("Use a width and a limit of at least 1, and a length penalty from 0 to 10.")
    shown = width if shown is None else shown
    nodes = [Node(0, None, 0, writer.bos, 0.0, 0.0, 0.0, 1, "kept")]
    live, finished = nodes[:], list[Node]()
    tokens, state = torch.tensor([writer.bos]), writer.begin()
    for _ in range(limit):
        logits, state = writer.next(tokens, state)  # (k, V)
        places = width - len(finished)
        children = _expand(
            live, log_probabilities(logits), places, shown, writer.eos, length_penalty, len(nodes)
        )
        nodes += children
        finished += [node for node in children if node.status == "finished"]
        finished.sort(key=lambda node: -node.score)
        rows: dict[int | None, int] = {node.id: row for row, node in enumerate(live)}
        live = sorted((node for node in children if node.status == "kept"), key=lambda node: node.rank)
        # log P only decreases, so the best possible score is the current total at the maximum length
        if not live or (finished and finished[0].score >= live[0].total / limit**length_penalty):
            break
        tokens = torch.tensor([node.token for node in live])  # (k,)
        state = select(state, torch.tensor([rows[node.parent] for node in live]))
    return _tree(nodes, live, finished, width, limit, length_penalty)


def _expand(
    live: list[Node], log_p: Tensor, places: int, shown: int, eos: int, length_penalty: float, first_id: int
) -> list[Node]:
    """The children of each hypothesis, log_p (k, V), that are kept or shown."""
    totals = torch.tensor([[node.total] for node in live], dtype=torch.float64) + log_p  # (k, 1) + (k, V)
    rank = ranks(totals.flatten()).view_as(totals)  # (k, V) 0 is the best at this step
    best = rank.topk(min(log_p.shape[-1], max(shown, places)), largest=False)  # (k, n) best per parent
    logprobs = log_p.gather(-1, best.indices)  # (k, n)
    nodes: list[Node] = []
    for parent, *columns in zip(
        live, best.values.tolist(), best.indices.tolist(), logprobs.tolist(), strict=True
    ):
        for child, (number, token, logprob) in enumerate(zip(*columns, strict=True)):
            is_pruned = number >= places
            if logprob == -math.inf or (is_pruned and child >= shown):
                continue
            status = "pruned" if is_pruned else "finished" if token == eos else "kept"
            why = f"Ranked {number + 1} at this step; the beam had room for {places}." if is_pruned else ""
            step, total = parent.step + 1, parent.total + logprob
            scaled, id = total / step**length_penalty, first_id + len(nodes)
            nodes.append(Node(id, parent.id, step, token, logprob, total, scaled, number + 1, status, why))
    return nodes


def _tree(
    nodes: list[Node], live: list[Node], finished: list[Node], width: int, limit: int, length_penalty: float
) -> Tree:
    """Build the tree: mark the answer, and note why the search stopped at each unfinished hypothesis."""
    best = (finished or live)[0]
    for node in live:
        reach = node.total / limit**length_penalty
        beaten = f"Can reach {reach:.2f} at most; the best that ended has {best.score:.2f}."
        nodes[node.id] = replace(node, why=f"Cut off at {limit} tokens." if node.step == limit else beaten)
    nodes[best.id] = replace(nodes[best.id], status="best")
    return Tree(
        tuple(nodes), nodes[best.id], tuple(nodes[node.id] for node in finished), width, limit, length_penalty
    )


def exhaustive(
    writer: Writer, limit: int, vocabulary: Iterable[int], max_prefixes: int = 20_000
) -> Hypothesis:
    """The most probable output of at most `limit` tokens, including the end token, made of these words.

    Branch and bound: log P only decreases as an output grows, so a prefix less probable than a finished
    output can be dropped. Beam search finds the first finished output; then all remaining prefixes grow by
    one token at a time.
    """
    words = torch.tensor(sorted({*vocabulary, writer.eos}))  # (n,)
    end = words.tolist().index(writer.eos)
    best, bound = _first_bound(writer, limit, set(words.tolist()))
    texts, totals = [()], torch.zeros(1, 1, dtype=torch.float64)  # the prefixes, and their log P (k, 1)
    tokens, state = torch.tensor([writer.bos]), writer.begin()
    expanded = 1
    for length in range(1, limit + 1):
        logits, state = writer.next(tokens, state)  # (k, V)
        grown = totals + log_probabilities(logits)[:, words]  # (k, n)
        ended, row = grown[:, end].max(0)
        if ended > bound:
            best, bound = (*texts[row], writer.eos), ended.item()
        rows, columns = (grown > bound).nonzero(as_tuple=True)  # (k',) each: the unfinished prefixes left
        if length == limit or not len(rows):
            break
        expanded += len(rows)
        if expanded > max_prefixes:
            advice = "Use fewer words or a shorter output."
            raise InputError(f"More than {max_prefixes:,} prefixes are worth a try. {advice}")
        tokens, state = words[columns], select(state, rows)
        texts = [(*texts[row], token) for row, token in zip(rows.tolist(), tokens.tolist(), strict=True)]
        totals = grown[rows, columns].unsqueeze(1)  # (k', 1)
    if best is None:
        raise InputError(f"No output ends within {limit} tokens. Allow more.")
    return score(writer, best)


def _first_bound(writer: Writer, limit: int, words: set[int]) -> tuple[tuple[int, ...] | None, float]:
    """A finished output made of these words, found by beam search, and its log P; or None and -inf."""
    tree = beam(writer, 8, limit)
    usable = [node for node in tree.finished if words.issuperset(tree.tokens(node))]
    return (tree.tokens(usable[0]), usable[0].total) if usable else (None, -math.inf)
