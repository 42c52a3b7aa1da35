"""Tokenize typed English leniently: plain English is never rejected.

Unknown words become `<unk>`. For a model that knows no `<unk>`, they are replaced by known words.
"""

import math
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from lessons.kit.language import translate, translate_plural
from lessons.kit.notices import add_notice, offer_words
from lessons.kit.similar_words import (
    MIN_OFFERED_LIKENESS,
    frequent_noun,
    nearest_by_spelling,
    similar_words,
)
from models.tasks.everyday.reader import read_english, variants
from models.vocabulary import InputError, Vocabulary, split_words

UNKNOWN = "<unk>"
MAX_WORDS = 40
MAX_CHARACTERS = 40 * MAX_WORDS
FINAL_MARK_NOTICES = {
    ".": "A full stop was added.",
    "?": "A question mark was added.",
    "!": "An exclamation mark was added.",
}
FINAL_MARKS = tuple(FINAL_MARK_NOTICES)
QUESTION_STARTS = frozenset(
    """
    do does did is are was were will would can could should must may have has
    what where who when why how which whose
    """.split()
)
SUBJECTS = frozenset("i you he she it we they".split())
COMMA_MARKS = frozenset(";:–—")
SYMBOLS = (
    "So",
    "Sk",
    "Cf",
    "Cs",
    "Co",
    "Cn",
)  # Unicode categories: symbols, modifiers, joiners, unassigned code points
VARIATION_SELECTOR = "\ufe0f"  # follows a symbol to request its emoji form
NAMED = 4  # maximum number of unknown words listed in the notice
MAX_SHOWN_LETTERS = 24  # a longer word is cut in pictures and notices
ARTICLES = frozenset(("a", "an"))
REPLACED = "≈"  # stands before a word that is read in place of an unknown word
# titles, whose full stop does not end a sentence
TITLES = re.compile(r"\b(mr|mrs|ms|dr|prof|st)\.", re.IGNORECASE)
MIN_INFLECTED_LETTERS = 5  # a shorter word may end in s by chance: news, bus
ENDINGS = (("ies$", "y"), ("s$", ""), ("(?<=[hosxz])es$", ""))  # plurals, third-person verbs → base forms
NUMBER_WORDS = dict(
    zip(
        map(str, range(1, 13)),
        "one two three four five six seven eight nine ten eleven twelve".split(),
        strict=True,
    )
)
NUMBER_MARKS = {":": "ː", ".": "ˑ", ",": "ˏ", "/": "ʹ"}  # placeholders while a text is split
ORIGINAL_MARKS = str.maketrans({letter: mark for mark, letter in NUMBER_MARKS.items()})
CAPITALISED = re.compile(r"(?<=[\w,;:] )[A-Z][^\W_]+")  # not the first word of a sentence


@dataclass(frozen=True)
class TypedSentence:
    """The tokens of a typed sentence."""

    typed: tuple[str, ...]  # words as typed
    words: tuple[str, ...]  # the words as a model reads them, with `<unk>` for unknown ones

    @property
    def unknown(self) -> tuple[int, ...]:
        """Positions of unknown words, 0-based."""
        return tuple(i for i, word in enumerate(self.words) if word == UNKNOWN)

    @property
    def shown(self) -> tuple[str, ...]:
        """The words as pictures show them: unknown words in angle brackets, ≈ before replacements."""
        return tuple(
            mark_unknown(typed) if word == UNKNOWN else word if word == typed else f"{REPLACED}{word}"
            for typed, word in zip(self.typed, self.words, strict=True)
        )


def mark_unknown(word: str) -> str:
    """Mark a word that a model reads or writes as `<unk>`: tanmoy becomes <tanmoy>."""
    return f"<{shorten(word)}>"


def shorten(word: str) -> str:
    return word if len(word) <= MAX_SHOWN_LETTERS else f"{word[: MAX_SHOWN_LETTERS - 1]}…"


def read_sentence(text: str, known: Collection[str], control: str = "source") -> TypedSentence:
    """Tokenize one typed sentence; unknown words become `<unk>`. Notices report all changes.

    Raise an InputError for text that cannot be an English sentence: empty, too long, another script.
    """
    tokens = tokenize(text, known, control)
    sentence = TypedSentence(tokens, tuple(known_form(token, known) for token in tokens))
    tell_other_forms(sentence, control)
    tell_unknown(sentence, known, capitalised_words(text), control)
    return sentence


def read_known_words(text: str, known: Collection[str], control: str = "source") -> TypedSentence:
    """Like `read_sentence`, for a model without `<unk>`: known words of the same kind replace unknown words.

    An unknown word that nothing can replace, such as a possessive 's, is left out.
    """
    return replace_unknown(tokenize(text, known, control), known, capitalised_words(text), control)


def replace_unknown(
    tokens: Sequence[str],
    known: Collection[str],
    names: Collection[str],
    control: str,
    min_likeness: float = -math.inf,
    only_as_typed: Collection[str] = (),
) -> TypedSentence:
    """Replace unknown tokens by known words of the same kind, and leave out what nothing can replace.

    Words in `only_as_typed` are known, too, but replace no other word.
    """
    pairs: list[tuple[str, str]] = []
    replaced: dict[str, str] = {}
    offers: dict[str, tuple[str, ...]] = {}
    omitted: list[str] = []
    for i, token in enumerate(tokens):
        form = token if token in only_as_typed else known_form(token, known)
        if token in FINAL_MARKS:
            pairs += [(form, form)] if form != UNKNOWN else [(".", ".")] * ("." in known)
        elif form != UNKNOWN:
            pairs.append((token, form))
            replaced |= {token: form} if form != token else {}
        elif similar := similar_words(tokens, i, known, names, min_likeness):
            if pairs and pairs[-1][1] in ARTICLES and (article := article_before(similar[0])) in known:
                pairs[-1] = (pairs[-1][0], article)
            pairs.append((token, similar[0]))
            replaced[token] = similar[0]
            offers[token] = similar_words(tokens, i, known, names, MIN_OFFERED_LIKENESS)
        else:
            omitted.append(token)
    if omitted and not any(word[0].isalnum() for _, word in pairs):  # a model needs at least one word
        word = frequent_noun(known)
        template = "This small model knows no word like this. It reads {word} instead."
        add_notice(control, translate(template, word=REPLACED + word))
        pairs.insert(0, (omitted[0], word))
    else:
        tell_replaced(replaced, list(dict.fromkeys(omitted)), control)
    offer_words(control, dict([*offers.items()][:NAMED]))
    while pairs and pairs[0][1] == ",":  # a comma at the start, after words that were left out
        pairs = pairs[1:]
    if not pairs:
        raise InputError(translate("Type an English sentence."), control)
    return TypedSentence(tuple(typed for typed, _ in pairs), tuple(word for _, word in pairs))


def article_before(word: str) -> str:
    """The indefinite article before a word, by spelling: a boat, an apple."""
    return "an" if word[0] in "aeiou" else "a"


def known_form(token: str, known: Collection[str]) -> str:
    """The known form of a token: as typed, respelled, as a number word, without -s, or `<unk>`."""
    forms = [token, variants().get(token, ""), NUMBER_WORDS.get(token, "")]
    # a letter that was repeated for emphasis: cooool, sooo
    forms += [re.sub(r"([a-z])\1{2,}", letters, token) for letters in (r"\1\1", r"\1")]
    if len(token) >= MIN_INFLECTED_LETTERS:
        forms += [re.sub(ending, stem, token) for ending, stem in ENDINGS if re.search(ending, token)]
    return next((form for form in forms if form in known), UNKNOWN)


def read_french(text: str, known: Vocabulary, control: str) -> tuple[str, ...]:
    """Split typed French into words; unknown words become `<unk>`, unknown marks are left out."""
    tokens = split_words(drop_emoji(text, control), known)
    tokens = [token for token in tokens if token in known or token[0].isalnum()]
    if not tokens:
        raise InputError(translate("Type at least one French word."), control)
    tokens = [*limit_words(tokens, control)]
    if unknown := [token for token in dict.fromkeys(tokens) if token not in known]:
        add_notice(control, describe_unknown(unknown))
        words = frozenset(known.words)
        offer_words(control, {word: nearest_by_spelling(word, words) for word in unknown[:NAMED]})
    return tuple(token if token in known else UNKNOWN for token in tokens)


def tokenize(text: str, known: Collection[str], control: str) -> tuple[str, ...]:
    """Tokens of the first typed sentence, at most MAX_WORDS, ending with one final mark."""
    if len(text) > MAX_CHARACTERS:
        template = "That is {n:,} characters. Use at most {most} words."
        raise InputError(translate(template, n=len(text), most=MAX_WORDS), control)
    sentence = first_sentence(join_numbers(drop_emoji(text, control)), control)
    tokens = [
        token.translate(ORIGINAL_MARKS)
        for token in map(replace_mark, split_hyphens(sentence, known))
        if token
    ]
    words = [token for token in tokens if token[0].isalnum() or token[0] == "'"]
    if not words:
        raise InputError(translate("Type an English sentence."), control)
    if not any(letter.isascii() for word in words for letter in word):
        raise InputError(translate("This model reads English. Type an English sentence."), control)
    return limit_words(add_final_mark(text, tokens, control), control)


def limit_words(tokens: Sequence[str], control: str) -> tuple[str, ...]:
    """Keep the first MAX_WORDS tokens, the last of them being the final mark."""
    if len(tokens) <= MAX_WORDS:
        return tuple(tokens)
    template = "Only the first {most} of {n} words are read."
    add_notice(control, translate(template, most=MAX_WORDS - 1, n=len(tokens) - 1))
    return (*tokens[: MAX_WORDS - 1], tokens[-1])


def capitalised_words(text: str) -> frozenset[str]:
    """Words with a capital letter inside a sentence, in lower case; most of them are names."""
    if text.isupper():
        return frozenset()
    return frozenset(word.lower() for word in CAPITALISED.findall(" ".join(text.split())))


def first_sentence(text: str, control: str) -> tuple[str, ...]:
    """Tokens of the first sentence: the models translate one sentence at a time."""
    text = TITLES.sub(r"\1", text.strip())
    parts = [part for part in re.split(r"(?<=[.?!])\s+(?=\S)", text) if re.search(r"\w", part)]
    if len(parts) > 1:
        add_notice(control, translate("Only the first of {n} sentences is read.", n=len(parts)))
    return read_english(parts[0]) if parts else ()


def join_numbers(text: str) -> str:
    """Keep a number, a time or a date in one piece: 6:15 am, 3.50, 31/12/1999."""
    text = re.sub(r"(\d)\s*([ap])\.?m\b\.?", r"\1\2m", text, flags=re.IGNORECASE)
    return re.sub(r"(?<=\d)(?!,\d{3}\b)[:.,/](?=\d)", lambda mark: NUMBER_MARKS[mark[0]], text)


def drop_emoji(text: str, control: str) -> str:
    """Remove emoji and other symbols that are not part of a sentence."""
    kept = "".join(" " if unicodedata.category(character) in SYMBOLS else character for character in text)
    kept = kept.replace(VARIATION_SELECTOR, " ")
    if any(unicodedata.category(character) == "So" for character in text):
        add_notice(control, translate("Emoji are left out."))
    return kept


def split_hyphens(tokens: tuple[str, ...], known: Collection[str]) -> list[str]:
    """Split each hyphenated word that is unknown as a whole but contains a known part."""
    found: list[str] = []
    for token in tokens:
        parts = token.split("-")
        split = token not in known and len(parts) > 1 and any(part in known for part in parts)
        found += parts if split else [token]
    return found


def replace_mark(token: str) -> str:
    """Replace an unknown punctuation mark by a comma or by nothing; leave words unchanged."""
    if token in COMMA_MARKS:
        return ","
    return token if token[0].isalnum() or token in (",", "'s", *FINAL_MARKS) else ""


def add_final_mark(text: str, tokens: list[str], control: str) -> list[str]:
    """End the sentence with exactly one final mark; add one if none was typed."""
    while tokens and tokens[-1] in (",", *FINAL_MARKS):
        tokens = tokens[:-1]
    typed = re.search(r"[.?!]", text)
    mark = typed[0] if typed else guess_final_mark(tokens)
    if not typed:
        add_notice(control, translate(FINAL_MARK_NOTICES[mark]))
    return [*(token for token in tokens if token not in FINAL_MARKS), mark]


def guess_final_mark(tokens: Sequence[str]) -> str:
    """Guess the final mark from the words: what a beautiful day ! · do not forget it . · do you know it ?"""
    if tokens[0] == "what" and tokens[1:2] in (["a"], ["an"]):
        return "!"
    is_command = tokens[:2] == ["do", "not"] and not set(tokens[2:3]) & SUBJECTS
    return "?" if tokens[0] in QUESTION_STARTS and not is_command else "."


def tell_unknown(
    sentence: TypedSentence, known: Collection[str], names: Collection[str], control: str
) -> None:
    """Add a notice that lists the unknown words, and offer known words in their place."""
    unknown = [sentence.typed[i] for i in sentence.unknown]
    if not unknown:
        return
    add_notice(control, describe_unknown(unknown))
    offers = {
        sentence.typed[i]: similar_words(sentence.typed, i, known, names, MIN_OFFERED_LIKENESS)
        for i in sentence.unknown[:NAMED]
    }
    offer_words(control, offers)


def tell_other_forms(sentence: TypedSentence, control: str) -> None:
    """Add a notice about words that are read in another form: the singular of a plural."""
    pairs = dict(zip(sentence.typed, sentence.words, strict=True))
    forms = {typed: word for typed, word in pairs.items() if word not in (typed, UNKNOWN)}
    if forms:
        add_notice(control, translate("Read in another form: {words}.", words=list_replacements(forms)))


def list_replacements(replaced: Mapping[str, str]) -> str:
    pairs = [
        translate("{word} for “{typed}”", word=REPLACED + word, typed=shorten(typed))
        for typed, word in replaced.items()
    ]
    return ", ".join(pairs[:NAMED]) + (" …" if len(pairs) > NAMED else "")


def tell_replaced(replaced: Mapping[str, str], omitted: Sequence[str], control: str) -> None:
    """Add a notice about unknown words that were replaced, and about those that were left out."""
    if replaced:
        one = "{n} word is unknown to this small model, which reads {words}."
        many = "{n} words are unknown to this small model, which reads {words}."
        words = list_replacements(replaced)
        add_notice(control, translate_plural(one, many, len(replaced), words=words))
    if omitted:
        add_notice(control, translate("Left out: {words}.", words=list_words(omitted)))


def describe_unknown(words: Sequence[str]) -> str:
    one = "{n} word is unknown ({words}) and read as {unknown}."
    many = "{n} words are unknown ({words}) and read as {unknown}."
    named = list_words(list(dict.fromkeys(words)))
    return translate_plural(one, many, len(words), words=named, unknown=UNKNOWN)


def list_words(words: Sequence[str]) -> str:
    named = ", ".join(translate("“{word}”", word=shorten(word)) for word in words[:NAMED])
    return f"{named} …" if len(words) > NAMED else named
