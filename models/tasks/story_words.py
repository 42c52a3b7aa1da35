"""Words of the stories. In every list, earlier words are more frequent."""

from dataclasses import dataclass

GIRLS = tuple("mira anna lena rosa ella".split())
BOYS = tuple("tom leo sam max paul".split())
COLOURS = tuple("red blue green white black golden".split())
OBJECTS = tuple("kite drum lamp key ring map box flute".split())

# Words that any topic can use, after its own words.
PLACES = tuple("house river garden village wall corner well barn".split())
THINGS = tuple("bag chair clock tree wagon ladder bucket stone knife mirror".split())
DEEDS = tuple(
    "took saw kept lost liked hid moved watched counted forgot touched cleaned lifted hated dropped needed"
    " shook remembered examined found shared showed turned ignored".split()
)
LOOKS = tuple(
    "old small big new heavy strange beautiful tiny empty soft ugly round dusty broken rare wooden simple"
    " dark perfect warm useless plain noisy clean thin famous pretty lovely".split()
)

IRREGULAR = {"fisherman": "fishermen", "knife": "knives", "wolf": "wolves"}


def plural(noun: str) -> str:
    if noun in IRREGULAR:
        return IRREGULAR[noun]
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "sh", "ch")) else "s")


@dataclass(frozen=True)
class Topic:
    """The words of one setting: places, things, people, animals and actions."""

    places: str
    things: str
    people: str
    beasts: str
    sounds: str
    deeds: str
    looks: str

    def symbols(self) -> dict[str, tuple[str, ...]]:
        """Express the topic as symbols of the grammar."""
        things, people, beasts = [*self.things.split(), *THINGS], self.people.split(), self.beasts.split()
        return {
            "PLACE": (*self.places.split(), *PLACES),
            "THING": tuple(things),
            "THINGS": tuple(plural(noun) for noun in things),
            "PERSON": tuple(people),
            "PERSONS": tuple(plural(noun) for noun in people),
            "BEAST": tuple(beasts),
            "BEASTS": tuple(plural(noun) for noun in beasts),
            "CRIED": tuple(self.sounds.split()),
            "DID": DEEDS,  # actions possible with any object
            "LOOK": LOOKS,
            "OWN": tuple(self.things.split()),  # things of this topic, which have actions of their own
            "OWNS": tuple(plural(noun) for noun in self.things.split()),
            "WORKED": tuple(self.deeds.split()),
            "SORT": (*self.looks.split(), *LOOKS),
        }


WORLD = {
    "sea": Topic(
        places="harbour beach lighthouse island cliff",
        things="boat net shell sail barrel anchor rope pearl",
        people="fisherman sailor captain pirate",
        beasts="gull crab seal",
        sounds="dived splashed rested",
        deeds="painted pulled mended tied washed",
        looks="wet salty shiny grey",
    ),
    "market": Topic(
        places="market square stall fountain street",
        things="apple basket carpet melon pot cake cart lemon",
        people="trader baker juggler farmer",
        beasts="pigeon dog donkey",
        sounds="waited fought dozed",
        deeds="sold weighed carried bought wrapped",
        looks="cheap ripe fresh sweet",
    ),
    "school": Topic(
        places="school classroom library playground corridor",
        things="picture poem letter book song riddle story lesson",
        people="teacher pupil painter poet",
        beasts="parrot hamster spider",
        sounds="listened escaped slept",
        deeds="read copied drew learned wrote",
        looks="short neat difficult funny",
    ),
    "winter": Topic(
        places="lake hill cabin road mountain",
        things="sledge glove blanket log candle lantern boot snowball",
        people="hunter skater traveller stranger",
        beasts="wolf owl bear",
        sounds="vanished shivered woke",
        deeds="followed buried warmed threw lit",
        looks="icy cold frozen bright",
    ),
    "castle": Topic(
        places="castle hall dungeon tower bridge",
        things="sword crown flag shield throne door chest helmet",
        people="king knight guard wizard",
        beasts="dragon falcon horse",
        sounds="trembled waited vanished",
        deeds="guarded polished stole admired broke",
        looks="rusty royal magic ancient",
    ),
}
TOPICS = {name: topic.symbols() for name, topic in WORLD.items()}
