"""Captions of synthetic scenes: a picture is an action of a scene with facts about its theme; its triplets are tags.

Each triplet gives two tags, `Theme clean` and `mug Theme` for (mug Theme clean), by the names of the items. A picture
has five captions; each says who does what, in one of several forms, and part of what else is known.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from repline.corpora.captions.picture import Picture
from repline.corpora.scenes.made_scenes import make_scenes
from repline.corpora.scenes.scene import Scene, Triplet, name_of
from repline.corpora.scenes.sentence_draft import PLACED, VERBS
from repline.errors import InputError
from repline.files import new_file

CAPTIONS = 5
ADVERBS = ("carefully", "slowly", "quickly")


class Event(NamedTuple):
    """One action by names: who does what to what; and the theme's whole, colour, location and neighbour."""

    agent: str
    verb: str
    theme: str
    whole: str
    colour: str
    location: str
    neighbour: str
    carried: str  # a thing that is on the theme
    triplets: tuple[Triplet, ...]


def write(folder: str | Path, *, seed: int, pictures: int, dev: int, test: int) -> None:
    """Write synthetic pictures into an existing folder, in the form of `caption_table`, with tags.tsv.

    Args:
        pictures: how many; the last `test` are for testing, and the `dev` before them for development.

    Raises:
        InputError: no picture is left for training.
    """
    if pictures <= dev + test:
        raise InputError(f"expected more than {dev + test} pictures, those of dev and test, found {pictures}")
    all_pictures = list(make_pictures(seed=seed, pictures=pictures))
    parts = {
        "train": all_pictures[: pictures - dev - test],
        "dev": all_pictures[pictures - dev - test : pictures - test],
    }
    parts["test"] = all_pictures[pictures - test :]
    lines = {
        "captions.tsv": [f"{picture.name}\t{caption}" for picture in all_pictures for caption in picture.captions],
        "tags.tsv": ["\t".join([picture.name, *picture.tags]) for picture in all_pictures],
    } | {f"{part}.txt": [picture.name for picture in pictures_of_part] for part, pictures_of_part in parts.items()}
    for name, rows in lines.items():
        with new_file(Path(folder) / name) as path:
            path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")


def make_pictures(*, seed: int, pictures: int) -> Iterator[Picture]:
    """Pictures `made-001-1`, ..., all of them with the part `train`."""
    count = 0
    for number, scene in enumerate(make_scenes(seed=seed, scenes=pictures, kinds=()), start=1):
        random = Random(f"{seed}-captions-{number}")
        for position, event in enumerate(events(scene), start=1):
            if count == pictures:
                return
            count += 1
            forms = random.sample(FORMS, CAPTIONS)
            captions = [form(event, random) for form in forms]
            tags = sorted({tag for triplet in event.triplets for tag in triplet_tags(triplet)})
            yield Picture(f"{scene.name}-{position}", "train", captions, tags)


def triplet_tags(triplet: Triplet) -> tuple[str, str]:
    """`mug Theme` and `Theme clean` of (mug_1 Theme clean_2)."""
    argument, relation, predicate = triplet
    return f"{name_of(argument)} {relation}", f"{relation} {name_of(predicate)}"


def events(scene: Scene) -> Iterator[Event]:
    """The actions of a scene, each with the triplets that say something about its theme."""
    agents = {triplet.predicate: triplet for triplet in scene.triplets if triplet.relation == "Agent"}
    for action in [triplet for triplet in scene.triplets if triplet.relation == "Theme"]:
        item, verb = action.argument, action.predicate
        if verb not in agents:
            continue
        ownership = _first(scene, "Own", predicate=item)
        located_item = ownership.argument if ownership else item  # a part is where its whole is
        details = [
            _first(scene, "Property", argument=located_item),
            _first(scene, "Location", argument=located_item),
            _first(scene, "NextTo", argument=located_item),
            _first(scene, "Location", predicate=located_item),
        ]
        colour, location, neighbour = (name_of(triplet.predicate) if triplet else "" for triplet in details[:3])
        whole, carried = (name_of(triplet.argument) if triplet else "" for triplet in (ownership, details[3]))
        triplets = (agents[verb], action, *(triplet for triplet in (ownership, *details) if triplet))
        agent = name_of(agents[verb].argument)
        yield Event(agent, name_of(verb), name_of(item), whole, colour, location, neighbour, carried, triplets)


def _first(scene: Scene, relation: str, argument: str = "", predicate: str = "") -> Triplet | None:
    fitting = (
        triplet
        for triplet in scene.triplets
        if triplet.relation == relation and argument in ("", triplet.argument) and predicate in ("", triplet.predicate)
    )
    return next(fitting, None)


def _noun(random: Random, name: str, colour: str = "", determiner: str = "") -> str:
    determiner = determiner or random.choice(("a", "a", "the"))
    described = f"{colour} {name}" if colour else name
    return f"{'an' if determiner == 'a' and described[0] in 'aeio' else determiner} {described}"


def _theme(event: Event, random: Random, details: float = 0.6) -> str:
    """`the handle of a red mug on the table`; each detail is said with this probability."""
    is_said = [random.random() < details for _ in range(3)]
    colour = event.colour if is_said[0] else ""
    text = _noun(random, event.whole or event.theme, colour)
    if event.whole:
        text = f"{_noun(random, event.theme, determiner='the')} of {text}"
    if event.location and is_said[1]:
        text += f" on {_noun(random, event.location)}"
    elif event.neighbour and is_said[2]:
        text += f" next to {_noun(random, event.neighbour)}"
    elif event.carried and is_said[2]:
        text += f" with {_noun(random, event.carried, determiner='a')} on it"
    return text


def _adverb(random: Random) -> str:
    return f"{random.choice(ADVERBS)} " if random.random() < 0.2 else ""


def _active(event: Event, random: Random) -> str:
    return f"{_noun(random, event.agent)} {_adverb(random)}{VERBS[event.verb][0]} {_theme(event, random)}"


def _passive(event: Event, random: Random) -> str:
    return f"{_theme(event, random)} is {VERBS[event.verb][1]} by {_noun(random, event.agent)}"


def _there_is(event: Event, random: Random) -> str:
    return f"there is {_noun(random, event.agent, determiner='a')} who {_adverb(random)}{_done(event, random)}"


def _cleft(event: Event, random: Random) -> str:
    return f"it is {_theme(event, random)} that {_noun(random, event.agent)} {VERBS[event.verb][0]}"


def _relative(event: Event, random: Random) -> str:
    by = f"is {VERBS[event.verb][1]} by" if random.random() < 0.5 else ""
    agent = _noun(random, event.agent)
    return f"{_theme(event, random)} that " + (f"{by} {agent}" if by else f"{agent} {VERBS[event.verb][0]}")


def _where_first(event: Event, random: Random) -> str:
    where = f"on {_noun(random, event.location)} " if event.location else ""
    where = where or (f"next to {_noun(random, event.neighbour)} " if event.neighbour else "")
    return f"{where}{_noun(random, event.agent)} {_done(event, random, 0.3)}"


def _state(event: Event, random: Random) -> str:
    """`the mug that a woman cleans is red`, or where it lies, or both."""
    head = f"{_noun(random, event.theme, determiner='the')}"
    head += f" of {_noun(random, event.whole)}" if event.whole else ""
    head += f" that {_noun(random, event.agent)} {VERBS[event.verb][0]}"
    lies = f"{PLACED[random.choice(('lie', 'stand'))][0]} on {_noun(random, event.location)}" if event.location else ""
    states = [f"is {event.colour}" if event.colour else "", lies]
    return f"{head} " + (" and ".join(state for state in states if state) or "is there")


def _both(event: Event, random: Random) -> str:
    return f"{_noun(random, event.agent)} and {_theme(event, random)} that is {VERBS[event.verb][1]}"


def _done(event: Event, random: Random, details: float = 0.6) -> str:
    return f"{VERBS[event.verb][0]} {_theme(event, random, details)}"


FORMS: Sequence[Callable[[Event, Random], str]] = (
    _active,
    _passive,
    _there_is,
    _cleft,
    _relative,
    _where_first,
    _state,
    _both,
)
