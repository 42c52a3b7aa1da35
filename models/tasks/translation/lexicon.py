"""Words of the two languages, as tables. A dash stands for a form that the grammar never uses."""

from collections.abc import Iterator
from typing import NamedTuple

from models.tasks.translation.phrase import starts_with_vowel


class Agreement(NamedTuple):
    """The features that French words around a noun agree with."""

    gender: str  # m or f
    plural: bool = False
    person: int = 3

    @property
    def speaker(self) -> tuple[int, bool]:
        """The person and number that select a verb form."""
        return self.person, self.plural

    def choose(self, masculine: str, feminine: str, plural: str) -> str:
        """Choose the form of an article or a possessive that agrees."""
        return plural if self.plural else feminine if self.gender == "f" else masculine


class Noun(NamedTuple):
    kind: str
    english: str
    english_plural: str
    french: str
    french_plural: str
    gender: str

    @property
    def pronoun(self) -> str:
        return {"m": "he", "f": "she"}[self.gender] if self.kind in PEOPLE else "it"


class Adjective(NamedTuple):
    english: str
    masculine: str
    feminine: str
    masculines: str
    feminines: str
    place: str  # `before` or `after` the French noun
    vowel: str = "-"  # masculine form before a vowel: un bel oiseau

    def french(self, agreement: Agreement, following: str = "") -> str:
        if self.vowel != "-" and agreement[:2] == ("m", False) and starts_with_vowel(following):
            return self.vowel
        return self[1 + 2 * agreement.plural + (agreement.gender == "f")]


class Verb(NamedTuple):
    base: str  # underscores join the words of one English verb: look_for
    third: str
    past: str
    passive: str
    ing: str
    infinitive: str
    je: str
    il: str
    nous: str
    vous: str
    ils: str
    participle: str
    auxiliary: str
    imperfect: str = "-"  # stem of the imperfect: dormait
    agrees: str = "-"  # participle endings for agreement

    @property
    def is_state(self) -> bool:
        """Whether the verb describes a state; then its past is an imperfect (she knew: elle connaissait)."""
        return self.imperfect != "-" and self.ing == "-"

    def agreeing(self, agreement: Agreement) -> str:
        return self.participle + "e" * (agreement.gender == "f") + "s" * agreement.plural

    def present(self, who: tuple[int, bool]) -> str:
        forms = {
            (1, False): self.je,
            (2, False): self.vous,
            (3, False): self.il,
            (1, True): self.nous,
            (3, True): self.ils,
        }
        return forms[who]

    def lasting(self, who: tuple[int, bool]) -> str:
        """The imperfect form: je mangeais, but nous mangions."""
        ending = IMPERFECT[who]
        stem = self.imperfect.removesuffix("e") if ending.startswith("i") else self.imperfect
        return stem + ending


def _rows(table: str) -> Iterator[list[str]]:
    return (line.split() for line in table.strip().splitlines())


def _split(words: str) -> tuple[str, ...]:
    return tuple(words.split())


PEOPLE = ("adult", "child", "name")

NOUNS = {
    row[1]: Noun(*row)
    for row in _rows("""
        adult     man        men         homme      hommes      m
        adult     woman      women       femme      femmes      f
        adult     minister   ministers   ministre   ministres   m
        adult     doctor     doctors     médecin    médecins    m
        adult     nurse      nurses      infirmière infirmières f
        adult     queen      -           reine      -           f
        adult     friend     friends     ami        amis        m
        child     boy        boys        garçon     garçons     m
        child     girl       girls       fille      filles      f
        child     child      children    enfant     enfants     m
        name      paul       -           paul       -           m
        name      pierre     -           pierre     -           m
        name      marie      -           marie      -           f
        name      anna       -           anna       -           f
        animal    cat        cats        chat       chats       m
        animal    dog        dogs        chien      chiens      m
        animal    horse      horses      cheval     chevaux     m
        animal    bird       birds       oiseau     oiseaux     m
        food      apple      apples      pomme      pommes      f
        food      cake       cakes       gâteau     gâteaux     m
        food      pie        -           tarte      -           f
        mass      soup       -           soupe      -           f
        mass      bread      -           pain       -           m
        mass      fish       -           poisson    -           m
        book      book       books       livre      livres      m
        letter    letter     letters     lettre     lettres     f
        document  agreement  agreements  accord     accords     m
        document  treaty     treaties    traité     traités     m
        document  law        laws        loi        lois        f
        thing     car        cars        voiture    voitures    f
        thing     bag        bags        sac        sacs        m
        thing     box        boxes       boîte      boîtes      f
        thing     watch      -           montre     -           f
        house     house      houses      maison     maisons     f
        building  school     -           école      -           f
        building  hospital   -           hôpital    -           m
        building  station    -           gare       -           f
        room      room       -           chambre    -           f
        ground    garden     -           jardin     -           m
        ground    market     -           marché     -           m
        ground    street     -           rue        -           f
        ground    river      -           rivière    -           f
        topic     area       -           zone       -           f
        topic     policy     -           politique  -           f
        topic     crisis     -           crise      -           f
        topic     union      -           union      -           f
    """)
}
# English words with several French translations. The grammar ensures that other words in the sentence decide.
SENSES = {
    "amie": Noun("adult", "friend", "-", "amie", "-", "f"),  # example: my friend marie
    "banque": Noun("institution", "bank", "-", "banque", "-", "f"),  # example: the bank lent money
    "rive": Noun("place", "bank", "-", "rive", "-", "f"),  # example: the bank of the river
    "match": Noun("game", "match", "matches", "match", "matchs", "m"),  # example: they won the match
    # example: they lit the match
    "allumette": Noun("tool", "match", "matches", "allumette", "allumettes", "f"),
    "ressort": Noun("part", "spring", "-", "ressort", "-", "m"),  # example: the spring of the watch
    "source": Noun("place", "spring", "-", "source", "-", "f"),  # example: the water of the spring
    "lumière": Noun(
        "light", "light", "-", "lumière", "-", "f"
    ),  # the light of the room; the adjective `light` is defined below
    "eau": Noun("mass", "water", "-", "eau", "-", "f"),
    "argent": Noun("mass", "money", "-", "argent", "-", "m"),
}

ADJECTIVES = {
    row[0]: Adjective(*row)
    for row in _rows("""
        small        petit      petite      petits     petites      before
        big          grand      grande      grands     grandes      before
        beautiful    beau       belle       beaux      belles       before  bel
        old          vieux      vieille     vieux      vieilles     before  vieil
        new          nouveau    nouvelle    nouveaux   nouvelles    before  nouvel
        young        jeune      jeune       jeunes     jeunes       before
        good         bon        bonne       bons       bonnes       before
        happy        heureux    heureuse    heureux    heureuses    after
        red          rouge      rouge       rouges     rouges       after
        black        noir       noire       noirs      noires       after
        important    important  importante  importants importantes  after
        tired        fatigué    fatiguée    fatigués   fatiguées    after
        sick         malade     malade      malades    malades      after
        european     européen   européenne  européens  européennes  after
        french       français   française   français   françaises   after
        economic     économique économique  -          -            after
        agricultural agricole   agricole    -          -            after
    """)
}
LIGHT = Adjective("light", "léger", "légère", "légers", "légères", "after")  # example: a light bag
BRIGHT = Adjective("light", "lumineux", "lumineuse", "-", "lumineuses", "after")  # example: a light room

# Adjectives that suit each kind of noun: those that French puts before the noun, and those it puts after.
SUITS = {
    "adult": ("young old", "french european tired sick happy important"),
    "child": ("small young", "french tired sick happy"),
    "name": ("", ""),
    "animal": ("small big beautiful old young", "black tired sick"),
    "food": ("small big good good", ""),
    "mass": ("", ""),
    "book": ("small good old new", "important french red"),
    "letter": ("beautiful old new", "important"),
    "document": ("new old", "important european french"),
    "thing": ("small big beautiful old new", "red black black light light"),
    "building": ("small big beautiful old new", ""),
    "house": ("small big beautiful old new", ""),
    "room": ("small big beautiful", "light"),
    "ground": ("small big beautiful old", ""),
    "topic": ("", "european french economic agricultural"),
    "institution": ("small big old new", "french european"),
    "place": ("", ""),
    "water": ("", ""),
    "game": ("", "important"),
    "tool": ("small", "red"),
    "part": ("", ""),
    "light": ("", ""),
}
# Adjectives allowed after `is` and `was`. Longer lists repeat the adjectives that should be more frequent.
SAID_OF = {
    "adult": "tired tired sick sick happy happy young old important french european",
    "child": "tired tired sick sick happy happy small young french",
    "name": "tired tired sick sick happy happy young old important french european",
    "animal": "small big beautiful old young black tired sick",
    "food": "small big good good",
    "mass": "good",
    "book": "small good good old important",
    "letter": "beautiful important old",
    "document": "new old important european french",
    "thing": "small big beautiful old red black black light light light light light light",
    "building": "small big beautiful old light light light light",
    "house": "small big beautiful old light light light light light",
    "room": "small big beautiful light light light",
    "ground": "small big beautiful old",
    "topic": "new important",
    "institution": "small big old new important",
    "place": "beautiful small",
    "water": "beautiful",
    "game": "important",
    "tool": "small red",
    "part": "small old",
    "light": "beautiful red",
}
PASSING = ("tired", "sick", "happy")  # temporary states; only these combine with yesterday
# adjectives that come first in English, before size and age
SAID_FIRST = ("important", "tired", "sick", "happy")
LASTING = ("young", "small", "new", "french", "european")  # not used in the future tense
OPPOSED = (
    {"small", "big"},
    {"old", "young", "new"},
    {"red", "black"},
    {"french", "european"},
    {"tired", "sick", "happy"},
)
OWNABLE = _split("""friend child doctor cat dog horse bird apple cake pie soup bread fish book letter
    car bag box watch house room garden school""")

ENGLISH_VERBS = """
    see      sees      saw        seen    -
    sign     signs     signed     signed  signing
    write    writes    wrote      written writing
    buy      buys      bought     bought  buying
    eat      eats      ate        -       eating
    read     reads     read       -       reading
    look_for looks_for looked_for -       looking_for
    like     likes     liked      -       -
    love     loves     loved      -       -
    know     knows     knew       -       -
    want     wants     wanted     -       -
    have     has       had        -       -
    give     gives     gave       -       -
    lend     -         lent       -       -
    cross    crosses   crossed    -       crossing
    win      wins      won        -       -
    turn_on  -         turned_on  -       -
    hit      -         hit        -       -
    say      says      said       -       -
    sleep    sleeps    slept      -       sleeping
    work     works     worked     -       working
    give_up  -         gave_up    -       -
    go       goes      went       -       going
    arrive   arrives   arrived    -       -
    leave    leaves    left       -       leaving
"""
FRENCH_VERBS = """
    see      voir       vois      voit      voyons      voyez      voient      vu        avoir -        e,s,es
    sign     signer     signe     signe     signons     signez     signent     signé     avoir -        e,s,es
    write    écrire     écris     écrit     écrivons    écrivez    écrivent    écrit     avoir -        e,s,es
    buy      acheter    achète    achète    achetons    achetez    achètent    acheté    avoir -        e,s,es
    eat      manger     mange     mange     mangeons    mangez     mangent     mangé     avoir mange
    read     lire       lis       lit       lisons      lisez      lisent      lu        avoir lis
    look_for chercher   cherche   cherche   cherchons   cherchez   cherchent   cherché   avoir
    like     -          aime      aime      aimons      aimez      aiment      -         avoir aim
    love     -          aime      aime      aimons      aimez      aiment      -         avoir aim
    know     -          connais   connaît   connaissons connaissez connaissent -         avoir connaiss
    want     -          veux      veut      voulons     voulez     veulent     -         avoir voul
    have     avoir      ai        a         avons       avez       ont         -         avoir av
    give     donner     donne     donne     donnons     donnez     donnent     donné     avoir
    lend     -          -         -         -           -          -           prêté     avoir
    cross    traverser  traverse  traverse  traversons  traversez  traversent  traversé  avoir
    win      gagner     gagne     gagne     gagnons     gagnez     gagnent     gagné     avoir
    turn_on  -          -         -         -           -          -           allumé    avoir
    hit      -          -         -         -           -          -           entarté   avoir -        e,s
    say      -          dis       dit       -           -          disent      dit       avoir
    sleep    dormir     dors      dort      dormons     dormez     dorment     dormi     avoir dorm
    work     travailler travaille travaille travaillons travaillez travaillent travaillé avoir travaill
    give_up  abandonner -         -         -           -          -           abandonné avoir
    go       aller      vais      va        allons      allez      vont        allé      être  -        e,s,es
    arrive   arriver    arrive    arrive    arrivons    arrivez    arrivent    arrivé    être  -        e,s,es
    leave    partir     pars      part      partons     partez     partent     parti     être  -        e,s,es
"""
VERBS = {
    english[0]: Verb(*english, *french[1:])
    for english, french in zip(_rows(ENGLISH_VERBS), _rows(FRENCH_VERBS), strict=True)
}
KNOW_THAT = VERBS["know"]._replace(
    je="sais", il="sait", nous="savons", vous="savez", ils="savent", past="-", imperfect="-"
)
RAIN = Verb(
    "rain",
    "rains",
    "rained",
    "-",
    "raining",
    "pleuvoir",
    "-",
    "pleut",
    "-",
    "-",
    "-",
    "plu",
    "avoir",
    "pleuv",
)
_PAST_ONLY = Verb(*"- - - - - - - - - - - - avoir".split())
LIGHT_UP = _PAST_ONLY._replace(past="lit", participle="allumé")
RUN_OUT = _PAST_ONLY._replace(past="ran_out", participle="été à court")
DIE = _PAST_ONLY._replace(past="died", participle="mort", auxiliary="être", agrees="e,s,es")
KICK_THE_BUCKET = DIE._replace(past="kicked_the_bucket")
ALL_VERBS = (
    *VERBS.values(),
    KNOW_THAT,
    LIGHT_UP,
    RUN_OUT,
    DIE,
    KICK_THE_BUCKET,
)  # without the weather verb, whose subject is always `it`

# Finite forms by (person, plural). `you` is one person, addressed politely: vous êtes fatigué.
WHO = ((1, False), (2, False), (3, False), (1, True), (3, True))
AVOIR = dict(zip(WHO, _split("ai avez a avons ont"), strict=True))
ETRE = dict(zip(WHO, _split("suis êtes est sommes sont"), strict=True))
ETAIT = dict(zip(WHO, _split("étais étiez était étions étaient"), strict=True))
ALLER = dict(zip(WHO, _split("vais allez va allons vont"), strict=True))
IMPERFECT = dict(zip(WHO, _split("ais iez ait ions aient"), strict=True))
AM = dict(zip(WHO, _split("am are is are are"), strict=True))
WAS = dict(zip(WHO, _split("was were was were were"), strict=True))

PRONOUNS = {  # subject: object, direct clitic, dative clitic
    "i": ("me", "me", "me"),
    "we": ("us", "nous", "nous"),
    "you": ("you", "vous", "vous"),
    "he": ("him", "le", "lui"),
    "she": ("her", "la", "lui"),
    "they": ("them", "les", "leur"),
    "it": ("it", "", ""),  # French has le or la, according to the noun
}
SUBJECTS = {"i": "je", "we": "nous", "you": "vous", "he": "il", "she": "elle"}


def french_subject(pronoun: str, gender: str, plural: bool) -> str:
    """Choose the French subject pronoun. For it and they, the gender is that of the noun they refer to."""
    third = ("ils" if gender == "m" else "elles") if plural else "il" if gender == "m" else "elle"
    return SUBJECTS.get(pronoun, third)


POSSESSIVES = {
    "my": ("mon", "ma", "mes"),
    "our": ("notre", "notre", "nos"),
    "your": ("votre", "votre", "vos"),
    "his": ("son", "sa", "ses"),
    "her": ("son", "sa", "ses"),
    "their": ("leur", "leur", "leurs"),
}
NUMBERS = {"two": "deux", "three": "trois", "four": "quatre", "five": "cinq"}
MONTHS = dict(
    _rows("""
        january   janvier
        february  février
        march     mars
        april     avril
        may       mai
        june      juin
        july      juillet
        august    août
        september septembre
        october   octobre
        november  novembre
        december  décembre
    """)
)
YEARS = ("1950", "1968", "1975", "1984", "1992", "1994", "1999", "2005")
DAYS = ("3", "5", "8", "14", "20", "25")
CITIES = {"paris": "paris", "london": "londres"}  # French preposition: à
FEMININE_COUNTRIES = {"france": "france", "italy": "italie"}  # French preposition: en
MASCULINE_COUNTRIES = {"canada": "canada", "japan": "japon"}  # French preposition: au

# Words that appear literally in the grammar rules.
ENGLISH_WORDS = """
    . ? , the a an some this these it rain rains rained raining cats and dogs piece of cake but because when
    as soon if while that who not never often always very do does did will be in on at to with by after
    crossing hundred there where yesterday today tomorrow now every day morning evening spring
"""
FRENCH_WORDS = """
    . ? , le la l' les un une des de d' du au aux ce cet cette ces je j' nous vous il elle ils elles me m'
    lui leur y où ne n' pas jamais souvent toujours très que qu' qui et mais parce quand dès comme si s'
    pendant est-ce à en dans sur avec par après avoir été être cents plu pleut pleuvait pleuvoir cordes jeu
    enfant court hier demain aujourd'hui maintenant tous jours matin soir printemps
"""


def _words(forms: list[str]) -> set[str]:
    return {word for form in forms for word in form.replace("_", " ").split() if word != "-"}


def english_words() -> set[str]:
    nouns = [form for noun in (*NOUNS.values(), *SENSES.values()) for form in noun[1:3]]
    verbs = [form for verb in ALL_VERBS for form in verb[:5]]
    objects = [forms[0] for forms in PRONOUNS.values()]
    names = [*CITIES, *FEMININE_COUNTRIES, *MASCULINE_COUNTRIES, *MONTHS, *YEARS, *DAYS, *NUMBERS]
    others = [*ADJECTIVES, *PRONOUNS, *objects, *POSSESSIVES, "light", *AM.values(), *WAS.values()]
    return _words([*nouns, *verbs, *names, *others, ENGLISH_WORDS])


def french_words() -> set[str]:
    nouns = [form for noun in (*NOUNS.values(), *SENSES.values()) for form in noun[3:5]]
    adjectives = [
        form
        for adjective in (*ADJECTIVES.values(), LIGHT, BRIGHT)
        for form in (*adjective[1:5], adjective.vowel)
    ]
    verbs = [form for verb in ALL_VERBS for form in verb[5:12]]
    verbs += [verb.lasting(who) for verb in ALL_VERBS if verb.imperfect != "-" for who in WHO]
    verbs += [
        verb.participle + ending
        for verb in ALL_VERBS
        if verb.agrees != "-"
        for ending in verb.agrees.split(",")
    ]
    verbs += [form for table in (AVOIR, ETRE, ETAIT, ALLER) for form in table.values()]
    possessives = [form for forms in POSSESSIVES.values() for form in forms]
    tables = (CITIES, FEMININE_COUNTRIES, MASCULINE_COUNTRIES, MONTHS, NUMBERS)
    names = [form for table in tables for form in table.values()]
    return _words([*nouns, *adjectives, *verbs, *possessives, *names, *YEARS, *DAYS, FRENCH_WORDS])
