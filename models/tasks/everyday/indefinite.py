"""Sentences with everyone, nobody, something, nothing, mine and each other."""

from models.tasks.everyday import adjuncts
from models.tasks.everyday.actions import Action, complete_action
from models.tasks.everyday.clauses import POSSESSIVE, be_clause, infinitive, verb_clause
from models.tasks.everyday.describing import describe
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.modes import build_clause
from models.tasks.everyday.nominals import draw_nominal, nominal_for, plain_phrase
from models.tasks.everyday.pronouns import draw_pronoun
from models.tasks.everyday.statements import action_clause
from models.tasks.everyday.subjects import QUESTION, STOP, Sentence, draw_person, draw_third_person
from models.tasks.everyday.tables import word_group
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.lexicon import Agreement
from models.tasks.translation.phrase import Mot, Phrase, echo, join, leaf

ANYBODY = (
    ("everyone", "tout le monde"),
    ("everybody", "tout le monde"),
    ("someone", "quelqu'un"),
    ("somebody", "quelqu'un"),
)


GROUP_STATES = word_group("group_states")
SHARED_VERBS = word_group("shared_verbs")


def draw_shared_action(draft: Draft, who: Nominal, modes: tuple[str, ...]) -> Phrase:
    """Draw the clause for what everybody or nobody does."""
    verb = draft.pick(
        draft.lexicon.select("shared", lambda v: v.base in SHARED_VERBS and "person" in v.subject.split())
    )
    mode = (
        draft.pick(modes) if not {"state", "state_present"} & verb.traits else draft.pick(("present", "past"))
    )
    if mode == "now" and {"moment", "state_present"} & verb.traits:
        mode = "past"
    return build_clause(
        draft, who, complete_action(draft, who, verb, who.phrase.french[0].text == "personne"), mode
    )


def draw_everyone(draft: Draft) -> Sentence:
    """Draw a sentence such as: everyone likes him: tout le monde l'aime; even my father laughed."""
    if draft.chance(0.2):  # example: even my father laughed: même mon père a ri
        even = draw_third_person(draft)
        phrase = draw_shared_action(
            draft,
            even._replace(phrase=join(leaf("even", "même"), even.phrase)),
            ("past", "past", "present"),
        )
        return phrase, STOP
    who = Nominal(leaf(*draft.pick(ANYBODY)), Agreement("m"), False, "they")
    if draft.chance(0.35):
        return describe(draft, who, draft.pick(("present", "past")), plain=True, among=GROUP_STATES), STOP
    return draw_shared_action(draft, who, ("past", "past", "present", "now", "want to")), STOP


def draw_nobody(draft: Draft) -> Sentence:
    """Draw a sentence such as: nobody knows the answer: personne ne sait la réponse."""
    word = leaf(draft.pick(("nobody", "nobody", "no one")), "personne")
    who = Nominal(word, Agreement("m"), False, "he")
    phrase = draw_shared_action(draft, who, ("present", "past", "past", "want to"))
    ne = Mot("ne", word.english)
    return Phrase(phrase.english, (phrase.french[0], ne, *phrase.french[1:])), STOP


def draw_nothing(draft: Draft) -> Sentence:
    """Draw a sentence such as: i saw nothing, i did not see anything: je n'ai rien vu."""
    subject = draw_person(draft)
    verb = draft.pick(
        draft.lexicon.select(
            "nothing",
            lambda v: (
                v.frame == "t"
                and not v.link
                and v.base in NOTHING_VERBS
                and "person" in v.subject
                and v.infinitive != "connaître"
            ),
        )
    )
    verb = SAVOIR if draft.chance(0.15) else verb
    mode = "present" if verb.is_state else draft.pick(("past", "past", "present", "now"))
    if "moment" in verb.traits and mode == "now":
        mode = "past"
    if draft.chance(0.5):
        phrase = build_clause(draft, subject, Action(verb), mode, "not")
        word = leaf("anything", "")
        english = (*phrase.english, *word.english)
        denied = next(w for w in phrase.english if w.text == "not")
        french = tuple(
            Mot("rien", word.english) if mot.text == "pas" and denied in mot.sources else mot
            for mot in phrase.french
        )
        return Phrase(english, french), STOP
    word = leaf("nothing", "")
    phrase = build_clause(draft, subject, Action(verb), mode)
    start, end = len(subject.phrase.french), len(phrase.french)
    finite = start + (1 if verb.is_reflexive else 0)
    body = phrase.french[start:end]
    ne, rien = Mot("ne", word.english), Mot("rien", word.english)
    french = (*phrase.french[:finite], ne, body[0], rien, *body[1:])
    return Phrase((*phrase.english, *word.english), french), STOP


SAVOIR = Verb("know", "savoir", "t", traits=frozenset({"state"}))

NOTHING_VERBS = (
    "see",
    "eat",
    "drink",
    "buy",
    "want",
    "hear",
    "find",
    "understand",
    "know",
    "do",
    "read",
    "have",
)


def draw_something(draft: Draft) -> Sentence:
    """Draw a sentence such as: i want something to eat: quelque chose à manger."""
    subject = draw_person(draft)
    verb = draft.pick(draft.lexicon.transitive("want buy see find hear have drink eat"))
    word = leaf("something", "quelque chose")
    tail = word
    if verb.base in ("want", "buy", "find", "have") and draft.chance(0.6):
        deeds = (Verb("eat", "manger"), Verb("drink", "boire"), Verb("read", "lire"), Verb("do", "faire"))
        deed = draft.pick(deeds[: 3 if verb.base == "buy" else 4])
        tail = join(word, infinitive(subject, deed, to="to", link="à"))
    elif verb.base not in ("eat", "drink") and draft.chance(0.4):
        english, french = draft.pick(
            (
                ("new", "nouveau"),
                ("good", "bon"),
                ("strange", "étrange"),
                ("important", "important"),
                ("beautiful", "beau"),
            )
        )
        tail = join(word, echo(word, "de"), leaf(english, french))
    mode = draft.pick(("present", "past")) if verb.is_state else "past"
    return build_clause(draft, subject, Action(verb, tail), mode), STOP


MINE = {"mine": "moi", "yours": "vous", "his": "lui", "hers": "elle", "ours": "nous", "theirs": "eux"}


def draw_ownership(draft: Draft) -> Sentence:
    """Draw a sentence such as: the book on the table is mine: le livre sur la table est à moi."""
    noun = draft.noun("thing device car bike clothing book/text pet house/building tool instrument ticket")
    thing = nominal_for(draft, noun, "def", deep=False)
    if thing.owner:
        raise DeadEnd
    if draft.chance(0.3) and noun.kind in ("thing", "text", "device", "tool"):
        place = adjuncts.place_on(draft, draft.noun("table chair desk bed shelf"))
        thing = thing._replace(phrase=join(thing.phrase, place))
    word = draft.pick(tuple(MINE))
    asked = draft.chance(0.25) and word not in ("mine", "ours")
    phrase = be_clause(
        thing,
        draft.pick(("present", "present", "past")),
        leaf(word, f"à {MINE[word]}"),
        "" if asked or draft.chance(0.8) else "not",
        asked,
    )
    return phrase, QUESTION if asked else STOP


def draw_all_of(draft: Draft) -> Sentence:
    """Draw a sentence such as: every student laughed: chaque étudiant a ri; all the children slept."""
    noun = draft.noun("student child/child teacher girl boy friend/adult tourist doctor player")
    if draft.chance(0.5) and noun.english_plural:
        subject = plain_phrase(draft, noun, "all the", True)
    else:
        subject = plain_phrase(draft, noun, "every")
    if draft.chance(0.3):
        return describe(draft, subject, draft.pick(("present", "past")), plain=True, among=GROUP_STATES), STOP
    if not noun.is_person:
        raise DeadEnd
    return draw_shared_action(draft, subject, ("past", "past", "present", "will")), STOP


def draw_two_subjects(draft: Draft) -> Sentence:
    """Draw a sentence such as: tom and anna are playing; my brother and i went home."""
    one = draw_nominal(draft, "person_name family", "poss")
    draft.owner = one.owner or POSSESSIVE[one.pronoun]
    two = draw_nominal(draft, "person_name family", "own")
    me = draft.chance(0.2)
    gender = "f" if one.agreement.gender == two.agreement.gender == "f" and not me else "m"
    right = leaf("i", "moi") if me else two.phrase
    phrase = join(one.phrase, leaf("and", "et"), right)
    # the verb is in the first person plural: mon frère et moi, nous
    agreement = Agreement(gender, True, 1 if me else 3)
    subject = Nominal(phrase, agreement, True, "we" if me else "they", one.noun)
    if me:
        subject = subject._replace(
            phrase=Phrase(phrase.english, (*phrase.french, Mot("nous", phrase.english[-1:])))
        )
    if draft.chance(0.3):
        return describe(draft, subject, draft.pick(("present", "past"))), STOP
    return action_clause(draft, subject), STOP


EACH_OTHER = (
    ("love", "s' aimer"),
    ("love", "s' aimer"),
    ("know", "se connaître"),
    ("help", "s' aider"),
    ("see", "se voir"),
    ("hate", "se détester"),
    ("meet", "se rencontrer"),
    ("understand", "se comprendre"),
)


def draw_each_other(draft: Draft) -> Sentence:
    """Draw a sentence such as: they love each other: ils s'aiment."""
    subject = draw_pronoun(draft, ("we", "they"))
    if draft.chance(0.5):
        subject = plain_phrase(
            draft,
            draft.noun("child/child boy girl friend/adult student woman cat brother sister"),
            "the",
            True,
        )
    english, french = draft.pick(EACH_OTHER)
    state = english in ("love", "know", "hate")
    verb = Verb(f"{english} each other", french, traits=frozenset({"state"} if state else set()))
    mode = draft.pick(("present", "imperfect")) if state else draft.pick(("present", "past"))
    return verb_clause(subject, verb, mode, adverb=draft.pick(("", "", "not"))), STOP
