"""Chunks by rules, from spaCy's and from Universal Dependencies' analysis."""

import pytest

from repline.corpora.chunks.parse_chunks import chunk_tags
from repline.corpora.chunks.tag_spans import spans


def chunks(*words):
    """Each word is "form/tag/head/relation", the head a place in the sentence from 0, -1 at the root."""
    fields = [word.rsplit("/", 3) for word in words]
    tokens, tag, head, dep = zip(*fields, strict=True)
    tags = chunk_tags(tokens, tag, [int(head_of_word) for head_of_word in head], dep)
    return " ".join(f"[{kind} {' '.join(tokens[start:stop])}]" for kind, start, stop in spans(tags))


CASES = {
    "a possessive begins the next chunk, verbs join over adverbs": (
        "The/DT/1/det bank/NN/4/poss 's/POS/1/case net/JJ/4/amod profit/NN/7/nsubjpass is/VBZ/7/auxpass "
        "widely/RB/7/advmod expected/VBN/-1/ROOT to/TO/9/aux rise/VB/7/xcomp ././7/punct",
        "[NP The bank] [NP 's net profit] [VP is widely expected to rise]",
    ),
    "prepositions and subordinating words stand alone": (
        "He/PRP/1/nsubj said/VBD/-1/ROOT that/IN/6/mark prices/NNS/6/nsubj in/IN/3/prep May/NNP/4/pobj "
        "fell/VBD/1/ccomp sharply/RB/6/advmod",
        "[NP He] [VP said] [SBAR that] [NP prices] [PP in] [NP May] [VP fell] [ADVP sharply]",
    ),
    "bare conjuncts are one chunk, others are two": (
        "profits/NNS/3/nsubj and/CC/0/cc losses/NNS/0/conj hit/VBD/-1/ROOT the/DT/5/det bank/NN/3/dobj "
        "and/CC/5/cc the/DT/8/det firm/NN/5/conj",
        "[NP profits and losses] [VP hit] [NP the bank] [NP the firm]",
    ),
    "numbers after their noun": (
        "Figure/NN/2/nsubj 1/CD/0/nummod shows/VBZ/-1/ROOT Oct./NNP/2/dobj 20/CD/3/nummod ,/,/3/punct 1989/CD/3/nummod",
        "[NP Figure 1] [VP shows] [NP Oct. 20 , 1989]",
    ),
    "adjectives outside noun phrases, with what goes with them": (
        "It/PRP/1/nsubj is/VBZ/-1/ROOT not/RB/1/neg far/RB/4/advmod more/RBR/5/advmod useful/JJ/1/acomp",
        "[NP It] [VP is] [ADJP far more useful]",
    ),
    "particles, and words that are fixed": (
        "They/PRP/1/nsubj gave/VBD/-1/ROOT up/RP/1/prt because/IN/1/prep of/IN/3/pcomp rain/NN/3/pobj",
        "[NP They] [VP gave] [PRT up] [PP because of] [NP rain]",
    ),
    "verbs side by side, and an adjunct that begins a new phrase": (
        "to/TO/1/aux buy/VB/-1/ROOT or/CC/1/cc sell/VB/1/conj stock/NN/3/dobj it/PRP/6/nsubj used/VBD/4/relcl "
        "to/TO/8/aux pay/VB/6/advcl",
        "[VP to buy or sell] [NP stock] [NP it] [VP used] [VP to pay]",
    ),
    "Universal Dependencies: prepositions are left of their noun": (
        "The/DT/1/det king/NN/5/nsubj of/IN/4/case the/DT/4/det island/NN/1/nmod saw/VBD/-1/root "
        "ships/NNS/5/obj near/IN/8/case shore/NN/5/obl",
        "[NP The king] [PP of] [NP the island] [VP saw] [NP ships] [PP near] [NP shore]",
    ),
    "brackets are in no chunk": (
        "-LRB-/NNP/1/punct Smith/NNP/-1/ROOT -RRB-/NNP/1/punct",
        "[NP Smith]",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_chunks_of(case):
    sentence, expected = CASES[case]
    assert chunks(*sentence.split()) == expected


def test_a_broken_parse_gives_some_chunks():
    tags = chunk_tags(["a", "b", "c"], ["NN", None, "NN"], [1, 0, 0], ["nsubj", None, "dobj"])
    assert len(tags) == 3
    kinds = {"NP", "VP", "PP", "ADVP", "SBAR", "ADJP", "PRT", "CONJP"}
    assert all(tag == "O" or tag[2:] in kinds for tag in tags)
    assert chunk_tags([], [], [], []) == []
