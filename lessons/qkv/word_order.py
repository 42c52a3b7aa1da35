"""A sentence with its words in another order: which word stands where, and both orders as a picture."""

from lessons.kit.pictures.tokens import TokenLine, Tokens


def reorder(change: str, length: int, swap: tuple[int, int]) -> list[int]:
    """For each place the index of the word that stands there now; `swap` are the places of “two swapped”."""
    places = list(range(length))
    if change == "reversed":
        places.reverse()
    elif change == "two swapped":
        a, b = swap
        places[a], places[b] = places[b], places[a]
    return places


def words_at(words: tuple[str, ...], places: tuple[int, ...]) -> tuple[str, ...]:
    """The words in their new order."""
    return tuple(words[index] for index in places)


def draw_both_orders(words: tuple[str, ...], places: tuple[int, ...], title: str) -> Tokens:
    """The original sentence and the edited one; words at another place are outlined."""
    changed = frozenset(place for place, index in enumerate(places) if place != index)
    lines = (TokenLine("original", words), TokenLine("edited", words_at(words, places), changed=changed))
    return Tokens(lines, key="place", first=0, wide=900, title=title)
