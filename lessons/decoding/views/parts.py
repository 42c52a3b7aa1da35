"""What several pictures of this lesson share."""

from lessons.kit.pictures.tokens import TokenLine

Words = tuple[str, ...]


def told(label: str, sentences: Words, end: str = "") -> TokenLine:
    """A text, sentence by sentence; one that was said before is marked."""
    before: set[str] = set()
    again, notes = [], []
    for place, sentence in enumerate(sentences):
        again += [place] if sentence in before else []
        notes.append(f"{sentence} (said before)" if sentence in before else sentence)
        before.add(sentence)
    words = (*sentences, end) if end else sentences
    return TokenLine(label, words, notes=(*notes, end) if end else tuple(notes), changed=frozenset(again))
