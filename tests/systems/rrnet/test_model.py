"""RRNet: batches against one sequence at a time, the LSTM inside it, stacks, masks, policies."""

import numpy as np
import pytest
import torch

from benchmarks.rrnet import one_at_a_time
from repline.errors import InputError
from repline.layers.stacked_state import StackedState
from repline.systems.rrnet import math_expressions, propositional_logic
from repline.systems.rrnet.model import (
    Policy,
    RRNet,
    bracket_operations,
    operation_shares,
    symbol_operations,
)
from repline.systems.rrnet.schedule import MERGE, RECUR, SPLIT, STAY, schedule
from repline.systems.rrnet.tasks import Encoder, ExpressionEvaluator, RelationClassifier

SYMBOLS = list(math_expressions.ALPHABET)
OPEN, CLOSE = SYMBOLS.index("("), SYMBOLS.index(")")


def _expressions(count, length, seed=0):
    ids = math_expressions.draw(count, length=length, rng=np.random.default_rng(seed))
    return torch.from_numpy(ids.astype(np.int64))


def _mixed(seed=0, rows=9, steps=14):
    """Inputs and operations that differ in every row, some of which end early."""
    torch.manual_seed(seed)
    reads = torch.randint(0, 6, (rows, steps))
    operations = symbol_operations(reads, torch.tensor([SPLIT, SPLIT, MERGE, MERGE, RECUR, RECUR]))
    lengths = torch.randint(1, steps + 1, (rows,))
    lengths[0] = steps
    return reads, operations.masked_fill(torch.arange(steps) >= lengths[:, None], STAY), lengths


@pytest.mark.parametrize("memory", ["merge", "carry"])
def test_a_batch_of_mixed_operations_is_one_sequence_at_a_time(memory):
    reads, operations, lengths = _mixed()
    layer, vectors = RRNet(5, 7, memory=memory), torch.randn(6, 5, requires_grad=True)
    weight, last = torch.randn(*reads.shape, 7), torch.randn(len(reads), 14)
    hidden, state = layer(vectors, reads, operations)
    alive = (operations != STAY)[..., None]
    ((hidden * weight * alive).sum() + (state.now * last).sum()).backward()
    batched = {name: value.grad.clone() for name, value in layer.named_parameters()} | {"x": vectors.grad.clone()}
    layer.zero_grad()
    vectors.grad = None
    for row, length in enumerate(lengths.tolist()):
        after, now = one_at_a_time(layer, vectors[reads[row, :length]], operations[row, :length])
        assert (after - hidden[row, :length]).abs().max() < 1e-5
        assert (now - state.now[row]).abs().max() < 1e-5
        ((after * weight[row, :length]).sum() + (now * last[row]).sum()).backward()
    for name, value in layer.named_parameters():
        torch.testing.assert_close(batched[name], value.grad, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(batched["x"], vectors.grad, atol=1e-4, rtol=1e-4)


def test_gradients_are_those_of_differences():
    reads, operations, _ = _mixed(1, rows=4, steps=7)
    layer, vectors = RRNet(3, 4).double(), torch.randn(6, 3, dtype=torch.double, requires_grad=True)
    names, values = zip(*layer.named_parameters(), strict=True)
    copies = [value.detach().clone().requires_grad_() for value in values]

    def run(vectors, *values):
        hidden, state = torch.func.functional_call(
            layer, dict(zip(names, values, strict=True)), (vectors, reads, operations)
        )
        return hidden.sum() + state.now.square().sum()

    assert torch.autograd.gradcheck(run, (vectors, *copies), fast_mode=True)


def test_steps_one_by_one_are_the_batch():
    reads, operations, _ = _mixed(2)
    layer, vectors = RRNet(5, 7), torch.randn(6, 5)
    hidden, state = layer(vectors, reads, operations)
    now, stack = torch.zeros(len(reads), 14), StackedState(len(reads), 14, 14, like=vectors)
    for step in range(reads.shape[1]):
        now = layer.step(vectors[reads[:, step]], operations[:, step], now, stack)
        assert (now[:, :7] - hidden[:, step]).abs().max() < 1e-5
    assert (now - state.now).abs().max() < 1e-5
    assert torch.equal(stack.sizes, state.sizes)
    for row, size in enumerate(state.sizes.tolist()):
        torch.testing.assert_close(stack.cells[row, :size], state.stacks[row, :size])


@pytest.mark.parametrize("cut", [1, 5, 13])
def test_a_state_goes_on_where_it_stopped(cut):
    reads, operations, _ = _mixed(3)
    layer, vectors = RRNet(5, 7), torch.randn(6, 5, requires_grad=True)
    whole, end = layer(vectors, reads, operations)
    (gradient,) = torch.autograd.grad(end.now.sum(), vectors)
    first, state = layer(vectors, reads[:, :cut], operations[:, :cut])
    second, state = layer(vectors, reads[:, cut:], operations[:, cut:], state)
    torch.testing.assert_close(torch.cat([first, second], 1), whole)
    torch.testing.assert_close(state.now, end.now)
    assert torch.equal(state.sizes, end.sizes)
    torch.testing.assert_close(torch.autograd.grad(state.now.sum(), vectors)[0], gradient, atol=1e-5, rtol=1e-5)


def test_only_recurring_is_the_lstm():
    torch.manual_seed(0)
    lstm, layer = torch.nn.LSTM(5, 7, batch_first=True), RRNet(5, 7)
    layer.cells[2].load_state_dict({name.removesuffix("_l0"): value for name, value in lstm.state_dict().items()})
    ids, vectors = torch.randint(0, 6, (8, 20)), torch.randn(6, 5)
    hidden, state = layer(vectors, ids, torch.full_like(ids, RECUR))
    expected, (h, c) = lstm(vectors[ids])
    assert (hidden - expected).abs().max() < 1e-6
    assert (state.now - torch.cat([h[0], c[0]], 1)).abs().max() < 1e-6


@pytest.mark.parametrize("length", [1, 4, 7])
def test_brackets_push_and_pop_as_many_and_leave_nothing(length):
    ids = _expressions(64, length)
    operations = bracket_operations(ids, OPEN, CLOSE)
    assert (operations == SPLIT).sum(1).tolist() == (operations == MERGE).sum(1).tolist() == [length] * 64
    plan = schedule(operations, ids)
    assert plan.sizes.tolist() == [0] * 64
    assert plan.stacks.shape[1] == 0
    assert plan.depths.max() <= length
    assert (plan.depths >= 0).all()


def test_unbalanced_brackets_are_refused():
    layer, vectors = RRNet(5, 7), torch.randn(len(SYMBOLS), 5)
    ids = torch.from_numpy(math_expressions.encode(["(1+2)", ")1+2("]).astype(np.int64))
    with pytest.raises(InputError, match="row 1: the operation at step 0 merges with an empty stack"):
        layer(vectors, ids, bracket_operations(ids, OPEN, CLOSE))
    deep = _expressions(3, 4)
    with pytest.raises(InputError, match=r"row 0: the operation at step . splits beyond the depth of 1"):
        RRNet(5, 7, depth=1)(vectors, deep, bracket_operations(deep, OPEN, CLOSE))


def test_gradient_reaches_what_a_split_pushed():
    layer, vectors = RRNet(5, 7), torch.randn(len(SYMBOLS), 5)
    ids = _expressions(16, 3)
    layer(vectors, ids, bracket_operations(ids, OPEN, CLOSE))[1].now.sum().backward()
    down = layer.cells[0]
    assert down.weight_hh.grad.abs().max() > 0 and down.weight_ih.grad.abs().max() > 0
    layer.zero_grad()
    open_ = torch.full((2, 4), OPEN)
    layer(vectors, open_, bracket_operations(open_, OPEN, CLOSE))[1].now.sum().backward()  # pushed and never popped
    assert down.weight_hh.grad.abs().max() == 0


def test_impossible_operations_have_no_probability():
    torch.manual_seed(0)
    policy = Policy(5, 7)
    allowed = torch.tensor([[True, False, True], [False, True, True], [False, False, True], [True, True, True]])
    probabilities = policy(torch.randn(4, 5), torch.randn(4, 7), allowed).exp()
    assert not probabilities[~allowed].any()
    torch.testing.assert_close(probabilities.sum(1), torch.ones(4))
    assert (probabilities[allowed] > 0).all()


@pytest.mark.parametrize("most", [0, 1, 3])
def test_a_policy_keeps_to_what_is_possible(most):
    torch.manual_seed(0)
    layer = RRNet(5, 7, depth=2, policy=True, most=most).train()
    vectors, ids = torch.randn(6, 5), torch.randint(0, 6, (32, 12))
    lengths = torch.randint(1, 13, (32,))
    decisions = layer.decide(vectors, ids, lengths)
    assert decisions.operations.shape == (32, 12 * (most + 1))
    plan = schedule(decisions.operations, decisions.reads, depth=2)  # raises if a stack were popped empty or overfull
    assert 0 < plan.depths.max() <= 2
    assert decisions.allowed.gather(2, decisions.actions[..., None])[..., 0][decisions.decided].all()
    recurs = (decisions.operations == RECUR).sum(1)
    ended = (decisions.operations == STAY).all(1)
    assert not ended.any()
    if most:
        assert torch.equal(recurs, lengths)  # each symbol is consumed once
        before = decisions.operations.unflatten(1, (12, most + 1))[:, :, :most]
        assert ((before == RECUR).sum() == 0) and (before != STAY).any()
        assert torch.equal(layer.symbol_steps(decisions.reads[..., None])[..., 0], ids)
    else:
        assert torch.equal((decisions.operations != STAY).sum(1), lengths)
    assert layer.eval().decide(vectors, ids, lengths).actions.equal(layer.decide(vectors, ids, lengths).actions)


def test_probabilities_of_what_was_done_are_those_it_was_drawn_from():
    torch.manual_seed(0)
    layer = RRNet(5, 7, depth=3, policy=True).eval()
    vectors, ids = torch.randn(6, 5), torch.randint(0, 6, (16, 9))
    decisions = layer.decide(vectors, ids)
    hidden, _ = layer(vectors, decisions.reads, decisions.operations)
    scores = layer.log_probabilities(vectors, decisions, hidden, None)
    assert torch.equal(scores.argmax(-1), decisions.actions)
    scores[:, -1].max().backward()
    assert layer.policy.hidden.weight.grad.abs().max() > 0


def test_a_random_policy_is_one_operation_a_symbol():
    ids = torch.randint(0, 3, (20, 30), generator=torch.Generator().manual_seed(0))
    operations = symbol_operations(ids, torch.tensor([SPLIT, MERGE, RECUR]), depth=2)
    assert set(operations[ids == 2].tolist()) == {RECUR}
    assert set(operations[ids == 0].tolist()) == {SPLIT, RECUR}
    assert set(operations[ids == 1].tolist()) == {MERGE, RECUR}
    assert schedule(operations, ids, depth=2).depths.min() == 0
    shares = operation_shares([operations])
    assert sum(shares.values()) == pytest.approx(1) and min(shares.values()) > 0.1


def test_sizes_are_those_of_the_sheet():
    def parameters(*size):
        return sum(value.numel() for value in ExpressionEvaluator(SYMBOLS, 32, *size).parameters())

    assert parameters(64, "lstm") == 51690
    assert parameters(64, "brackets") == 143466
    assert parameters(117, "lstm") == 143380  # the LSTM with as many parameters


@pytest.mark.parametrize("kind", ["lstm", "transformer", "brackets", "imitated", "recur", "random", "learned"])
def test_what_an_encoder_reads_does_not_depend_on_its_company(kind):
    torch.manual_seed(0)
    encoder = Encoder(SYMBOLS, 5, 8, kind).eval()
    short, long = _expressions(4, 2), _expressions(4, 4, 1)
    padded = torch.zeros(8, long.shape[1], dtype=torch.long)
    padded[:4, : short.shape[1]], padded[4:] = short, long
    lengths = torch.tensor([short.shape[1]] * 4 + [long.shape[1]] * 4)
    both = encoder(padded, lengths)
    for part, rows in ((short, slice(0, 4)), (long, slice(4, 8))):
        alone = encoder(part, torch.full((4,), part.shape[1]))
        torch.testing.assert_close(both.hidden[rows], alone.hidden, atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(both.memory[rows], alone.memory, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", ["lstm", "brackets", "learned"])
def test_digits_are_read_as_they_are_trained(kind):
    torch.manual_seed(0)
    model = ExpressionEvaluator(SYMBOLS, 8, 12, kind).eval()
    ids = _expressions(30, 3)
    lengths = torch.full((30,), 13)
    values, _ = model.predict(ids, lengths)
    with torch.no_grad():
        scores, _ = model(ids, lengths, values)
    assert torch.equal(scores.argmax(-1), torch.stack([values // 10, values % 10], 1))


def test_models_are_saved_whole(tmp_path):
    torch.manual_seed(0)
    ids = _expressions(5, 3)
    lengths = torch.full((5,), 13)
    pairs = torch.randint(0, 6, (5, 2, 1))
    evaluator = ExpressionEvaluator(SYMBOLS, 4, 6, "random", seed=3).eval()
    evaluator.save_pretrained(tmp_path / "evaluator")
    again = ExpressionEvaluator.from_pretrained(tmp_path / "evaluator").eval()
    assert torch.equal(again.predict(ids, lengths)[0], evaluator.predict(ids, lengths)[0])
    assert torch.equal(again.encoder.assigned, evaluator.encoder.assigned)
    classifier = RelationClassifier(propositional_logic.WORDS, propositional_logic.RELATIONS, 4, 6, "tree_lstm").eval()
    classifier.save_pretrained(tmp_path / "classifier")
    pair_lengths = torch.ones(5, 2, dtype=torch.long)
    loaded = RelationClassifier.from_pretrained(tmp_path / "classifier").eval()
    assert torch.equal(loaded(pairs, pair_lengths)[0], classifier(pairs, pair_lengths)[0])


def test_relations_are_read_from_both_formulas_their_distance_and_their_product():
    torch.manual_seed(0)
    classifier = RelationClassifier(propositional_logic.WORDS, propositional_logic.RELATIONS, 4, 6, "lstm").eval()
    left, right = torch.randint(1, 5, (3, 7)), torch.randint(1, 5, (3, 7))
    lengths = torch.full((3,), 7)
    scores, _ = classifier(torch.stack([left, right], 1), torch.stack([lengths, lengths], 1))
    u, v = (classifier.encoder(ids, lengths).hidden for ids in (left, right))
    features = torch.cat([u, v, abs(u - v), u * v], 1)
    torch.testing.assert_close(scores, classifier.readout(torch.tanh(classifier.hidden(features))))


@pytest.mark.parametrize("different", [3, 12])
def test_an_lstm_reads_many_lengths_as_it_reads_one(different):
    torch.manual_seed(0)
    encoder = Encoder(SYMBOLS, 5, 8, "lstm").eval()
    lengths = torch.randint(1, different + 1, (20,))
    lengths[:different] = torch.arange(1, different + 1)
    ids = torch.randint(0, 16, (20, different))
    both = encoder(ids, lengths)
    for row, length in enumerate(lengths.tolist()):
        alone = encoder(ids[row : row + 1, :length], lengths[row : row + 1])
        torch.testing.assert_close(both.hidden[row], alone.hidden[0], atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(both.memory[row], alone.memory[0], atol=1e-5, rtol=1e-5)
