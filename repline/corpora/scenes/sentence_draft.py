"""The parts that sentences about a scene are made of: phrases with their trees, references and statements."""

from dataclasses import dataclass, field
from random import Random

from repline.corpora.scenes.scene import Triplet, Word, name_of

VERBS = {  # lemma: third person, participle
    "clean": ("cleans", "cleaned"),
    "paint": ("paints", "painted"),
    "take": ("takes", "taken"),
    "hold": ("holds", "held"),
    "open": ("opens", "opened"),
    "grasp": ("grasps", "grasped"),
    "repair": ("repairs", "repaired"),
    "wash": ("washes", "washed"),
    "measure": ("measures", "measured"),
    "move": ("moves", "moved"),
    "polish": ("polishes", "polished"),
    "check": ("checks", "checked"),
    "carry": ("carries", "carried"),
    "fold": ("folds", "folded"),
    "fix": ("fixes", "fixed"),
    "change": ("changes", "changed"),
    "press": ("presses", "pressed"),
    "remove": ("removes", "removed"),
}
PLACED = {
    "lie": ("lies", "lie", "lying"),
    "stand": ("stands", "stand", "standing"),
    "hang": ("hangs", "hang", "hanging"),
}
REQUESTS = ("bring", "get", "give")


@dataclass
class Draft:
    """A sentence while it is written: rows of form, lemma, tag, head, dep, reference."""

    words: list[list] = field(default_factory=list)
    asserted: list[Triplet] = field(default_factory=list)

    def add(self, form: str, lemma: str, tag: str, dep: str, head: int = 0, item: str = "") -> int:
        """Append a word and return its place, from 1."""
        self.words.append([form, lemma, tag, head, dep, item])
        return len(self.words)

    def attach(self, word: int, head: int, dep: str) -> int:
        """Give a word its head, and return the word's place."""
        self.words[word - 1][3:5] = head, dep
        return word

    def noun(self, determiner: str, item: str, colour: str = "") -> int:
        """`the blue mug`; the noun's place."""
        name = name_of(item)
        if determiner == "a" and (colour or name)[0] in "aeio":
            determiner = "an"
        left = [self.add(determiner, "a" if determiner == "an" else determiner, "DT", "det")]
        if colour:
            left.append(self.add(colour, colour, "JJ", "amod", item=colour))
            self.asserted.append(Triplet(item, "Property", colour))
        noun = self.add(name, name, "NN", "")
        self.words[noun - 1][5] = item
        for modifier in left:
            self.words[modifier - 1][3] = noun
        return noun

    def located(self, head: int, item: str, location: str, *, determiner: str = "the", colour: str = "") -> int:
        """`on the table` below `head`."""
        case = self.add("on", "on", "IN", "case")
        noun = self.attach(self.noun(determiner, location, colour), head, "nmod")
        self.words[case - 1][3] = noun
        self.asserted.append(Triplet(item, "Location", location))
        return noun

    def next_to(self, head: int, item: str, neighbour: str, *, to_verb: bool = False) -> int:
        """`next to the candle` below `head`, a noun or a verb."""
        adverb = self.add("next", "next", "JJ", "advmod" if to_verb else "dep")
        case = self.add("to", "to", "TO", "case")
        noun = self.attach(self.noun("the", neighbour), head, "nmod")
        self.words[adverb - 1][3] = head if to_verb else noun
        self.words[case - 1][3] = noun
        self.asserted.append(Triplet(item, "NextTo", neighbour))
        return noun

    def verb(self, lemma: str, form: int, head: int, *, plural: bool = False) -> int:
        """`that lies`, `that lie` or `lying` below `head`."""
        if form:
            return self.add(PLACED[lemma][2], lemma, "VBG", "acl", head)
        that = self.add("that", "that", "WDT", "nsubj")
        verb = self.add(PLACED[lemma][plural], lemma, "VBP" if plural else "VBZ", "acl:relcl", head)
        self.words[that - 1][3] = verb
        return verb

    def done(self, head: int, action: tuple[str, str, str], passive: bool, adverb: str = "") -> int:
        """`that the woman cleans` or `that is cleaned by the woman` below the noun `head`, which is the theme."""
        that = self.add("that", "that", "WDT", "nsubjpass" if passive else "dobj")
        if passive:
            verb = self.passive(action)
        else:
            person = self.noun("the", action[0])
            verb = self.act(action)
            self.attach(person, verb, "nsubj")
        self.words[that - 1][3] = verb
        self.attach(verb, head, "acl:relcl")
        if adverb:
            self.add(adverb, adverb, "RB", "advmod", verb)
        return verb

    def act(self, action: tuple[str, str, str]) -> int:
        """`cleans`."""
        person, verb, theme = action
        self.asserted += [Triplet(person, "Agent", verb), Triplet(theme, "Theme", verb)]
        return self.add(VERBS[name_of(verb)][0], name_of(verb), "VBZ", "ROOT", 0, verb)

    def passive(self, action: tuple[str, str, str]) -> int:
        """`is cleaned by the woman`."""
        person, verb, theme = action
        self.asserted += [Triplet(person, "Agent", verb), Triplet(theme, "Theme", verb)]
        auxiliary = self.add("is", "be", "VBZ", "auxpass")
        participle = self.add(VERBS[name_of(verb)][1], name_of(verb), "VBN", "ROOT", 0, verb)
        case = self.add("by", "by", "IN", "case")
        agent = self.attach(self.noun("the", person), participle, "nmod")
        self.words[auxiliary - 1][3] = participle
        self.words[case - 1][3] = agent
        return participle

    def request(self, random: Random) -> int:
        """`bring me`."""
        form = random.choice(REQUESTS)
        verb = self.add(form.capitalize() if random.random() < 0.5 else form, form, "VB", "ROOT")
        self.add("me", "I", "PRP", "iobj", verb)
        return verb

    def with_on_it(self, head: int, item: str, location: str) -> None:
        """`with a mug on it` below `head`."""
        case = self.add("with", "with", "IN", "case")
        noun = self.attach(self.noun("a", item), head, "nmod")
        self.words[case - 1][3] = noun
        on = self.add("on", "on", "IN", "case")
        it = self.add("it", "it", "PRP", "nmod", noun)
        self.words[on - 1][3] = it
        self.asserted.append(Triplet(item, "Location", location))

    def finished(self) -> tuple[Word, ...]:
        """The words of the finished sentence."""
        return tuple(
            Word(
                form, lemma, tag[:2] if tag[:2] in ("NN", "VB", "JJ") else tag, tag, head, dep, (item,) if item else ()
            )
            for form, lemma, tag, head, dep, item in self.words
        )
