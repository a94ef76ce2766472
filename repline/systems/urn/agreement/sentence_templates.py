"""Synthetic sentences for number agreement, where every noun between subject and verb is free to be an attractor.

    sentence  -> subject modifiers verb rest
    subject   -> Det N
    modifier  -> P Det N  |  that Det N V       (V agrees with the N of its own clause)

The number of every noun is drawn on its own, so nothing but the subject tells the number of the verb. Training
sentences have few modifiers, test sentences many: a model that has learnt the rule follows it over
longer distances than it has seen.

Source: the construction follows Linzen, Dupoux & Goldberg 2016, whose sentences these stand in for; the words are ours.
"""

from pathlib import Path
from random import Random

from repline.errors import InputError
from repline.files import new_file

FILE = "agreement_templates.tsv"
COLUMNS = (
    "split", "sentence", "pos_sentence", "verb_pos", "subj_index", "verb_index", "n_diff_intervening", "distance",
)  # fmt: skip


def _pairs(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(pair.split("/")) for pair in text.split())


# singular and plural, regular and irregular
NOUNS = _pairs("""
    actor/actors artist/artists author/authors baker/bakers boy/boys brother/brothers captain/captains chief/chiefs
    child/children clerk/clerks cook/cooks cousin/cousins critic/critics dancer/dancers doctor/doctors driver/drivers
    farmer/farmers fireman/firemen fisherman/fishermen foot/feet friend/friends gentleman/gentlemen girl/girls
    goose/geese guard/guards guest/guests hero/heroes judge/judges king/kings lady/ladies lawyer/lawyers man/men
    mayor/mayors merchant/merchants mouse/mice neighbour/neighbours nurse/nurses officer/officers ox/oxen
    painter/painters pilot/pilots poet/poets policeman/policemen priest/priests queen/queens sailor/sailors
    salesman/salesmen scholar/scholars secretary/secretaries senator/senators servant/servants singer/singers
    sister/sisters soldier/soldiers spy/spies student/students surgeon/surgeons tailor/tailors teacher/teachers
    thief/thieves tooth/teeth uncle/uncles waitress/waitresses wife/wives witch/witches witness/witnesses wolf/wolves
    woman/women worker/workers writer/writers bird/birds boat/boats book/books bus/buses cabinet/cabinets
    calf/calves carriage/carriages castle/castles church/churches cup/cups desk/desks dish/dishes dog/dogs
    flower/flowers fox/foxes garden/gardens horse/horses house/houses knife/knives lamp/lamps leaf/leaves
    letter/letters library/libraries loaf/loaves map/maps mountain/mountains picture/pictures river/rivers
    school/schools shelf/shelves ship/ships stone/stones street/streets tower/towers tree/trees village/villages
""")
# VBZ and VBP
MAIN_VERBS = _pairs("""
    is/are has/have does/do appears/appear arrives/arrive changes/change disappears/disappear disturbs/disturb
    falls/fall goes/go grows/grow impresses/impress interests/interest lies/lie looks/look matters/matter moves/move
    pleases/please remains/remain rests/rest seems/seem shines/shine stands/stand stays/stay surprises/surprise
    vanishes/vanish waits/wait worries/worry
""")
CLAUSE_VERBS = _pairs("""
    admires/admire avoids/avoid carries/carry chases/chase draws/draw fears/fear finds/find follows/follow
    forgets/forget hides/hide holds/hold ignores/ignore knows/know likes/like loves/love misses/miss needs/need
    notices/notice paints/paint praises/praise remembers/remember sees/see touches/touch wants/want watches/watch
""")
DETERMINERS = (("the", "DT"), ("my", "PRP$"), ("our", "PRP$"), ("your", "PRP$"), ("their", "PRP$"), ("his", "PRP$"))
PREPOSITIONS = ("above", "behind", "below", "beside", "beyond", "by", "for", "from", "in", "near", "of", "on", "under")
REST = (("again", "RB"), ("today", "NN"), ("here", "RB"), ("now", "RB"), ("often", "RB"))


def write(
    folder: str | Path,
    *,
    seed: int,
    sentences: int,
    train_attractors: int = 2,
    test_attractors: int = 6,
    test_share: float = 0.1,
) -> None:
    """Write synthetic sentences as a table that `marked_sentences.read_table` reads, with the COLUMNS of this module.

    Training sentences have 0 to `train_attractors` nouns between subject and verb, each of any number. In test
    sentences the number of attractors is uniform from 0 to `test_attractors`, and further nouns may bring the nouns in
    between up to `test_attractors`, so that every count is met equally often. Singular and plural subjects are equally
    likely everywhere. The bytes depend on the arguments alone.

    Args:
        folder: where the table, FILE, is put.
        seed: of the draw.
        sentences: how many in all.
        train_attractors, test_attractors: the most nouns between subject and verb in each part.
        test_share: of the sentences that are for test; the first ones of the table are for training.

    Raises:
        InputError: a number out of its range.
    """
    tests = round(sentences * test_share)
    if not 0 < tests < sentences:
        raise InputError(f"{sentences} template sentences with a test share of {test_share} leave train or test empty")
    if min(train_attractors, test_attractors) < 0:
        raise InputError(f"expected 0 attractors or more, found {train_attractors} and {test_attractors}")
    random = Random(seed)
    with new_file(Path(folder) / FILE) as partial, open(partial, "w", encoding="utf-8", newline="\n") as out:
        out.write("\t".join(COLUMNS) + "\n")
        for number in range(sentences):
            plural = _below(random, 2) == 1
            if number < sentences - tests:
                between = [_below(random, 2) == 1 for _ in range(_below(random, train_attractors + 1))]
                row = ["train"]
            else:
                attractors = _below(random, test_attractors + 1)
                between = [plural] * _below(random, test_attractors - attractors + 1)
                for _ in range(attractors):
                    between.insert(_below(random, len(between) + 1), not plural)
                row = ["test"]
            out.write("\t".join(row + _sentence(random, plural, between)) + "\n")


def _sentence(random: Random, plural: bool, between: list[bool]) -> list[str]:
    words = _noun_phrase(random, plural)
    subject = len(words)
    for number in between:
        if _below(random, 2):
            words += [(_pick(random, PREPOSITIONS), "IN"), *_noun_phrase(random, number)]
        else:
            words += [("that", "WDT"), *_noun_phrase(random, number), _verb(random, CLAUSE_VERBS, number)]
    verb = _verb(random, MAIN_VERBS, plural)
    index = len(words) + 1
    words += [verb, _pick(random, REST), (".", ".")]
    fields = [" ".join(word for word, _ in words), " ".join(tag for _, tag in words), verb[1]]
    return fields + [str(count) for count in (subject, index, between.count(not plural), index - subject)]


def _noun_phrase(random: Random, plural: bool) -> list[tuple[str, str]]:
    return [_pick(random, DETERMINERS), (_pick(random, NOUNS)[plural], "NNS" if plural else "NN")]


def _verb(random: Random, verbs: tuple, plural: bool) -> tuple[str, str]:
    return _pick(random, verbs)[plural], "VBP" if plural else "VBZ"


def _pick(random: Random, choices):
    return choices[_below(random, len(choices))]


def _below(random: Random, limit: int) -> int:
    """Uniform in 0 .. limit - 1 from `random()`, whose stream, alone of the module, is the same in every Python."""
    return int(random.random() * limit)
