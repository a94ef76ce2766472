"""Bracket-RNN: the sheet's invariants, on random parameters, against reading one sentence and one symbol at a time."""

import pytest
import torch

from repline.errors import InputError
from repline.systems.bracket_rnn.awd_lstm import AWDLSTM
from repline.systems.bracket_rnn.model import BracketRNN
from repline.systems.bracket_rnn.state_merge import StateMerge

V, OPEN, CLOSE = 20, 20, 21
SMALL = {"embedding": 6, "units": 8, "layers": 2, "merge_units": 12}
VARIANTS = [
    {"variant": "A"},
    {"variant": "B"},
    {"variant": "C"},
    {"variant": "A", "merge": "joint"},
    {"variant": "A", "merge": "restore"},
    {"variant": "A", "activation": "relu"},
    {"variant": "B", "merge": "keep"},
    {"variant": "A", "attention": True},
    {"variant": "C", "attention": True},
    {"variant": "B", "merge": "restore", "attention": True},
    {"variant": "linear"},
]


def model(**settings):
    torch.manual_seed(0)
    reader = BracketRNN(V, **(SMALL | settings)).eval()
    with torch.no_grad():
        for parameter in reader.parameters():
            parameter.mul_(3)  # far from the linear part of the gates
        for merge in reader.merges:
            if merge.query is not None:
                merge.query.normal_()
    return reader


def base_of(bracketed):
    base = AWDLSTM(V, **{key: SMALL[key] for key in ("embedding", "units", "layers")}).eval()
    base.load_state_dict({key: value for key, value in bracketed.state_dict().items() if key in base.state_dict()})
    return base


def read(reader, symbols, state=None):
    inputs = torch.tensor(symbols)
    inputs = inputs[None] if inputs.dim() == 1 else inputs
    return reader(inputs, reader.initial_state(len(inputs)) if state is None else state)


def random_lines(rows, length, seed=0):
    """Bracketed lines of one length, each with a pattern of its own, all brackets closed at the end."""
    generator = torch.Generator().manual_seed(seed)
    lines = []
    for _ in range(rows):
        line, depth = [], 0
        while len(line) < length:
            left = length - len(line)
            draw = torch.rand((), generator=generator)
            if depth and (depth == left or draw < 0.25):
                line.append(CLOSE)
                depth -= 1
            elif draw > 0.7 and left > depth + 2:
                line.append(OPEN)
                depth += 1
            else:
                line.append(int(torch.randint(2, V, (), generator=generator)))
        lines.append(line)
    return torch.tensor(lines)


def plain_reading(reader, line):
    """One symbol at a time with a Python list as the stack: hidden states [T, d], as the docstring has it."""
    state = [(torch.zeros(1, layer.hidden_size), torch.zeros(1, layer.hidden_size)) for layer in reader.layers]
    saved, outputs = [], []
    for symbol in line.tolist():
        if symbol == OPEN and reader.variant != "linear":
            saved.append(list(state))
        if symbol < V or reader.variant != "B":
            x = reader.embedding[symbol] if symbol < V else reader.brackets[symbol - V]
            x = x[None]
            for number, layer in enumerate(reader.layers):
                parameters = (layer.weight_ih_l0, layer.weight_hh_l0, layer.bias_ih_l0, layer.bias_hh_l0)
                state[number] = torch.lstm_cell(x, state[number], *parameters)
                x = state[number][0]
        if symbol == CLOSE and reader.variant != "linear":
            opened = list(zip(*saved, strict=True))  # of each layer the states before what is open
            saved.pop()
            state = [
                plain_merge(merge, plain_attention(merge, before, now) if merge.query is not None else before[-1], now)
                for merge, before, now in zip(reader.merges, opened, state, strict=True)
            ]
        outputs.append(state[-1][0])
    return torch.cat(outputs)


def plain_attention(merge, saved, now):
    query = merge.query @ now[0][0]
    scores = torch.stack([query @ h[0] for h, _ in saved]) / len(query) ** 0.5
    return tuple(
        sum(weight * part for weight, part in zip(scores.softmax(0), parts, strict=True))
        for parts in zip(*saved, strict=True)
    )


def plain_merge(merge, saved, now):
    """(h, c) and (h, c), as the docstring of StateMerge has it."""

    def net(number, *parts):
        first, second = merge.nets[number]
        hidden = torch.cat(parts, -1) @ first.T
        return (torch.tanh(hidden) if merge.activation == "tanh" else torch.relu(hidden)) @ second.T

    if merge.merge in ("restore", "keep"):
        return saved if merge.merge == "restore" else now
    if merge.merge == "joint":
        h, c = net(0, *saved, *now).chunk(2, -1)
        return torch.tanh(h), c
    h = torch.tanh(net(0, saved[0], now[0]))
    return h, now[1] if merge.merge == "hidden" else net(1, saved[1], now[1])


@pytest.mark.parametrize("settings", VARIANTS, ids=str)
def test_a_batch_equals_one_symbol_at_a_time(settings):
    reader = model(**settings)
    lines = random_lines(9, 24)
    hidden, (_, stacks) = read(reader, lines.tolist())
    for row, line in enumerate(lines):
        assert (hidden[row] - plain_reading(reader, line)).abs().max() < 1e-5
    assert stacks is None or all(stack.empty.all() for stack in stacks)


def test_what_is_pushed_and_what_predicts_the_word_after_a_bracket():
    reader = model(layers=1, merge="restore")
    reports, *inside = 5, 6, 7, 8, 9
    alone, (before, _) = read(reader, [reports])
    hidden, (after, _) = read(reader, [reports, OPEN, *inside, CLOSE])
    torch.testing.assert_close(after, before)  # pushed: the state after "reports"
    torch.testing.assert_close(hidden[0, -1], alone[0, -1])  # the merged state predicts "circulated"
    assert not torch.allclose(hidden[0, -2], alone[0, -1])
    reader = model(layers=1)
    hidden, _ = read(reader, [reports, OPEN, *inside, CLOSE])
    inner, (state, _) = read(model(layers=1, merge="keep"), [reports, OPEN, *inside, CLOSE])
    expected, _ = plain_merge(reader.merges[0], before[0], state[0])
    torch.testing.assert_close(hidden[0, -1:], expected)
    assert not torch.allclose(inner[0, -1:], expected)


def test_without_brackets_it_is_the_base_bit_for_bit():
    lines = torch.randint(0, V, (4, 15), generator=torch.Generator().manual_seed(1))
    for settings in VARIANTS:
        reader = model(**settings)
        base = base_of(reader)
        ours, (state, _) = read(reader, lines.tolist())
        theirs, base_state = read(base, lines.tolist())
        assert torch.equal(ours, theirs) and torch.equal(reader.decode(ours), base.decode(theirs))
        assert all(
            torch.equal(a, b) for pair in zip(state, base_state, strict=True) for a, b in zip(*pair, strict=True)
        )


def test_merges_forced_to_one_state():
    lines = random_lines(6, 20)
    reader = model(variant="B", merge="keep")
    base = base_of(reader)
    hidden, _ = read(reader, lines.tolist())
    for row, line in enumerate(lines):
        plain, _ = read(base, line[line < V].tolist())
        torch.testing.assert_close(hidden[row][line < V], plain[0], atol=1e-6, rtol=0)
    reader = model(variant="B", merge="restore")
    hidden, _ = read(reader, lines.tolist())
    checked = 0
    for row, line in enumerate(lines.tolist()):
        opened = []
        for position, symbol in enumerate(line):
            if symbol == OPEN:
                opened.append(hidden[row, position - 1] if position else torch.zeros(SMALL["embedding"]))
            elif symbol == CLOSE:
                torch.testing.assert_close(hidden[row, position], opened.pop(), atol=1e-6, rtol=0)
                checked += 1
    assert checked > 10


def count(reader):
    return sum(parameter.numel() for name, parameter in reader.named_parameters() if name != "brackets")


@pytest.mark.parametrize("merge", [{"merge": "separate"}, {"merge": "joint"}, {"variant": "C"}], ids=str)
def test_parameter_counts_of_the_poster(merge):
    one_layer = {"vocabulary": 10_000, "embedding": 400, "units": 1150, "layers": 1}
    three = one_layer | {"layers": 3}
    assert (count(AWDLSTM(**one_layer)), count(AWDLSTM(**three))) == (5_293_200, 24_221_600)
    assert count(BracketRNN(**one_layer, variant="linear")) == 5_293_200
    assert count(BracketRNN(**one_layer, **merge)) == 5_293_200 + 960_000
    assert count(BracketRNN(**three, **merge)) == 24_221_600 + 6_480_000
    assert BracketRNN(**one_layer, **merge).brackets.numel() == 800


def test_the_gradient_skips_what_is_inside():
    reader = model(variant="A", merge="restore")
    symbols = torch.tensor([[5, OPEN, 6, 7, CLOSE, 8]])
    vectors = reader.embed(symbols).detach().requires_grad_()
    reader.embed = lambda inputs: vectors
    hidden, _ = reader(symbols, reader.initial_state(1))
    loss = torch.nn.functional.cross_entropy(reader.decode(hidden[:, 4]), torch.tensor([8]))
    (gradient,) = torch.autograd.grad(loss, vectors)
    norms = gradient[0].norm(dim=-1)
    assert norms[0] > 1e-4 and not norms[1:].any()


def test_gradients_are_those_of_one_symbol_at_a_time():
    lines = random_lines(5, 18, seed=3)
    weights = torch.randn(5, 18, SMALL["embedding"])
    for settings in VARIANTS:
        reader = model(**settings)
        unread = (reader.bias, reader.brackets) if reader.variant == "B" else (reader.bias,)
        parameters = [
            parameter for parameter in reader.parameters() if not any(parameter is skipped for skipped in unread)
        ]
        ours = torch.autograd.grad((read(reader, lines.tolist())[0] * weights).sum(), parameters)
        plain = torch.stack([plain_reading(reader, line) for line in lines])
        theirs = torch.autograd.grad((plain * weights).sum(), parameters)
        for gradient, expected in zip(ours, theirs, strict=True):
            torch.testing.assert_close(gradient, expected, atol=1e-3, rtol=1e-3)


def test_a_stream_in_segments_carries_state_and_stack():
    lines = random_lines(4, 30, seed=5)
    for settings in VARIANTS:
        reader = model(**settings)
        whole, _ = read(reader, lines.tolist())
        state, parts = reader.initial_state(4), []
        for segment in lines.split([1, 4, 7, 2, 16], 1):
            hidden, (layers, stacks) = reader(segment, state)
            parts.append(hidden)
            state = layers, stacks and tuple(stack.detach() for stack in stacks)
        torch.testing.assert_close(torch.cat(parts, 1), whole, atol=1e-5, rtol=0)


def test_unbalanced_brackets_are_one_sentence():
    reader = model()
    with pytest.raises(InputError, match=r"row 1, symbol 2: a '\)' without a '\(' before it"):
        read(reader, [[OPEN, 5, CLOSE], [5, 6, CLOSE]])
    _, state = read(reader, [[OPEN, 5], [5, 6]])
    with pytest.raises(InputError, match="row 1, symbol 0"):
        read(reader, [[CLOSE], [CLOSE]], state)
    read(reader, [[CLOSE], [5]], state)
    hidden, _ = read(model(variant="linear"), [[CLOSE, 5, CLOSE]])  # to which brackets are words
    assert hidden.shape == (1, 3, 6)


@pytest.mark.parametrize("predict", [False, True])
def test_kinds_and_words_share_one_probability(predict):
    reader = model(predict=predict)
    reader.probe.normal_()
    hidden, _ = read(reader, [5, OPEN, 6, 7, CLOSE])
    logits = reader.decode(hidden)
    assert logits.shape[-1] == (V + 2 if predict else V)
    kinds = reader.kinds(hidden, logits)
    torch.testing.assert_close(kinds.exp().sum(-1), torch.ones(1, 5))
    if predict:
        words = logits[..., :V].log_softmax(-1) + kinds[..., :1]
        torch.testing.assert_close(torch.cat([words, kinds[..., 1:]], -1), logits.log_softmax(-1))


@pytest.mark.parametrize(("merge", "units"), [("separate", 6), ("hidden", 3), ("joint", 12)])
@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_a_merge_can_begin_as_the_mean(merge, units, activation):
    units = units * (2 if activation == "relu" else 1)
    net = StateMerge(merge, 6, units, activation, start="mean")
    saved, now = ((0.1 * torch.randn(3, 6), 0.1 * torch.randn(3, 6)) for _ in range(2))
    h, c = plain_merge(net, saved, now)
    torch.testing.assert_close(h, (saved[0] + now[0]) / 2, atol=4e-3, rtol=0)
    torch.testing.assert_close(c, now[1] if merge == "hidden" else (saved[1] + now[1]) / 2, atol=4e-3, rtol=0)
    with pytest.raises(ValueError, match="hidden units or more, found"):
        StateMerge(merge, 6, units - 1, activation, start="mean")


def test_dropout_keeps_its_mask_over_brackets():
    reader = model(layers=1, output_dropout=0.5).train()
    hidden, _ = read(reader, random_lines(3, 12).tolist())
    dropped = hidden == 0
    assert 0 < dropped.sum() < dropped.numel()
    assert torch.equal(dropped, dropped[:, :1].expand_as(dropped))


@pytest.mark.parametrize("settings", [{}, {"variant": "C", "predict": True}, {"tied": False, "predict": True}], ids=str)
def test_saved_and_loaded_models_are_the_same(settings, tmp_path):
    reader = model(**settings)
    reader.save_pretrained(tmp_path)
    loaded = BracketRNN.from_pretrained(tmp_path).eval()
    lines = random_lines(2, 9).tolist()
    hidden = read(reader, lines)[0]
    assert torch.equal(hidden, read(loaded, lines)[0]) and torch.equal(reader.decode(hidden), loaded.decode(hidden))
