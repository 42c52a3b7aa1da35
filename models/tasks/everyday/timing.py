"""Clauses that give a time: when, while, before, after, used to; and actions that follow one another."""

from models.tasks.everyday import adjuncts, conjugation
from models.tasks.everyday.actions import (
    ACTIVITY_VERBS,
    Action,
    complete,
    of_kinds,
    past_looks_present,
    say,
    some_verb,
    verbs_for,
    with_pronoun,
)
from models.tasks.everyday.clauses import (
    POSSESSIVE,
    be_clause,
    command,
    english_verb,
    infinitive,
    verb_clause,
)
from models.tasks.everyday.joining import cause_first, comma, deliberate, subject_cause
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.linking import fixed
from models.tasks.everyday.nominals import (
    COLLECTIVE_NOUNS,
    THIRD_PERSON,
    Draft,
    Nominal,
    clitic,
    noun_phrase,
    pronoun,
    pronoun_for,
    some_pronoun,
)
from models.tasks.everyday.reasons import it
from models.tasks.everyday.subjects import somebody
from models.tasks.everyday.tables import word_group
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.phrase import NOTHING, Phrase, arrange, echo, join, leaf
from models.tasks.translation.verbs import arrange_clause

INTERRUPTIONS = ("arrive", "come back", "go out", "come in")


def interruption(draft: Draft, first: Nominal) -> Phrase:
    """Something that happened while the first was busy."""
    x = draft.rng.random()
    if x < 0.65:
        name = draft.pick(INTERRUPTIONS)
        return say(
            draft,
            another(draft, first),
            Action(draft.lexicon.verb(name)),
            "past",
        )
    if x < 0.77:
        phone = noun_phrase(draft, draft.lexicon.noun("phone"), "the", adjectives=())
        return verb_clause(phone, Verb("ring", "sonner"), "past")
    if x < 0.9:
        rain = infinitive(it(), Verb("rain", "pleuvoir"), to="to", link="à")
        return verb_clause(it(), Verb("begin", "commencer"), "past", rain)
    train = noun_phrase(draft, draft.lexicon.noun("train"), "the", adjectives=())
    return verb_clause(train, Verb("leave", "partir"), "past")


def when_past(draft: Draft) -> Phrase:
    """Build a phrase such as: i was reading when he arrived; when i came home, she was sleeping."""
    draft.everyday = True
    first = somebody(draft)
    during = say(draft, first, complete(draft, first, lasting_verb(draft, first)), "then")
    happened = interruption(draft, first)
    if draft.chance(0.5):
        return join(leaf("when", "quand"), happened, comma(), during)
    return join(during, leaf("when", "quand"), happened)


def another(draft: Draft, first: Nominal) -> Nominal:
    """Somebody who is not the first."""
    for _ in range(6):
        draft.owner = ""
        other = somebody(draft)
        if other.owner in THIRD_PERSON and first.agreement.person == 3:
            continue  # my wife, her husband
        if other.agreement.person != first.agreement.person or (
            other.agreement.person == 3 and other.noun and first.pronoun != other.pronoun
        ):
            return other
    raise DeadEnd


def lasting_verb(draft: Draft, subject: Nominal) -> Verb:
    for _ in range(12):
        verb = some_verb(draft, subject)
        if (
            (verb.base in BUSY_VERBS or verb.english in BUSY_VERBS)
            and "state_present" not in verb.traits
            and "moment" not in verb.traits
            and not (verb.base == "work" and verb.frame == "l")
        ):
            return verb
    raise DeadEnd


CHILDHOOD_VERBS = word_group("childhood_verbs")
BUSY_VERBS = word_group("busy_verbs")


def childhood(draft: Draft) -> Phrase:
    """Build a phrase such as: when i was young, i lived in paris: imperfect on both sides."""
    subject = somebody(draft)
    if (subject.plural and subject.noun) or (subject.noun and subject.noun.kind == "child"):
        raise DeadEnd
    who = pronoun_for(subject)
    young = draft.pick(("young", "young", "small", "a child"))
    if young == "a child":
        complement = join(leaf("a", ""), leaf("child", "enfant" + "s" * subject.agreement.plural))
        if subject.plural:
            complement = leaf("children", "enfants")
    else:
        word = {"young": "jeune", "small": "petit"}[young]
        ending = "e" * (word == "petit" and subject.agreement.gender == "f") + "s" * subject.agreement.plural
        complement = leaf(young, word + ending)
    when = join(leaf("when", "quand"), be_clause(subject, "past", complement))
    verb = draft.pick(
        draft.lexicon.select(
            "childhood", lambda v: v.base in CHILDHOOD_VERBS and "person" in v.subject.split()
        )
    )
    adverb = draft.pick(("often", "always")) if not verb.is_state else ""
    action = complete(draft, who, of_kinds(verb) if verb.frame == "t" and not verb.is_state else verb)
    main = verb_clause(who, verb, "imperfect", action.tail, adverb, False, action.clitic)
    return join(when, comma(), main) if draft.chance(0.7) or subject.noun else join(main, when)


def used_to(draft: Draft) -> Phrase:
    """Build a phrase such as: used to play: jouait."""
    subject = somebody(draft)
    verb = some_verb(draft, subject)
    if not {verb.base, verb.english} & (ACTIVITY_VERBS | {"live", "like", "love", "smoke"}):
        raise DeadEnd
    action = complete(draft, subject, of_kinds(verb) if verb.frame == "t" and not verb.is_state else verb)
    used = Verb(f"use to {verb.english}", verb.french, traits=verb.traits)
    phrase = verb_clause(subject, used, "imperfect", action.tail, "", False, action.clitic)
    return (
        join(phrase, adjuncts.place_of(draft, draft.pick(verb.where)))
        if verb.where and not action.placed and draft.afford(3, 0.4)
        else phrase
    )


WHEN_ARRIVED = tuple(  # what one asks others to do then, `verb:object`; call is call me
    "call call open:door open:window close:door close:window turn+off:television turn+off:radio turn+off:light"
    " turn+on:light make:coffee make:tea lock:door feed:cat feed:dog clean:kitchen".split()
)


def when_future(draft: Draft) -> Phrase:
    """Build a phrase such as: when he arrives, we will leave: quand il arrivera, nous partirons; when he arrives, call me."""
    first = somebody(draft)
    if not same_circle(first, pronoun("you")):
        raise DeadEnd
    arrivals = draft.lexicon.select(
        "arrivals",
        lambda v: v.english in ("arrive", "come back", "go home", "leave") and v.frame in ("i", "a"),
    )
    verb = draft.pick(arrivals)
    if first.noun and verb not in draft.lexicon.done_by(first.noun):
        raise DeadEnd
    draft.verbs.add(verb.english)
    action = complete(draft, first, verb)
    clause = verb_clause(first, verb, "when", action.tail, "", False, action.clitic)
    if draft.chance(0.6):
        token = draft.pick(WHEN_ARRIVED)
        if first.agreement.person == 1 or (action.placed and token != "call"):
            raise DeadEnd
        you = pronoun("you")
        if token == "call":
            order = with_pronoun(draft.lexicon.verb("call"), draft.pick(("me", "me", "us")))
        else:
            order = named_action(draft, you, token)
        main = command(you, order.verb, order.tail, "", order.clitic)
    else:
        if first.agreement.person < 3:
            raise DeadEnd
        who = some_pronoun(draft, ("i", "we", "you"))
        later = draft.pick([v for v in arrivals if v.frame == "i" and v.english != verb.english])
        if {verb.english, later.english} == {"come back", "go home"}:
            raise DeadEnd
        main = simple_future(who, later)
    if draft.chance(0.6):
        return join(leaf("when", "quand"), clause, comma(), main)
    return join(main, leaf("when", "quand"), clause)


def simple_future(subject: Nominal, verb: Verb) -> Phrase:
    """Build a phrase such as: we will leave: nous partirons."""
    will = leaf("will", "")
    spoken = join(english_verb(verb, "base", subject), leaf(verb.particle, ""))
    form = conjugation.future(verb.infinitive)[subject.agreement.speaker]
    return arrange_clause(subject.phrase, will, spoken, echo(join(will, spoken), form), NOTHING)


def when_habit(draft: Draft) -> Phrase:
    """Build a phrase such as: when it rains, we stay at home; when i am tired, i sleep."""
    draft.everyday = True
    subject = somebody(draft)
    action, tag = subject_cause(draft, subject, False)
    if action.verb.is_state or "accident" in action.verb.traits or tag in ("late_night", "money", "no_money"):
        raise DeadEnd
    if tag == "rain":
        first, who = verb_clause(it(), Verb("rain", "pleuvoir"), draft.pick(("present", "now"))), subject
    else:
        first, who = cause_first(draft, tag, subject, "present")
    adverb = draft.pick(("", "", "", "always", "often")) if "moment" not in action.verb.traits else ""
    if past_looks_present(action.verb, who):
        adverb = "always"
    main = say(draft, who, action, "present", adverb)
    return join(leaf("when", "quand"), first, comma(), main)


def while_clause(draft: Draft) -> Phrase:
    draft.everyday = True
    first = somebody(draft)
    second = another(draft, first)
    if not same_circle(first, second):
        raise DeadEnd
    tense = draft.pick(("now", "then", "then"))
    one, two = lasting_verb(draft, first), lasting_verb(draft, second)
    if one.base == two.base == "have":
        raise DeadEnd  # breakfast while another has dinner
    left, right = (
        say(draft, first, complete(draft, first, one), tense),
        say(draft, second, complete(draft, second, two), tense),
    )
    if draft.chance(0.5):
        return join(left, leaf("while", "pendant que"), right)
    return join(leaf("while", "pendant que"), left, comma(), right)


SEQUENCES = tuple(  # what one does after what; a noun after the colon is the object
    tuple(line.split(","))
    for line in """wake up,get up|get up,wash|get up,have breakfast|wash,get dressed|get dressed,go out|open:door,go out
    open:door,come in|open:window,sit down|take:bus,go home|take:train,come back|sit down,read|sit down,wait
    sit down,order:coffee|go home,rest|go home,have dinner|go home,go to bed|come back,sit down|buy:bread,go home
    buy:newspaper,sit down|cook:soup,eat:soup|cook:fish/food_mass,eat|eat,go to bed|finish:book/text,go out
    finish:work/work,go home|close:door,leave|close:window,go to bed|turn+off:light,go to bed
    turn+off:television,go out|take+off:coat,sit down|put+on:coat,go out|take:umbrella,go out|read,fall asleep
    have dinner,do the dishes|have lunch,rest|fall,cry|sit down,cry|sing,dance|eat,drink:water|drink:coffee,leave
    take:key,leave|lock:door,leave|find:key,come in|go out,take:taxi|buy:ticket,take:train|have breakfast,leave
    rest,sleep|wait,leave|make:coffee,sit down|come in,sit down|turn+on:light,read|open:letter,cry|open:gift,smile
    wash,go to bed|make:cake/food,eat:cake/food|buy:flower,come back|turn+on:computer,write:email
    open:book/text,read|run,fall|dance,laugh""".replace("\n", "|").split("|")
)


def named_action(draft: Draft, subject: Nominal, token: str, said: str = "") -> Action:
    """The action that a sequence names; an object that was said before becomes a pronoun."""
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
    nominal = noun_phrase(draft, noun, name, plural and bool(noun.english_plural), adjectives=())
    return Action(verb, nominal.phrase, None, nominal)


PEOPLE_SUBJECTS = (
    "person cat dog",
    "person baby",
    "person bird",
    "person animal baby",
    "person train bus plane",
)


def same_subject(draft: Draft) -> Phrase:
    """Build a phrase such as: she opened the door and went out: two actions of one subject that follow one another."""
    subject = somebody(draft)
    if subject.noun and subject.noun.english in COLLECTIVE_NOUNS:
        raise DeadEnd
    first, second = draft.pick(SEQUENCES)
    one, two = named_action(draft, subject, first), None
    two = named_action(draft, subject, second, first.partition(":")[2])
    mode = draft.pick(("past", "past", "past", "past", "will", "present", "want to"))
    unclear = any(past_looks_present(action.verb, subject) for action in (one, two))
    if unclear and mode == "present" or not (deliberate(one.verb) and deliberate(two.verb)):
        mode = "past"
    left = say(draft, subject, one, mode)
    link = leaf("and", "et") if draft.chance(0.75) else join(leaf("and", "et"), leaf("then", "puis"))
    if mode in ("past", "present"):
        # French says the subject again: elle a ouvert la porte et elle est sortie
        again = [mot._replace(sources=subject.phrase.english) for mot in pronoun_for(subject).phrase.french]
        bare = subject._replace(phrase=Phrase((), tuple(again)))
        return join(left, link, say(draft, bare, two, mode))
    return join(left, leaf("and", "et"), infinitive(subject, two.verb, two.tail, clitic=two.clitic))


COMPARED_VERBS = word_group("compared_verbs")


def two_people(draft: Draft, first: Nominal | None = None) -> Phrase:
    """Build a phrase such as: my brother plays football and my sister plays the piano: one field, one tense."""
    first = first or somebody(draft)
    second = another(draft, first)
    if not same_circle(first, second):
        raise DeadEnd
    verb = some_verb(draft, first)
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
    action = complete(draft, first, verb)
    left = say(draft, first, action, mode)
    right_verb = draft.pick(options)
    if right_verb is verb and verb.frame in ("i", "h"):
        raise DeadEnd
    but = right_verb is verb and draft.chance(0.5)
    right = say(draft, second, comparable(draft, second, right_verb, but, action), mode, "not" if but else "")
    return join(left, leaf("but", "mais") if but else leaf("and", "et"), right)


CIRCLE = ("family", "person_name")


def same_circle(first: Nominal, second: Nominal) -> bool:
    """Whether two subjects are said side by side: pronouns, names and family, or two of one kind."""
    kinds = ["family" if n.noun is None or n.noun.kind in CIRCLE else n.noun.kind for n in (first, second)]
    return kinds[0] == kinds[1]


def comparable(draft: Draft, subject: Nominal, verb: Verb, negated: bool, other: Action) -> Action:
    """The action with an object of the same kind as that of the other."""
    kind = other.object.noun.kind if other.object and other.object.noun else ""
    for _ in range(6):
        action = complete(draft, subject, verb, negated)
        if (action.object.noun.kind if action.object and action.object.noun else "") == kind:
            return action
    raise DeadEnd


GOALS = {  # where: what one does there
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


def chunk(subject: Nominal, english: str, french: str, to: str, link: str) -> Phrase:
    """A fixed action as an infinitive, its verb and its object linked apart."""
    head, _, tail = english.partition(" ")
    words = french.split()
    cut = 2 if words[0] in ("se", "s'") or words[0] == "rendre" else 1
    if english in ("go for a walk", "have dinner", "have lunch", "see a doctor"):
        head, tail, cut = english, "", len(words)
    verb = Verb(head, " ".join(words[:cut]))
    if head == "wait":
        verb, tail = Verb("wait for", "attendre"), tail.removeprefix("for ")
    return infinitive(subject, verb, fixed(tail, " ".join(words[cut:])), to, link)


def purpose(draft: Draft) -> Phrase:
    """Build a phrase such as: i went to the bank to get some money: pour retirer de l'argent."""
    subject = somebody(draft)
    place = draft.pick(tuple(GOALS))
    noun = draft.lexicon.named(place)[0]
    if place == "school" and draft.chance(0.5):
        goal = adjuncts.place_to_school()
    else:
        goal = adjuncts.noun_place(draft, noun, ("to",))
    english, french = draft.pick(GOALS[place])
    if "my" in english.split() and subject.pronoun != "i":
        raise DeadEnd
    if subject.noun and subject.noun.english in english.split():
        raise DeadEnd
    mode = draft.pick(("past", "past", "past", "now", "will", "present", "want to"))
    main = say(draft, subject, Action(draft.lexicon.verb("go"), goal), mode)
    return join(main, chunk(subject, english, french, "to", "pour"))


BEFORE_AFTER_VERBS = word_group("before_after_verbs")


AFTER_VERBS = word_group("after_verbs")


def before_after(draft: Draft) -> Phrase:
    """Build a phrase such as: before going out, she closed the door; after eating, we slept."""
    subject = somebody(draft)
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
    action = complete(draft, subject, first)
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
    second = some_verb(draft, subject)
    if (
        second.is_state
        or "state_present" in second.traits
        or not (second.base in BEFORE_AFTER_VERBS or second.english in AFTER_VERBS)
    ):
        raise DeadEnd
    mode = draft.pick(("past", "past", "will"))
    if draft.chance(0.5):
        own_action = complete(draft, subject, second)
        return join(part, comma(), say(draft, subject, own_action, mode))
    return join(say(draft, subject, complete(draft, subject, second), mode), part)


def had_left(draft: Draft) -> Phrase:
    """Build a phrase such as: when we arrived at the station, the train had left."""
    first = somebody(draft)
    arrive = draft.lexicon.verb("arrive")
    if draft.chance(0.6):
        vehicle, stop = draft.pick((("train", "station"), ("bus", "station"), ("plane", "airport")))
        who = noun_phrase(draft, draft.lexicon.noun(vehicle), "the", adjectives=())
        place = (
            adjuncts.noun_place(draft, draft.lexicon.noun(stop), ("at",)) if draft.chance(0.6) else NOTHING
        )
        came = say(draft, first, Action(arrive, place, placed=True), "past")
    else:
        who = another(draft, first)
        came = say(draft, first, complete(draft, first, arrive), "past")
    gone = verb_clause(who, draft.lexicon.verb("leave", "i"), "had", adverb=draft.pick(("", "already")))
    x = draft.rng.random()
    if x < 0.4:
        return join(leaf("when", "quand"), came, comma(), gone)
    return join(gone, leaf("when", "quand"), came) if x < 0.7 else join(came, leaf("but", "mais"), gone)
