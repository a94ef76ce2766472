"""Roles and positions of chunks on parsed sentences."""

import pyarrow as pa
import pytest

from repline.errors import InputError
from repline.systems.hrrlm.chunk_roles import chunk_numbers, chunk_roles, roles_of


def test_chunks_are_numbered_through_the_sentence():
    assert chunk_numbers(["B-NP", "I-NP", "O", "B-VP", "B-NP", "O"]) == [0, 0, -1, 1, 2, -1]
    assert chunk_numbers(["I-NP", "B-NP", "I-VP", "I-VP"]) == [0, 1, 2, 2]
    assert chunk_numbers([]) == []


def test_the_passive_is_seen_through():
    # yesterday | the company | was bought | by | a rival | with | cash
    labels = ["B-NP", "B-NP", "I-NP", "B-VP", "I-VP", "B-PP", "B-NP", "I-NP", "B-PP", "B-NP"]
    head = [4, 2, 4, 4, -1, 4, 7, 5, 4, 8]
    dep = ["npadvmod", "det", "nsubjpass", "auxpass", "ROOT", "agent", "det", "pobj", "prep", "pobj"]
    tag = ["NN", "DT", "NN", "VBD", "VBN", "IN", "DT", "NN", "IN", "NN"]
    assert chunk_roles(labels, head, dep, tag) == [
        ("MODIFIER", "sentence begin"),
        ("PATIENT", "subject"),
        ("PREDICATE", None),
        (None, None),
        ("AGENT", "prepositional object"),
        (None, None),
        ("MODIFIER", "prepositional object"),
    ]


def test_a_phrase_inside_a_noun_phrase_has_no_role():
    # she | quickly | sold | shares | of | the company, in universal dependencies
    labels = ["B-NP", "B-ADVP", "B-VP", "B-NP", "B-PP", "B-NP", "I-NP"]
    head, dep = [2, 2, -1, 2, 6, 6, 3], ["nsubj", "advmod", "root", "obj", "case", "det", "nmod"]
    tag = ["PRON", "ADV", "VERB", "NOUN", "ADP", "DET", "NOUN"]
    assert [role for role, _ in chunk_roles(labels, head, dep, tag)] == [
        "AGENT",
        "MODIFIER",
        "PREDICATE",
        "PATIENT",
        None,
        None,
    ]
    head, dep = [2, 2, -1, 2, 3, 6, 4], ["nsubj", "advmod", "ROOT", "dobj", "prep", "det", "pobj"]
    roles = chunk_roles(labels, head, dep, ["PRP", "RB", "VBD", "NNS", "IN", "DT", "NN"])
    assert roles[3] == ("PATIENT", "object")
    assert roles[5] == (None, "prepositional object")


def test_a_preposition_may_begin_the_sentence_and_its_phrase_may_hang_on_nothing():
    # in | rome | she | stayed
    labels, tag = ["B-PP", "B-NP", "B-NP", "B-VP"], ["IN", "NNP", "PRP", "VBD"]
    dep = ["prep", "pobj", "nsubj", "ROOT"]
    assert chunk_roles(labels, [3, 0, 3, -1], dep, tag)[1] == ("MODIFIER", "prepositional object")
    assert chunk_roles(labels, [3, -1, 3, -1], dep, tag)[1] == (None, "prepositional object")  # a broken parse


def test_the_verb_may_be_the_first_word():
    # wait | in | rome | quietly
    labels, head, dep = ["B-VP", "B-PP", "B-NP", "B-ADVP"], [-1, 0, 1, 0], ["ROOT", "prep", "pobj", "advmod"]
    roles = chunk_roles(labels, head, dep, ["VB", "IN", "NNP", "RB"])
    assert [role for role, _ in roles] == ["PREDICATE", None, "MODIFIER", "MODIFIER"]
    roles = chunk_roles(labels, head, dep, ["NN", "IN", "NNP", "RB"])
    assert [role for role, _ in roles] == ["PREDICATE", None, None, None]


def test_a_chunk_without_a_head_outside_has_that_of_its_last_word():
    # a wrong parse: the three words of the first chunk hang on each other in a circle
    labels, head, tag = ["B-NP", "I-NP", "I-NP", "B-VP"], [1, 2, 0, -1], ["DET", "ADJ", "NOUN", "VERB"]
    assert chunk_roles(labels, head, ["det", "amod", "nsubj", "root"], tag)[0][0] == "AGENT"
    assert chunk_roles(labels, head, ["nsubj", "nsubj", "amod", "root"], tag)[0][0] != "AGENT"


def test_roles_of_chosen_chunks_of_a_corpus():
    rows = {"chunk": [["B-NP", "B-VP"], ["B-VP", "B-NP"]], "head": [[1, -1], [-1, 0]]}
    rows |= {"dep": [["nsubj", "root"], ["root", "obj"]], "pos": [["PRON", "VERB"], ["VERB", "NOUN"]]}
    table = pa.table(rows)
    assert roles_of(table, [(1, 1), (0, 0), (1, 0)]) == [
        ("PATIENT", "object"),
        ("AGENT", "sentence begin"),
        ("PREDICATE", None),
    ]
    with pytest.raises(InputError, match="roles of chunks need a parse: expected a column head, found chunk, dep, pos"):
        roles_of(table.drop_columns(["head"]), [(0, 0)])
