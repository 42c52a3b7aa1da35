"""Measures, contents and passives, and phrases with for, from, about and without."""

from models.tasks.everyday import adjuncts
from models.tasks.everyday.actions import Action, complete_action
from models.tasks.everyday.clauses import POSSESSIVE, be_clause, verb_clause
from models.tasks.everyday.determiners import NUMBERS, RELATIONAL_ADULTS
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.modes import build_clause
from models.tasks.everyday.modifiers import add_adjuncts
from models.tasks.everyday.nominals import draw_nominal, nominal_for, plain_phrase, proper_name
from models.tasks.everyday.pronouns import CLITICS, ce, draw_pronoun, pronoun
from models.tasks.everyday.questions import country_after_de
from models.tasks.everyday.subjects import QUESTION, STOP, Sentence, draw_person, draw_third_person
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.phrase import NOTHING, join, leaf

MEASURES = (
    ("glass/cup", "water milk juice wine beer"),
    ("cup", "coffee tea"),
    ("bottle", "water wine milk beer juice oil"),
    ("piece", "bread cheese cake/food chocolate meat"),
    ("box", "cookie sweet egg"),
    ("pair", "shoe sock glove boot"),
    ("group", "student child/child tourist"),
)


def measure_phrase(draft: Draft) -> Nominal:
    """Build a noun phrase such as: a cup of tea: une tasse de thé; a pair of shoes."""
    head, content = draft.pick(MEASURES)
    noun = draft.lexicon.named(head)[0]
    inside = draft.noun(content)
    several = bool(noun.english_plural) and noun.english not in ("group", "pair") and draft.chance(0.25)
    name = draft.pick(tuple(NUMBERS)[:4]) if several else "a"
    quantity = plain_phrase(draft, noun, name, several)
    many = noun.english in ("pair", "group", "box")
    what = leaf(
        inside.english_plural if many else inside.english, inside.french_plural if many else inside.french
    )
    return quantity._replace(phrase=join(quantity.phrase, leaf("of", "de"), what))


MEASURE_VERBS = (  # measure words, and verbs that suit the measured thing
    ("group", "see"),
    ("pair bottle box", "buy want"),
    ("glass cup", "want order drink"),
    ("piece", "want eat buy"),
)


def draw_measure(draft: Draft) -> Sentence:
    """Draw a sentence such as: she ordered a cup of tea."""
    thing = measure_phrase(draft)
    text = " ".join(word.text for word in thing.phrase.english)
    subject = draw_pronoun(draft) if draft.chance(0.6) else draw_third_person(draft)
    verbs = next(verbs for heads, verbs in MEASURE_VERBS if any(head in text for head in heads.split()))
    verb = draft.pick(draft.lexicon.transitive(verbs))
    state_modes, modes = (
        ("present", "past", "would like to"),
        ("past", "past", "would like to", "want to", "will"),
    )
    mode = draft.pick(state_modes if verb.is_state else modes)
    if verb.is_state and mode == "would like to":
        return verb_clause(subject, Verb("like", "vouloir"), "would", thing.phrase), STOP
    asked = draft.chance(0.15) and subject.agreement.person > 1
    return build_clause(
        draft, subject, Action(verb, thing.phrase), mode, "", asked
    ), QUESTION if asked else STOP


FULL = (
    ("street", "people/adult"),
    ("glass/cup", "water"),
    ("box", "book toy letter"),
    ("bag", "book money apple"),
    ("room", "flower people/adult"),
    ("bus", "people/adult student"),
    ("bottle", "milk water wine"),
    ("garden", "flower"),
    ("restaurant", "tourist people/adult"),
    ("park", "child/child tree"),
    ("sky", "star bird"),
)


def draw_full_of(draft: Draft) -> Sentence:
    """Draw a sentence such as: the street is full of people: la rue est pleine de gens."""
    place, contents = draft.pick(FULL)
    subject = plain_phrase(draft, draft.lexicon.named(place)[0], draft.pick(("the", "the", "this")))
    noun = draft.noun(contents)
    many = noun.english_plural or noun.number
    inside = leaf(noun.english_plural or noun.english, noun.french_plural if many else noun.french)
    full = leaf("full", "plein" + "e" * (subject.agreement.gender == "f"))
    return be_clause(subject, draft.pick(("present", "past")), join(full, leaf("of", "de"), inside)), STOP


NO_PASSIVE = ("eat", "have", "visit", "enter", "break", "close", "open", "lose")
PLANNED_PASSIVES = ("build", "sell", "repair", "sign", "buy", "clean", "finish", "write")
DATED_PASSIVES = ("build", "sign", "write", "paint", "discover", "create", "elect")


def has_passive(verb: Verb) -> bool:
    return "passive" in verb.traits and verb.frame == "t" and not verb.link and verb.base not in NO_PASSIVE


def draw_passive(draft: Draft) -> Sentence:
    """Draw a sentence such as: the house was built in 1990: la maison a été construite en 1990."""
    verb = draft.pick(draft.lexicon.select("passive", has_passive))
    noun = draft.noun(verb.object)
    if noun.kind in ("person_name", "family", "city", "country") or noun.is_mass:
        raise DeadEnd
    room, draft.room = draft.room, 0
    subject = nominal_for(draft, noun, "def", deep=False)
    draft.room = room
    asked = draft.chance(0.12)
    done = leaf(
        " ".join([verb.english_form("participle"), verb.rest, verb.particle]).strip(),
        f"{verb.participle(subject.agreement)} {verb.french_rest}".strip(),
    )
    adverb = "" if asked or verb.base == "buy" else draft.pick(("", "", "", "", "not"))
    tense = "will" if draft.chance(0.15) and verb.base in PLANNED_PASSIVES else "past"
    phrase = be_clause(subject, tense, done, adverb, asked, passive=True)
    if draft.afford(2, 0.5) and not adverb:
        pool = "family person_name" if {"person", "adult"} & set(verb.subject.split()) else verb.subject
        phrase = join(phrase, leaf("by", "par"), draw_nominal(draft, pool, "def").phrase)
    if tense == "past" and draft.afford(2, 0.5):
        dated = verb.base in DATED_PASSIVES
        phrase = join(phrase, adjuncts.draw_date(draft, True) if dated else adjuncts.draw_time(draft, "past"))
    return phrase, QUESTION if asked else STOP


TOPIC_VERBS = (  # verbs that suit a text about something, and the texts
    ("read", "book/text story letter article text/text"),
    ("write", "book/text story song letter article text/text"),
    ("watch", "film/media video"),
    ("buy", "book/text"),
    ("find", "book/text article"),
)


TOPICS = "subject topic animal war life nature/nature love city country person_name -history"


def draw_topic(draft: Draft) -> Sentence:
    """Draw a sentence such as: i read a book about space: sur l'espace; he left at the end of the film."""
    if draft.chance(0.5):
        name, texts = draft.pick(TOPIC_VERBS)
        text = draft.noun(texts)
        head = plain_phrase(draft, text, draft.pick(("a", "a", "the", "this")))
        topic = draw_nominal(draft, TOPICS, "generic")
        whole = head._replace(phrase=join(head.phrase, leaf("about", "sur"), topic.phrase))
        verb = draft.pick(draft.lexicon.transitive(name))
        subject = draw_person(draft)
        modes = ("past", "past", "now" if "moment" not in verb.traits else "past", "want to", "will")
        return build_clause(draft, subject, Action(verb, whole.phrase), draft.pick(modes)), STOP
    part, article, french = draft.pick(
        (("end", "la", "fin"), ("beginning", "le", "début"), ("middle", "le", "milieu"))
    )
    middle = part == "middle"
    ended = "film/media story book/text song night/day_part lesson week/time holiday"
    of = plain_phrase(draft, draft.noun("night/day_part" if middle else ended), "the")
    end_of = join(leaf("the", article), leaf(part, french), leaf("of", "de"), of.phrase)
    subject = draw_person(draft)
    x = draft.rng.random()
    if x < 0.5 and not middle and of.noun and of.noun.kind in ("media", "idea", "text"):
        verb = draft.pick(ENDING_VERBS)
        adverb = draft.pick(("", "", "not"))
        return verb_clause(subject, verb, "present", join(leaf("", verb.link), end_of), adverb), STOP
    names = (
        ("wake up", "cry", "leave", "call") if middle else ("cry", "laugh", "leave", "fall asleep", "smile")
    )
    verb = draft.pick(
        draft.lexicon.select(names, lambda v: v.english in names and (v.frame == "i" or v.english == "call"))
    )
    phrase = build_clause(draft, subject, complete_action(draft, subject, verb), "past")
    return join(phrase, leaf("in" if middle else "at", "à"), end_of), STOP


ENDING_VERBS = (
    Verb("like", "aimer", traits=frozenset({"state"})),
    Verb("know", "connaître", traits=frozenset({"state"})),
    Verb("remember", "se souvenir", link="de"),
)


def draw_for_somebody(draft: Draft) -> Sentence:
    """Draw a sentence such as: i bought a book for my mother: pour ma mère."""
    subject = draw_person(draft)
    verb = draft.pick(draft.lexicon.transitive("buy make cook choose bring order prepare draw do"))
    mode = draft.pick(("past", "past", "will", "want to", "going"))
    action = complete_action(draft, subject, verb)
    if action.object and action.object.noun and action.object.noun.english in ("mistake", "list"):
        raise DeadEnd
    phrase = build_clause(draft, subject, action, mode)
    if draft.chance(0.4):
        own = {1: ("me", "us"), 2: ("you",), 3: ()}[subject.agreement.person]
        word = draft.pick([word for word in ("me", "you", "him", "her", "us", "them") if word not in own])
        whom = leaf(word, CLITICS[word][2])
    else:
        whom = draw_nominal(draft, "family family person_name friend/adult child/child", "poss").phrase
    phrase = join(phrase, leaf("for", "pour"), whom)
    return add_adjuncts(draft, subject, action._replace(placed=True), mode, phrase), STOP


def draw_two_objects(draft: Draft) -> Sentence:
    """Draw a sentence such as: i bought bread and cheese: j'ai acheté du pain et du fromage."""
    subject = draw_person(draft)
    verb = draft.pick(draft.lexicon.transitive("buy eat drink like love want have see"))
    draft.room = 0
    draft.everyday = "generic" not in verb.traits
    one = draft.noun(verb.object)
    if verb.base == "have" and one.is_person:
        raise DeadEnd
    if one.kind in ("person_name", "city", "country") or one.is_person:
        two = draft.noun("person_name family")
        one = draft.noun("person_name family")
    else:
        two = draft.noun("car bike boat motorbike" if one.kind == "vehicle" else one.kind + " -alcohol")
    style = "generic" if "generic" in verb.traits else "indef"
    left, right = (nominal_for(draft, noun, style, deep=False) for noun in (one, two))
    link = leaf("or", "ou") if draft.chance(0.15) else leaf("and", "et")
    mode = draft.pick(("present", "past") if verb.is_state else ("past", "past", "will", "want to"))
    asked = draft.chance(0.1) and subject.agreement.person > 1
    phrase = build_clause(
        draft, subject, Action(verb, join(left.phrase, link, right.phrase)), mode, "", asked
    )
    return phrase, QUESTION if asked else STOP


def draw_origin(draft: Draft) -> Sentence:
    """Draw a sentence such as: i am from india: je viens d'inde."""
    subject = draw_person(draft)
    place = proper_name(draft, draft.noun("country country city"))
    asked = draft.chance(0.2) and subject.agreement.person > 1
    tail = join(leaf("from", "de"), country_after_de(place))
    if draft.chance(0.15):
        where = leaf("where", "d' où")
        return be_clause(pronoun("you"), "present", leaf("from", ""), "", True, where, "venir"), QUESTION
    adverb = "" if asked or draft.chance(0.85) else "not"
    return be_clause(subject, "present", tail, adverb, asked, verb="venir"), QUESTION if asked else STOP


def draw_letter_from(draft: Draft) -> Sentence:
    """Draw a sentence such as: i got a letter from my mother: une lettre de ma mère."""
    subject = draw_person(draft)
    thing = draw_nominal(draft, "letter letter email email message postcard gift", "indef")
    draft.owner = POSSESSIVE[subject.pronoun]
    person = draw_nominal(draft, "family family friend/adult person_name teacher", "poss")
    verb = draft.pick(draft.lexicon.transitive("get receive read have"))
    if verb.base == "read" and thing.noun and thing.noun.english == "gift":
        raise DeadEnd
    mode = "present" if verb.is_state else draft.pick(("past", "past", "perfect"))
    phrase = build_clause(
        draft, subject, Action(verb, join(thing.phrase, leaf("from", "de"), person.phrase)), mode
    )
    return phrase, STOP


def draw_distance(draft: Draft) -> Sentence:
    """Draw a sentence such as: is it far: est-ce que c'est loin; the school is far from the station."""
    word = leaf("far", "loin")
    asked = draft.chance(0.4)
    if draft.chance(0.4):
        subject, tail = ce("it"), word
    else:
        draft.room = 0
        subject, tail = draw_nominal(draft, "building shop/shop outdoor hotel station city", "def"), word
        if not draft.chance(0.3):
            other = draw_nominal(draft, "building station beach city/outdoor airport", "def")
            tail = join(word, leaf("from", "de"), other.phrase)
    phrase = be_clause(subject, "present", tail, "" if asked or draft.chance(0.6) else "not", asked)
    return phrase, QUESTION if asked else STOP


def draw_without(draft: Draft) -> Sentence:
    """Draw a sentence such as: he left without his coat: sans son manteau; tea without milk."""
    subject = draw_person(draft)
    if draft.chance(0.4):
        drink = draft.noun("coffee tea")
        content = draft.noun("sugar milk")
        verb = draft.pick(draft.lexicon.transitive("drink want order like"))
        style = "all" if verb.base == "like" else draft.pick(("some", "bare"))
        cup = plain_phrase(draft, drink, style).phrase
        mode = "present" if verb.is_state else draft.pick(("past", "present", "will"))
        tail = join(cup, leaf("without", "sans"), leaf(content.english, content.french))
        return build_clause(draft, subject, Action(verb, tail), mode), STOP
    names = ("go out", "leave", "go home", "come back")
    verb = draft.pick(draft.lexicon.select("left", lambda v: v.english in names and v.frame == "i"))
    draft.owner = POSSESSIVE[subject.pronoun]
    draft.room = 0
    left = draw_nominal(draft, "key phone coat umbrella hat bag money/money dog wallet shoe", "own")
    phrase = build_clause(draft, subject, Action(verb), draft.pick(("past", "past", "will")))
    return join(phrase, leaf("without", "sans"), left.phrase), STOP


def draw_around(draft: Draft) -> Sentence:
    """Draw a sentence such as: she ran around the lake: autour du lac."""
    subject = draw_person(draft)
    verb = draft.pick((Verb("walk", "marcher"), Verb("run", "courir"), Verb("sit", "s' asseoir")))
    spec = "table" if verb.base == "sit" else "lake house/building park"
    if verb.base == "sit" and not subject.plural:
        raise DeadEnd
    thing = plain_phrase(draft, draft.noun(spec), "the")
    action = Action(verb, join(leaf("around", "autour de"), thing.phrase))
    return build_clause(draft, subject, action, draft.pick(("past", "past", "will"))), STOP


MADE_OF = (
    ("ring", "gold silver"),
    ("watch", "gold silver"),
    ("table", "wood glass/material"),
    ("chair", "wood"),
    ("house", "wood"),
)


def draw_material(draft: Draft) -> Sentence:
    """Draw a sentence such as: the ring is made of gold: la bague est en or."""
    name, materials = draft.pick(MADE_OF)
    thing = plain_phrase(draft, draft.lexicon.noun(name), draft.pick(("the", "this", "my", "her")))
    material = draft.noun(materials)
    made = leaf("made of", "en")
    asked = draft.chance(0.15) and thing.owner != "my"
    tail = join(made, leaf(material.english, material.french))
    return be_clause(thing, draft.pick(("present", "past")), tail, "", asked), QUESTION if asked else STOP


def draw_across(draft: Draft) -> Sentence:
    """Draw a sentence such as: the bank is on the other side of the street: de l'autre côté de la rue."""
    place = plain_phrase(draft, draft.noun("shop hotel school hospital station church museum house"), "the")
    of = plain_phrase(draft, draft.noun("street river/nature road square bridge"), "the")
    side = (("on", "de"), ("the", "l'"), ("other", "autre"), ("side", "côté"), ("of", "de"))
    return be_clause(place, "present", join(*(leaf(*words) for words in side), of.phrase)), STOP


MANY = tuple("country/state river road beach network village mountain island lake".split())
UNCOUNTED_KINDS = ("time", "body", "relation", "day_part", "part", "family", "illness", "money", "meal")
UNCOUNTED_NOUNS = ("walk", "break", "conversation", "birthday", "surprise", "chance", "way")


def draw_there_are(draft: Draft) -> Sentence:
    """Draw a sentence such as: there are many networks: il y a beaucoup de réseaux."""
    noun = draft.lexicon.named(draft.pick(MANY))[0] if draft.chance(0.3) else draft.pick(draft.lexicon.nouns)
    countable = noun.english_plural and not noun.is_mass and noun.kind not in UNCOUNTED_KINDS
    barred = noun.english in RELATIONAL_ADULTS or noun.english in UNCOUNTED_NOUNS
    if not countable or barred or not draft.lexicon.is_usual(noun):
        raise DeadEnd
    amounts = (*NUMBERS, "many", "many", "a lot of", "several", "too many", "some")
    thing = plain_phrase(draft, noun, draft.pick(amounts), True)
    past = draft.chance(0.3)
    place = leaf("here", "ici") if draft.chance(0.2) else NOTHING
    be = leaf("were", "avait") if past else leaf("are", "a")
    return join(leaf("there", "il y"), be, thing.phrase, place), STOP
