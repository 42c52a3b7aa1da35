"""The vocabulary: word forms in drawn sentences. `python -m models.tasks.everyday vocabulary` writes it.

A form that occurs less often than once in RARE sentences cannot be learned. It is left out, and a sentence
that needs it is drawn again.
"""

import random
from collections import Counter
from functools import cache
from itertools import chain

from models.tasks.everyday.tables import FOLDER, rows
from models.tasks.translation.lexicon import english_words, french_words
from models.vocabulary import Vocabulary

UNKNOWN = "<unk>"
RARE = 20_000
SENTENCES = 400_000


@cache
def vocabulary(language: str) -> Vocabulary:
    return Vocabulary.of(
        [UNKNOWN, *(row["form"] for row in rows("vocabulary") if row["language"] == language)]
    )


def count_forms(sentences: int) -> tuple[Counter[str], Counter[str]]:
    from models.tasks.everyday.grammar import LENGTHS, draw_any

    rng = random.Random("everyday vocabulary")
    pairs = [draw_any(rng, LENGTHS) for _ in range(sentences)]
    english = Counter(chain.from_iterable(set(pair.source) for pair in pairs))
    french = Counter(chain.from_iterable(set(pair.target) for pair in pairs))
    return english, french


def write_vocabulary(sentences: int = SENTENCES) -> None:
    """Draw sentences, count their word forms, and write all but the rare ones, and the small world's."""
    lines = ["language\tform"]
    for language, counts, small in zip(
        ("english", "french"), count_forms(sentences), (english_words(), french_words()), strict=True
    ):
        kept = {form for form, count in counts.items() if count * RARE >= sentences} | small
        print(f"{language}: {len(kept):,} forms; {len(set(counts) - kept):,} rare ones are left out")
        lines += [f"{language}\t{form}" for form in sorted(kept)]
    (FOLDER / "vocabulary.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    rows.cache_clear()
    vocabulary.cache_clear()
