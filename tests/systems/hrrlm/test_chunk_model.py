"""The chunk level: sums of word bindings, role weights, and which chunks compete."""

import pytest
import torch

from repline.algebra.circular_convolution import bind, unbind
from repline.systems.hrrlm.chunk_model import ChunkHRRLM, Chunks, chunks_of
from repline.systems.hrrlm.chunk_training import ChunkLoss
from repline.training.language_model_batches import IGNORED

WORDS = [f"w{number}" for number in range(20)]
CHUNKS = Chunks(
    number=torch.tensor([[-1, 0, 0, -1, 1, 2], [-1, 3, 4, 4, 5, -1]]),
    position=torch.tensor([0, 1, 2, 0, 1, 2]),
    kind=torch.tensor([7, 3, 5, 3, 9, 8]),
)
IDS = torch.tensor([[1, 4, 5, 2, 6, 7], [1, 6, 8, 9, 10, 0]])


def _model(**options):
    torch.manual_seed(0)
    return ChunkHRRLM(WORDS, **({"dimensions": 16, "width": 8, "layers": 1, "dropout": 0.0} | options)).eval()


def test_chunks_are_numbered_through_the_batch():
    number = torch.tensor([[-1, 0, 0, -1, 1, 2], [-1, -1, -1, -1, -1, -1], [-1, 0, 1, 1, 2, -1]])
    kind = torch.tensor([[-1, 7, 7, -1, 3, 5], [-1] * 6, [-1, 3, 9, 9, 8, -1]])
    numbered = chunks_of(number, kind)
    assert numbered.number.tolist() == [CHUNKS.number[0].tolist(), [-1] * 6, CHUNKS.number[1].tolist()]
    assert torch.equal(numbered.position, CHUNKS.position)
    assert torch.equal(numbered.kind, CHUNKS.kind)


def test_a_chunk_is_the_sum_of_the_bindings_of_its_words():
    model = _model()
    embedded, weights = torch.randn(5, 16), torch.randn(5, 2).softmax(-1)
    number = torch.tensor([0, 0, 1, 0, 2])
    fillers = model.chunk_fillers(embedded, weights, number, 3)
    words = torch.zeros(5, 16)  # sum_i (a_i r_i) * (W_i^T E(w))
    for role in range(2):
        words += bind(weights[:, role, None] * model.roles[role], embedded @ model.projections[role])
    expected = torch.stack([words[number == chunk].sum(0) for chunk in range(3)])
    torch.testing.assert_close(model.chunk_vectors(fillers), expected, atol=1e-5, rtol=0)
    torch.testing.assert_close(
        model.chunk_vectors(fillers), sum(bind(model.roles[i], fillers[:, i]) for i in range(2)), atol=1e-5, rtol=0
    )


def test_a_word_wholly_in_role_one_has_no_second_filler():
    model = _model()
    fillers = model.chunk_fillers(torch.randn(1, 16), torch.tensor([[1.0, 0.0]]), torch.tensor([0]), 1)
    assert not fillers[0, 1].any()
    assert fillers[0, 0].any()


def test_role_weights_sum_to_one_and_depend_on_the_context():
    model = _model()
    with torch.no_grad():
        model.role_weights.weight.mul_(100)
    _, fillers = model(IDS, CHUNKS)
    changed_ids = IDS.clone()
    changed_ids[0, 3] = 11  # between chunk 0 and chunk 1
    _, changed = model(changed_ids, CHUNKS)
    same = (fillers - changed).abs().amax((1, 2)) < 1e-7
    assert same.tolist() == [True, False, False, True, True, True]
    outputs, _, _ = model.word_level.read(IDS, model.word_level.initial_state(2))
    weights = model.role_weights(outputs).softmax(-1)
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 6))
    word = model.word_level.word_vectors()[6]  # the only word of chunk 3
    expected = torch.stack([weights[1, 1, i] * word @ model.projections[i] for i in range(2)])
    torch.testing.assert_close(fillers[3], expected, atol=1e-6, rtol=0)


@pytest.mark.parametrize(("step", "second"), [(0, 0.0), (5, 0.5), (20, 1.0)])
def test_scores_decode_the_prediction_filler_by_filler(step, second):
    model = _model(annealing=10)
    model.step.fill_(step)
    fillers = torch.randn(6, 2, 16)
    scores, true = model.next_chunk_scores(fillers, CHUNKS)
    assert true.tolist() == [2, 5]
    vectors = model.chunk_vectors(fillers)
    for row, chunk in enumerate((2, 5)):
        before = torch.cat([vectors[chunk - 1], vectors[chunk - 2]])
        predicted = torch.tanh(model.prediction.weight @ before)
        expected = sum(
            alpha * fillers[:, i] @ unbind(model.roles[i], predicted) for i, alpha in enumerate((1.0, second))
        )
        torch.testing.assert_close(scores[row], expected, atol=1e-5, rtol=0)


def test_chunks_of_the_same_words_are_no_wrong_answers():
    fillers = torch.randn(6, 2, 16)
    twins = CHUNKS._replace(kind=torch.tensor([7, 3, 5, 5, 9, 8]))
    scores, true = _model().next_chunk_scores(fillers, twins)
    assert true.tolist() == [2, 5]
    assert torch.isinf(scores).nonzero().tolist() == [[0, 3]]  # chunk 3 next to chunk 2; the true one itself stays
    loss = torch.nn.functional.cross_entropy(scores, true)
    assert torch.isfinite(loss)


@pytest.mark.parametrize("weight", [0.0, 0.5, 3.0])
def test_the_loss_is_that_of_the_words_and_the_weighted_one_of_the_chunks(weight):
    model = _model(beta=0.5)
    number = torch.tensor([[-1, 0, 0, -1, 1, 2], [-1, 0, 1, 1, 2, -1]])
    kind = torch.tensor([[-1, 7, 7, -1, 3, 5], [-1, 3, 9, 9, 8, -1]])
    targets = torch.tensor([[4, 5, 2, 6, 7, 0], [6, 8, 9, 10, 0, IGNORED]])
    hidden, fillers = model(IDS, CHUNKS)
    words = torch.nn.functional.cross_entropy(model.word_level.decode(hidden).flatten(0, 1), targets.flatten())
    chunks = torch.nn.functional.cross_entropy(*model.next_chunk_scores(fillers, CHUNKS))
    assert chunks > 0.1
    torch.testing.assert_close(
        ChunkLoss(weight)(model, (IDS, targets, number, kind)), words + weight * chunks + model.penalty()
    )


def test_sentences_of_two_chunks_predict_nothing():
    chunks = Chunks(torch.tensor([[0, 1]]), torch.tensor([0, 1]), torch.tensor([0, 1]))
    scores, true = _model().next_chunk_scores(torch.randn(2, 2, 16), chunks)
    assert scores.shape == (0, 2) and true.shape == (0,)


@pytest.mark.parametrize("training", [True, False])
def test_a_batch_without_chunks_has_the_loss_of_its_words(training):
    model = _model(beta=0.5).train(training)
    outside = torch.full_like(IDS, -1)
    hidden, fillers = model(IDS, chunks_of(outside, outside))
    assert fillers.shape == (0, 2, 16)
    words = torch.nn.functional.cross_entropy(model.word_level.decode(hidden).flatten(0, 1), IDS.flatten())
    loss = ChunkLoss(1.0)(model, (IDS, IDS, outside, outside))
    torch.testing.assert_close(loss, words + model.penalty())
    loss.backward()
    assert model.word_level.coefficients.grad.any()


def test_with_uniform_starts_every_weight_is_within_a_twentieth_on_both_sides():
    matrices = {name: weight for name, weight in _model(initial="uniform").named_parameters() if weight.ndim > 1}
    assert "roles" in matrices
    for name, weight in matrices.items():
        assert -0.05 <= weight.min() < -0.03 and 0.03 < weight.max() <= 0.05, name


def test_the_penalty_holds_the_roles_of_chunks_too():
    model = _model(beta=0.5).requires_grad_(False)
    before = model.penalty()
    with torch.no_grad():
        model.roles.copy_(torch.eye(16)[:2])
    near = model.penalty()
    with torch.no_grad():
        model.roles.zero_()
    assert model.penalty() - near == pytest.approx(0.5 * 2)
    assert before > near
    assert _model(bases="fixed").penalty() == 0


def test_saved_and_loaded_models_are_the_same(tmp_path):
    model = _model(annealing=3)
    model.save_pretrained(tmp_path)
    loaded = ChunkHRRLM.from_pretrained(tmp_path).eval()
    for ours, theirs in zip(model(IDS, CHUNKS), loaded(IDS, CHUNKS), strict=True):
        assert torch.equal(ours, theirs)


def test_training_counts_its_batches_and_reading_does_not():
    model = _model(annealing=2).train()
    for _ in range(3):
        model(IDS, CHUNKS)
    model.eval()(IDS, CHUNKS)
    assert model.step == 3
