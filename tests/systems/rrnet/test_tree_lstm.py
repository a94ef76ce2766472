"""The TreeLSTM, level by level, against the recursion over one tree."""

import random

import pytest
import torch

from repline.errors import InputError
from repline.systems.rrnet import propositional_logic as logic
from repline.systems.rrnet.tree_lstm import TreeLSTM, trees

OPEN, CLOSE = (logic.WORDS.index(sign) for sign in "()")


def _recursive(model, vectors, words):
    """(h, c) of one formula, by its definition."""
    if len(words) == 1:
        i, o, g = model.leaf(vectors[words[0]]).chunk(3)
        memory = i.sigmoid() * g.tanh()
        return o.sigmoid() * memory.tanh(), memory
    depth, end = 0, 1
    while True:  # the first part of what is inside the brackets
        depth += (words[end] == OPEN) - (words[end] == CLOSE)
        end += 1
        if depth == 0:
            break
    (h_l, c_l), (h_r, c_r) = _recursive(model, vectors, words[1:end]), _recursive(model, vectors, words[end:-1])
    i, f_l, f_r, o, g = model.node(torch.cat([h_l, h_r])).chunk(5)
    memory = i.sigmoid() * g.tanh() + f_l.sigmoid() * c_l + f_r.sigmoid() * c_r
    return o.sigmoid() * memory.tanh(), memory


def test_levels_are_the_recursion():
    torch.manual_seed(0)
    rng = random.Random(0)
    formulas = [formula for _ in range(12) for formula in logic.draw_pair(rng)[:2]]
    ids, lengths = (torch.from_numpy(array) for array in logic.encode(formulas))
    model, vectors = TreeLSTM(4, 6), torch.randn(len(logic.WORDS), 4)
    hidden, memory = model(vectors, trees(ids, lengths, OPEN, CLOSE))
    for row, length in enumerate(lengths.tolist()):
        h, c = _recursive(model, vectors, ids[row, :length].tolist())
        torch.testing.assert_close(hidden[row], h, atol=1e-6, rtol=1e-5)
        torch.testing.assert_close(memory[row], c, atol=1e-6, rtol=1e-5)


def test_nodes_of_a_tree():
    ids, lengths = (torch.from_numpy(array) for array in logic.encode(["( a ( and ( not b ) ) )", "c"]))
    nodes = trees(ids, lengths, OPEN, CLOSE)
    assert [logic.WORDS[number] for number in nodes.words] == ["a", "and", "not", "b", "c"]
    assert [(left.tolist(), right.tolist()) for left, right in nodes.levels] == [([2], [3]), ([1], [5]), ([0], [6])]
    assert nodes.roots.tolist() == [7, 4]


@pytest.mark.parametrize("text", ["( a", "( a b", "( a )", "a b", "( a b c )", "( )", ") a b (", "( a b ) )"])
def test_other_brackets_are_refused(text):
    ids, lengths = (torch.from_numpy(array) for array in logic.encode(["( not a )", text]))
    with pytest.raises(InputError, match="row 1: expected brackets around two parts each"):
        trees(ids, lengths, OPEN, CLOSE)
