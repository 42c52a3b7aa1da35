"""Reorder the words of a sentence, and draw both orders."""

from lessons.kit.pictures.tokens import TokenLine, Tokens


def reorder(change: str, length: int, swap: tuple[int, int]) -> list[int]:
    """Index of the word now at each position; `swap` gives the two positions for “two words swapped”."""
    places = list(range(length))
    if change == "reversed":
        places.reverse()
    elif change == "two words swapped":
        a, b = swap
        places[a], places[b] = places[b], places[a]
    return places


def words_at(words: tuple[str, ...], places: tuple[int, ...]) -> tuple[str, ...]:
    """The words in their new order."""
    return tuple(words[index] for index in places)


def draw_both_orders(words: tuple[str, ...], places: tuple[int, ...], title: str) -> Tokens:
    """Draw the original and the reordered sentence, with outlines around words that moved."""
    changed = frozenset(place for place, index in enumerate(places) if place != index)
    lines = (TokenLine("original", words), TokenLine("edited", words_at(words, places), changed=changed))
    return Tokens(lines, key="place", first=0, wide=900, title=title)
