"""Sentences with two actions: in sequence, in parallel, or one as the purpose of the other."""

from models.tasks.everyday import adjuncts
from models.tasks.everyday.actions import Action, complete_action, draw_verb, verbs_for
from models.tasks.everyday.clauses import POSSESSIVE, english_verb, infinitive
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.joining import comma, is_deliberate
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.linking import fixed
from models.tasks.everyday.modes import build_clause, past_looks_present
from models.tasks.everyday.nominals import plain_phrase
from models.tasks.everyday.pronouns import COLLECTIVE_NOUNS, clitic, pronoun_for
from models.tasks.everyday.subjects import belong_together, draw_another_person, draw_person
from models.tasks.everyday.tables import rows, word_group
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.phrase import NOTHING, Phrase, arrange, echo, join, leaf

BUSY_VERBS = word_group("busy_verbs")

SEQUENCES = tuple((row["first"], row["second"]) for row in rows("sequences"))


def named_action(draft: Draft, subject: Nominal, token: str, said: str = "") -> Action:
    """Build the action that a sequence names. An object mentioned before becomes a pronoun."""
    name, _, thing = token.strip().partition(":")
    found = draft.lexicon.select(
        (name, bool(thing)),
        lambda v: (
            v.english == name
            and v.subject in ("person", "", *PEOPLE_SUBJECTS)
            and (v.frame in ("t", "g") if thing else v.frame not in ("t", "g"))
        ),
    )
    if not found:
        found = draft.lexicon.select(("any", name), lambda v: v.english == name)
    verb = found[0]
    if not thing:
        return Action(verb)
    noun = draft.lexicon.named(thing)[0]
    if thing == said:
        return Action(verb, NOTHING, clitic("it", noun.gender))
    own = thing in ("coat", "homework", "key")
    mass = noun.is_mass
    plural = thing in ("flower", "key")
    draft.room = 0
    name = (
        (
            "some"
            if mass
            else (
                "a"
                if thing in ("ticket", "taxi", "letter", "email", "cake/food", "newspaper", "soup", "gift")
                else "the"
            )
        )
        if not own
        else POSSESSIVE[subject.pronoun]
    )
    if thing == "work/work":
        name = POSSESSIVE[subject.pronoun]
    if plural and not own:
        name = "some"
    nominal = plain_phrase(draft, noun, name, plural and bool(noun.english_plural))
    return Action(verb, nominal.phrase, None, nominal)


PEOPLE_SUBJECTS = (
    "person cat dog",
    "person baby",
    "person bird",
    "person animal baby",
    "person train bus plane",
)


def draw_same_subject(draft: Draft) -> Phrase:
    """Build a phrase such as: she opened the door and went out: two actions of one subject, in order."""
    subject = draw_person(draft)
    if subject.noun and subject.noun.english in COLLECTIVE_NOUNS:
        raise DeadEnd
    first, second = draft.pick(SEQUENCES)
    one = named_action(draft, subject, first)
    two = named_action(draft, subject, second, first.partition(":")[2])
    mode = draft.pick(("past", "past", "past", "past", "will", "present", "want to"))
    unclear = any(past_looks_present(action.verb, subject) for action in (one, two))
    if (unclear and mode == "present") or not (is_deliberate(one.verb) and is_deliberate(two.verb)):
        mode = "past"
    left = build_clause(draft, subject, one, mode)
    link = leaf("and", "et") if draft.chance(0.75) else join(leaf("and", "et"), leaf("then", "puis"))
    if mode in ("past", "present"):
        # French repeats the subject: elle a ouvert la porte et elle est sortie
        again = [mot._replace(sources=subject.phrase.english) for mot in pronoun_for(subject).phrase.french]
        bare = subject._replace(phrase=Phrase((), tuple(again)))
        return join(left, link, build_clause(draft, bare, two, mode))
    return join(left, leaf("and", "et"), infinitive(subject, two.verb, two.tail, clitic=two.clitic))


COMPARED_VERBS = word_group("compared_verbs")


def draw_two_people(draft: Draft, first: Nominal | None = None) -> Phrase:
    """Build a phrase such as: my brother plays football and my sister plays tennis: one field, one tense."""
    first = first or draw_person(draft)
    second = draw_another_person(draft, first)
    if not belong_together(first, second):
        raise DeadEnd
    verb = draw_verb(draft, first)
    if verb.base not in COMPARED_VERBS:
        raise DeadEnd
    draft.room = 0
    mode = draft.pick(("present", "past", "past", "now", "will"))
    if verb.is_state:
        mode = draft.pick(("present", "past"))
    elif (
        {"pastonly", "accident"} & verb.traits
        or (mode == "present" and any(past_looks_present(verb, who) for who in (first, second)))
        or ("moment" in verb.traits and mode in ("now", "present"))
        or ("state_present" in verb.traits and mode == "now")
    ):
        mode = "past"
    options = [
        v
        for v in verbs_for(draft, second)
        if (
            v.english == verb.english
            or (v.base in BUSY_VERBS and verb.base in BUSY_VERBS and v.field == verb.field)
        )
        and v.is_state == verb.is_state
        and ("moment" in v.traits) == ("moment" in verb.traits)
        and not ({"pastonly", "state_present"} & v.traits)
    ]
    if not options:
        raise DeadEnd
    action = complete_action(draft, first, verb)
    left = build_clause(draft, first, action, mode)
    right_verb = draft.pick(options)
    if right_verb is verb and verb.frame in ("i", "h"):
        raise DeadEnd
    but = right_verb is verb and draft.chance(0.5)
    right = build_clause(
        draft,
        second,
        draw_comparable_action(draft, second, right_verb, but, action),
        mode,
        "not" if but else "",
    )
    return join(left, leaf("but", "mais") if but else leaf("and", "et"), right)


def draw_comparable_action(
    draft: Draft, subject: Nominal, verb: Verb, negated: bool, other: Action
) -> Action:
    """Complete the action with an object of the same kind as the object of `other`."""
    kind = other.object.noun.kind if other.object and other.object.noun else ""
    for _ in range(6):
        action = complete_action(draft, subject, verb, negated)
        if (action.object.noun.kind if action.object and action.object.noun else "") == kind:
            return action
    raise DeadEnd


GOALS = {  # destination → what people do there
    "bank/institution": (("get some money", "retirer de l' argent"),),
    "supermarket": (
        ("buy some bread", "acheter du pain"),
        ("buy some milk", "acheter du lait"),
        ("buy some food", "acheter de la nourriture"),
    ),
    "bakery": (("buy some bread", "acheter du pain"), ("buy a cake", "acheter un gâteau")),
    "market": (
        ("buy some fruit", "acheter des fruits"),
        ("buy some cheese", "acheter du fromage"),
        ("buy vegetables", "acheter des légumes"),
    ),
    "station": (("take the train", "prendre le train"), ("wait for my friend", "attendre mon ami")),
    "airport": (("take the plane", "prendre l' avion"),),
    "restaurant": (("eat", "manger"), ("have dinner", "dîner"), ("have lunch", "déjeuner")),
    "library": (("read", "lire"), ("study", "étudier"), ("borrow a book", "emprunter un livre")),
    "beach": (("swim", "nager"), ("rest", "se reposer")),
    "park": (("run", "courir"), ("play", "jouer"), ("go for a walk", "se promener")),
    "cinema": (("watch a film", "regarder un film"),),
    "post_office": (("send a letter", "envoyer une lettre"),),
    "hospital": (
        ("see a doctor", "voir un médecin"),
        ("visit my grandmother", "rendre visite à ma grand-mère"),
    ),
    "school": (("learn french", "apprendre le français"), ("learn english", "apprendre l' anglais")),
    "kitchen": (
        ("cook", "cuisiner"),
        ("make some coffee", "faire du café"),
        ("drink some water", "boire de l' eau"),
    ),
    "stadium": (("watch the match", "regarder le match"),),
}


def fixed_infinitive(subject: Nominal, english: str, french: str, to: str, link: str) -> Phrase:
    """Build a fixed action as an infinitive, with separate links for its verb and its object."""
    head, _, tail = english.partition(" ")
    words = french.split()
    cut = 2 if words[0] in ("se", "s'") or words[0] == "rendre" else 1
    if english in ("go for a walk", "have dinner", "have lunch", "see a doctor"):
        head, tail, cut = english, "", len(words)
    verb = Verb(head, " ".join(words[:cut]))
    if head == "wait":
        verb, tail = Verb("wait for", "attendre"), tail.removeprefix("for ")
    return infinitive(subject, verb, fixed(tail, " ".join(words[cut:])), to, link)


def draw_purpose(draft: Draft) -> Phrase:
    """Build a phrase such as: i went to the bank to get some money: pour retirer de l'argent."""
    subject = draw_person(draft)
    place = draft.pick(tuple(GOALS))
    noun = draft.lexicon.named(place)[0]
    if place == "school" and draft.chance(0.5):
        goal = adjuncts.place_to_school()
    else:
        goal = adjuncts.place_at_noun(draft, noun, ("to",))
    english, french = draft.pick(GOALS[place])
    if "my" in english.split() and subject.pronoun != "i":
        raise DeadEnd
    if subject.noun and subject.noun.english in english.split():
        raise DeadEnd
    mode = draft.pick(("past", "past", "past", "now", "will", "present", "want to"))
    main = build_clause(draft, subject, Action(draft.lexicon.verb("go"), goal), mode)
    return join(main, fixed_infinitive(subject, english, french, "to", "pour"))


BEFORE_AFTER_VERBS = word_group("before_after_verbs")

AFTER_VERBS = word_group("after_verbs")


def draw_before_after(draft: Draft) -> Phrase:
    """Build a phrase such as: before going out, she closed the door; after eating, we slept."""
    subject = draw_person(draft)
    verbs = [
        v
        for v in verbs_for(draft, subject)
        if v.base in BEFORE_AFTER_VERBS
        and not v.is_state
        and v.frame not in ("h", "g")
        and "state_present" not in v.traits
    ]
    if not verbs:
        raise DeadEnd
    first = draft.pick(verbs)
    draft.verbs.add(first.english)
    action = complete_action(draft, subject, first)
    before = draft.chance(0.6)
    if before:
        part = infinitive(subject, first, action.tail, "before", "avant de", action.clitic, "ing")
    else:
        if first.takes_etre or action.clitic:
            raise DeadEnd
        opener, spoken = (
            leaf("after", "après"),
            join(english_verb(first, "ing", subject), leaf(first.particle, "")),
        )
        rest = f"{first.participle(None)} {first.french_rest}".strip()
        part = join(opener, arrange([spoken], [echo(spoken, f"avoir {rest}")]), action.tail)
    second = draw_verb(draft, subject)
    if (
        second.is_state
        or "state_present" in second.traits
        or not (second.base in BEFORE_AFTER_VERBS or second.english in AFTER_VERBS)
    ):
        raise DeadEnd
    mode = draft.pick(("past", "past", "will"))
    if draft.chance(0.5):
        own_action = complete_action(draft, subject, second)
        return join(part, comma(), build_clause(draft, subject, own_action, mode))
    return join(build_clause(draft, subject, complete_action(draft, subject, second), mode), part)
