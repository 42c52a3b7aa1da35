"""Words of task `everyday`: conjugation, agreement, elision, noun phrases, clauses, typed text."""

import random

import pytest

from models.tasks.everyday import conjugation, english
from models.tasks.everyday.actions import Action
from models.tasks.everyday.being import age_range
from models.tasks.everyday.clauses import be_clause, command, infinitive, modal_clause, verb_clause
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import ALIASES, FRAMES, GROUPS, Verb, lexicon
from models.tasks.everyday.linking import fixed
from models.tasks.everyday.modes import CATENATIVES, build_clause
from models.tasks.everyday.narrative import SCRIPTS, deed_verb
from models.tasks.everyday.nominals import noun_phrase
from models.tasks.everyday.pronouns import clitic, pronoun
from models.tasks.everyday.reader import read_english
from models.tasks.everyday.sequences import fixed_infinitive
from models.tasks.everyday.tables import rows
from models.tasks.translation import lexicon as small
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.lexicon import WHO
from models.tasks.translation.phrase import NOT_ELIDED, join, leaf, pair_of

# forms with je, vous, il, nous, ils; past participle; forms with il in the imperfect and the future
CONJUGATED = """
    être       suis êtes est sommes sont                 été      était       sera
    avoir      ai avez a avons ont                       eu       avait       aura
    aller      vais allez va allons vont                 allé     allait      ira
    faire      fais faites fait faisons font             fait     faisait     fera
    dire       dis dites dit disons disent               dit      disait      dira
    pouvoir    peux pouvez peut pouvons peuvent          pu       pouvait     pourra
    vouloir    veux voulez veut voulons veulent          voulu    voulait     voudra
    devoir     dois devez doit devons doivent            dû       devait      devra
    savoir     sais savez sait savons savent             su       savait      saura
    voir       vois voyez voit voyons voient             vu       voyait      verra
    recevoir   reçois recevez reçoit recevons reçoivent  reçu     recevait    recevra
    venir      viens venez vient venons viennent         venu     venait      viendra
    revenir    reviens revenez revient revenons reviennent revenu revenait    reviendra
    devenir    deviens devenez devient devenons deviennent devenu devenait    deviendra
    tenir      tiens tenez tient tenons tiennent         tenu     tenait      tiendra
    prendre    prends prenez prend prenons prennent      pris     prenait     prendra
    comprendre comprends comprenez comprend comprenons comprennent compris comprenait comprendra
    apprendre  apprends apprenez apprend apprenons apprennent appris apprenait apprendra
    mettre     mets mettez met mettons mettent           mis      mettait     mettra
    promettre  promets promettez promet promettons promettent promis promettait promettra
    lire       lis lisez lit lisons lisent               lu       lisait      lira
    écrire     écris écrivez écrit écrivons écrivent     écrit    écrivait    écrira
    boire      bois buvez boit buvons boivent            bu       buvait      boira
    croire     crois croyez croit croyons croient        cru      croyait     croira
    connaître  connais connaissez connaît connaissons connaissent connu connaissait connaîtra
    disparaître disparais disparaissez disparaît disparaissons disparaissent disparu disparaissait disparaîtra
    conduire   conduis conduisez conduit conduisons conduisent conduit conduisait conduira
    construire construis construisez construit construisons construisent construit construisait construira
    traduire   traduis traduisez traduit traduisons traduisent traduit traduisait traduira
    suivre     suis suivez suit suivons suivent          suivi    suivait     suivra
    vivre      vis vivez vit vivons vivent               vécu     vivait      vivra
    rire       ris riez rit rions rient                  ri       riait       rira
    sourire    souris souriez sourit sourions sourient   souri    souriait    sourira
    courir     cours courez court courons courent        couru    courait     courra
    mourir     meurs mourez meurt mourons meurent        mort     mourait     mourra
    ouvrir     ouvre ouvrez ouvre ouvrons ouvrent        ouvert   ouvrait     ouvrira
    découvrir  découvre découvrez découvre découvrons découvrent découvert découvrait découvrira
    offrir     offre offrez offre offrons offrent        offert   offrait     offrira
    dormir     dors dormez dort dormons dorment          dormi    dormait     dormira
    partir     pars partez part partons partent          parti    partait     partira
    sortir     sors sortez sort sortons sortent          sorti    sortait     sortira
    sentir     sens sentez sent sentons sentent          senti    sentait     sentira
    mentir     mens mentez ment mentons mentent          menti    mentait     mentira
    finir      finis finissez finit finissons finissent  fini     finissait   finira
    choisir    choisis choisissez choisit choisissons choisissent choisi choisissait choisira
    remplir    remplis remplissez remplit remplissons remplissent rempli remplissait remplira
    vendre     vends vendez vend vendons vendent         vendu    vendait     vendra
    attendre   attends attendez attend attendons attendent attendu attendait  attendra
    répondre   réponds répondez répond répondons répondent répondu répondait  répondra
    perdre     perds perdez perd perdons perdent         perdu    perdait     perdra
    peindre    peins peignez peint peignons peignent     peint    peignait    peindra
    éteindre   éteins éteignez éteint éteignons éteignent éteint  éteignait   éteindra
    rejoindre  rejoins rejoignez rejoint rejoignons rejoignent rejoint rejoignait rejoindra
    battre     bats battez bat battons battent           battu    battait     battra
    naître     nais naissez naît naissons naissent       né       naissait    naîtra
    asseoir    assieds asseyez assied asseyons asseyent  assis    asseyait    assiéra
    manger     mange mangez mange mangeons mangent       mangé    mangeait    mangera
    commencer  commence commencez commence commençons commencent commencé commençait commencera
    acheter    achète achetez achète achetons achètent   acheté   achetait    achètera
    lever      lève levez lève levons lèvent             levé     levait      lèvera
    promener   promène promenez promène promenons promènent promené promenait promènera
    appeler    appelle appelez appelle appelons appellent appelé  appelait    appellera
    jeter      jette jetez jette jetons jettent          jeté     jetait      jettera
    préférer   préfère préférez préfère préférons préfèrent préféré préférait préférera
    protéger   protège protégez protège protégeons protègent protégé protégeait protégera
    espérer    espère espérez espère espérons espèrent   espéré   espérait    espérera
    payer      paie payez paie payons paient             payé     payait      paiera
    essayer    essaie essayez essaie essayons essaient   essayé   essayait    essaiera
    nettoyer   nettoie nettoyez nettoie nettoyons nettoient nettoyé nettoyait nettoiera
    envoyer    envoie envoyez envoie envoyons envoient   envoyé   envoyait    enverra
    créer      crée créez crée créons créent             créé     créait      créera
    étudier    étudie étudiez étudie étudions étudient   étudié   étudiait    étudiera
    élire      élis élisez élit élisons élisent          élu      élisait     élira
"""


@pytest.mark.parametrize("line", CONJUGATED.strip().splitlines())
def test_conjugation(line):
    infinitive_form, *present, participle, imperfect, future = line.split()
    assert [conjugation.present(infinitive_form)[who] for who in WHO] == present
    assert conjugation.participle(infinitive_form) == participle
    assert conjugation.imperfect(infinitive_form)[3, False] == imperfect
    assert conjugation.future(infinitive_form)[3, False] == future


def test_enough_verbs_are_checked_by_hand():
    assert len(CONJUGATED.strip().splitlines()) >= 60


def test_imperfect_before_i_and_conditional():
    assert conjugation.imperfect("manger")[1, True] == "mangions"
    assert conjugation.imperfect("commencer")[2, False] == "commenciez"
    assert conjugation.imperfect("pleuvoir")[3, False] == "pleuvait"
    assert [
        conjugation.conditional("vouloir")[who] for who in WHO
    ] == "voudrais voudriez voudrait voudrions voudraient".split()


@pytest.mark.parametrize(
    ("participle", "forms"),
    [
        ("vu", "vu vue vus vues"),
        ("mis", "mis mise mis mises"),
        ("né", "né née nés nées"),
        ("dû", "dû due dus dues"),
    ],
)
def test_participles_agree(participle, forms):
    cases = (("m", False), ("f", False), ("m", True), ("f", True))
    assert [conjugation.agreeing(participle, *case) for case in cases] == forms.split()


@pytest.mark.parametrize(
    ("word", "third", "past", "participle", "ing"),
    [
        ("see", "sees", "saw", "seen", "seeing"),
        ("try", "tries", "tried", "tried", "trying"),
        ("play", "plays", "played", "played", "playing"),
        ("stop", "stops", "stopped", "stopped", "stopping"),
        ("write", "writes", "wrote", "written", "writing"),
        ("go", "goes", "went", "gone", "going"),
        ("watch", "watches", "watched", "watched", "watching"),
        ("lie", "lies", "lied", "lied", "lying"),
        ("have", "has", "had", "had", "having"),
        ("open", "opens", "opened", "opened", "opening"),
        ("hurry", "hurries", "hurried", "hurried", "hurrying"),
        ("prefer", "prefers", "preferred", "preferred", "preferring"),
    ],
)
def test_english_forms(word, third, past, participle, ing):
    assert [english.third(word), english.past(word), english.participle(word), english.ing(word)] == [
        third,
        past,
        participle,
        ing,
    ]


# ---- tables ----


def test_every_verb_has_a_known_frame():
    assert {verb.frame for verb in lexicon().verbs} == set(FRAMES)


def test_every_name_in_the_verbs_table_is_known():
    tables = lexicon()
    for verb in tables.verbs:
        for token in (*verb.subject.split(), *(() if verb.frame in "qdac" else verb.object.split())):
            known = (
                token in GROUPS
                or token in ALIASES
                or token in tables._by_kind
                or tables.named(token.removeprefix("-"))
            )
            assert known or token in ("home", "bed"), (verb.english, token)


def test_aspirated_words_are_not_elided():
    aspirated = {row["french"] for row in rows("nouns") if row.get("aspirated") == "yes"}
    assert aspirated
    assert aspirated <= NOT_ELIDED


def test_the_small_world_says_the_same():
    tables = lexicon()
    for noun in small.NOUNS.values():
        assert noun.french in [other.french for other in tables.named(noun.english)], noun.english
    for adjective in small.ADJECTIVES.values():
        assert adjective.masculine in [
            other.forms[0] for other in tables.adjectives if other.english == adjective.english
        ]


# ---- phrases and clauses, worked by hand ----


def draft() -> Draft:
    return Draft(random.Random(0))


def the(name, determiner="the", plural=False, adjectives=(), without=False):
    chosen = [next(a for a in lexicon().adjectives if a.english == adjective) for adjective in adjectives]
    return noun_phrase(draft(), lexicon().noun(name), determiner, plural, without, chosen)


def words(phrase) -> tuple[str, str]:
    pair = pair_of(phrase)
    return " ".join(pair.source), " ".join(pair.target)


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("bird", "a", False, ["beautiful"]), ("a beautiful bird", "un bel oiseau")),
        (("man", "this", False, ["old"]), ("this old man", "ce vieil homme")),
        (("hospital", "that", False, ["new"]), ("that new hospital", "ce nouvel hôpital")),
        (("house", "bare", True, ["big"]), ("big houses", "de grandes maisons")),
        (("house", "bare", True, ["red"]), ("red houses", "des maisons rouges")),
        (("car", "my", False, ["small", "red"]), ("my small red car", "ma petite voiture rouge")),
        (("school", "his"), ("his school", "son école")),
        (("hero", "the"), ("the hero", "le héros")),
        (("apple", "many", True), ("many apples", "beaucoup de pommes")),
        (("water", "a lot of"), ("a lot of water", "beaucoup d' eau")),
        (("bread", "some"), ("some bread", "du pain")),
        (("water", "some"), ("some water", "de l' eau")),
        (("bread", "any", False, (), True), ("any bread", "de pain")),
        (("student", "every"), ("every student", "chaque étudiant")),
        (("girl", "all the", True), ("all the girls", "toutes les filles")),
        (("hour", "a"), ("an hour", "une heure")),
        (("university", "a"), ("a university", "une université")),
        (("glasses", "my"), ("my glasses", "mes lunettes")),
        (("trousers", "this"), ("these trousers", "ce pantalon")),
        (("horse", "three", True, ["white"]), ("three white horses", "trois chevaux blancs")),
    ],
)
def test_noun_phrases(args, expected):
    assert words(the(*args).phrase) == expected


def he(word: str) -> Nominal:
    return pronoun(word, "f" if word == "she" else "m")


def verb(name: str, frame: str = "") -> Verb:
    return next(v for v in lexicon().verbs if v.english == name and (not frame or v.frame == frame))


CLAUSES = [
    (
        lambda: verb_clause(he("she"), verb("see"), "past", clitic=clitic("them", "f")),
        "she saw them",
        "elle les a vues",
    ),
    (
        lambda: verb_clause(he("he"), verb("see"), "past", adverb="not", clitic=clitic("her", "f")),
        "he did not see her",
        "il ne l' a pas vue",
    ),
    (lambda: verb_clause(he("she"), verb("get up"), "past"), "she got up", "elle s' est levée"),
    (
        lambda: verb_clause(he("she"), verb("wash * hands"), "past"),
        "she washed her hands",
        "elle s' est lavé les mains",
    ),
    (
        lambda: verb_clause(he("i"), verb("get up"), "present", asked=True),
        "do i get up",
        "est-ce que je me lève",
    ),
    (
        lambda: verb_clause(he("he"), verb("do * homework"), "now"),
        "he is doing his homework",
        "il fait ses devoirs",
    ),
    (
        lambda: verb_clause(he("we"), verb("exercise"), "present", adverb="never"),
        "we never exercise",
        "nous ne faisons jamais de sport",
    ),
    (lambda: verb_clause(he("he"), verb("arrive"), "when"), "he arrives", "il arrivera"),
    (lambda: verb_clause(he("they"), verb("leave", "i"), "had"), "they had left", "ils étaient partis"),
    (
        lambda: verb_clause(he("i"), verb("turn+on"), "past", clitic=clitic("it", "f")),
        "i turned it on",
        "je l' ai allumée",
    ),
    (
        lambda: verb_clause(he("i"), verb("turn+on"), "past", the("light").phrase),
        "i turned on the light",
        "j' ai allumé la lumière",
    ),
    (
        lambda: modal_clause(he("i"), "can", infinitive(he("i"), verb("see"), clitic=clitic("him"))),
        "i can see him",
        "je peux le voir",
    ),
    (
        lambda: build_clause(draft(), he("i"), Action(verb("see"), clitic=clitic("him")), "try to"),
        "i try to see him",
        "j' essaie de le voir",
    ),
    (
        lambda: build_clause(draft(), he("you"), Action(verb("leave", "i")), "want to", asked=True),
        "do you want to leave",
        "est-ce que vous voulez partir",
    ),
    (
        lambda: build_clause(draft(), he("she"), Action(verb("swim")), "can"),
        "she can swim",
        "elle sait nager",
    ),
    (
        lambda: build_clause(draft(), he("she"), Action(verb("go home")), "might"),
        "she might go home",
        "elle va peut-être rentrer",
    ),
    (
        lambda: build_clause(draft(), he("he"), Action(verb("leave", "i")), "have to", "not"),
        "he does not have to leave",
        "il n' a pas besoin de partir",
    ),
    (
        lambda: build_clause(draft(), he("he"), Action(verb("play", "i")), "past", "often"),
        "he often played",
        "il jouait souvent",
    ),
    (
        lambda: build_clause(draft(), he("we"), Action(verb("go for a walk")), "will"),
        "we will go for a walk",
        "nous allons nous promener",
    ),
    (
        lambda: build_clause(draft(), he("she"), Action(verb("sit", "s")), "now"),
        "she is sitting",
        "elle est assise",
    ),
    (
        lambda: be_clause(he("i"), "present", leaf("hungry", "faim"), verb="avoir"),
        "i am hungry",
        "j' ai faim",
    ),
    (lambda: command(he("you"), verb("open"), clitic=clitic("it")), "open it", "ouvrez -le"),
    (
        lambda: command(he("you"), verb("open"), negation="not", clitic=clitic("it")),
        "do not open it",
        "ne l' ouvrez pas",
    ),
    (lambda: command(he("you"), verb("hurry")), "hurry", "dépêchez -vous"),
    (lambda: command(he("we"), verb("eat", "i")), "let us eat", "mangeons"),
]


@pytest.mark.parametrize(("build", "spoken", "french"), CLAUSES, ids=[spoken for _, spoken, _ in CLAUSES])
def test_clauses(build, spoken, french):
    assert words(build()) == (spoken, french)


def test_links_of_a_negated_past():
    pair = pair_of(verb_clause(he("she"), verb("see"), "past", the("car").phrase, "not"))
    assert " ".join(pair.target) == "elle n' a pas vu la voiture"
    #                              elle    n'      a       pas     vu      la      voiture
    assert pair.alignment == {(0, 0), (1, 2), (2, 1), (3, 2), (4, 3), (5, 4), (6, 5)}


def test_fixed_phrases_are_linked_word_by_word():
    pair = pair_of(join(leaf("he", "il"), fixed("last week", "la semaine dernière")))
    assert {(2, 2), (3, 1)} <= pair.alignment
    assert (2, 1) not in pair.alignment


def test_names_and_objects_in_fixed_phrases_are_linked_one_to_one():
    assert pair_of(fixed("in paris", "à paris")).alignment == {(0, 0), (1, 1)}
    go_by_plane = fixed_infinitive(he("she"), "take the plane", "prendre l' avion", "to", "pour")
    assert pair_of(go_by_plane).alignment == {(0, 0), (1, 1), (2, 2), (3, 3)}


@pytest.mark.parametrize(
    ("name", "frame", "mode"), [("lose", "t", "hope to"), ("wear", "t", "must"), ("know", "t", "can")]
)
def test_a_verb_that_does_not_go_with_a_modal_is_not_said(name, frame, mode):
    with pytest.raises(DeadEnd):
        build_clause(draft(), he("she"), Action(verb(name, frame)), mode)


def test_a_skill_is_savoir_but_a_skill_at_a_place_is_pouvoir():
    here = Action(verb("swim"), leaf("here", "ici"), placed=True)
    assert words(build_clause(draft(), he("she"), here, "can")) == (
        "she can swim here",
        "elle peut nager ici",
    )


def test_every_deed_of_a_script_is_in_the_verbs_table():
    tables = lexicon()
    for deed in {deed for steps in SCRIPTS.values() for step in steps for deed in step}:
        found = deed_verb(deed)
        assert any(found.english == row.english and found.frame == row.frame for row in tables.verbs)
        assert found.frame in "id" or tables.pool(found.object).nouns


@pytest.mark.parametrize(
    ("name", "lowest", "highest"), [("grandmother", 60, 95), ("girl", 1, 16), ("dentist", 18, 65)]
)
def test_ages_fit(name, lowest, highest):
    youngest, oldest = age_range(the(name))
    assert lowest <= youngest <= oldest <= highest


def test_every_catenative_has_an_english_and_a_french_verb():
    for name, head in CATENATIVES.items():
        assert name.split()[0] == head.english
        assert conjugation.present(head.infinitive)


# ---- typed text ----


@pytest.mark.parametrize(
    ("typed", "tokens"),
    [
        ("I don't know!", "i do not know !"),
        ("It’s Tom's car", "it is tom 's car ."),
        ("I can't, I'm late.", "i can not , i am late ."),
        ("Let's go at 6 o'clock", "let us go at 6 o'clock ."),
        ("My neighbor won't come", "my neighbour will not come ."),
        ("Three colors and two neighbors", "three colours and two neighbours ."),
        ("She'd eat 1,000 apples?", "she would eat 1000 apples ?"),
    ],
)
def test_typed_text_is_written_out(typed, tokens):
    assert read_english(typed) == tuple(tokens.split())
