"""LSA and word2vec on subcorpora: the weighting, the decomposition, the gradient, and the loops over them."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from gensim.models import LsiModel, Word2Vec
from scipy import sparse

from repline.cards import write_card
from repline.corpora.parquet import sentence_schema
from repline.errors import InputError
from repline.systems.corpus_specificity import lsa_training, word2vec_training
from repline.systems.corpus_specificity.document_removal import subcorpora
from repline.systems.corpus_specificity.lsa_training import lsa_scores
from repline.systems.corpus_specificity.settings import LSA, SkipGram
from repline.systems.corpus_specificity.word2vec_training import word2vec_scores
from repline.systems.corpus_specificity.word_tests import Categories, Questions
from repline.vectors.lsa import decompose, log_entropy, unit_columns

TOPICS = 4
KEYS = ("test", "method", "size", "sample", "k")


def made_documents(documents=60, seed=0):
    """Each document is of one topic: its words, and words of all topics; every third has common words alone."""
    random = np.random.default_rng(seed)
    texts = []
    for number in range(documents):
        topic_words = [f"topic{number % TOPICS}word{i}" for i in random.integers(6, size=12)]
        common = [f"common{i}" for i in random.integers(40, size=12)]
        texts.append(common if number % 3 == 0 else topic_words + common)
    return texts


TESTS = {
    "categories": Categories(tuple(tuple(f"topic{topic}word{i}" for i in range(4)) for topic in range(TOPICS))),
    "synonyms": Questions(
        tuple(
            (f"topic{t}word0", f"topic{t}word1", *(f"topic{(t + i) % TOPICS}word2" for i in (1, 2, 3)))
            for t in range(TOPICS)
        )
    ),
}


@pytest.fixture
def write(tmp_path):
    def write(texts, name="documents"):
        folder = tmp_path / name
        folder.mkdir()
        columns = {"doc_id": [str(i) for i in range(len(texts))], "sentence_id": [0] * len(texts), "tokens": texts}
        pq.write_table(pa.table(columns, schema=sentence_schema()), folder / "part-00000.parquet")
        about = {"description": "made", "licence": "none", "sources": [], "parameters": {}}
        write_card(folder, name=name, counts={"documents": len(texts)}, **about)
        return folder

    return write


def weighted(seed=0, words=40, documents=25):
    counts = np.random.default_rng(seed).poisson(0.4, size=(words, documents))
    counts[:, counts.sum(axis=0) == 0] = 1
    counts = counts[counts.sum(axis=1) > 0]
    return unit_columns(log_entropy(sparse.csr_array(counts.astype(float))))


def cosines(vectors):
    directions = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return directions @ directions.T


def exactly(matrix, k):
    return lsa_training._exactly(matrix, np.arange(matrix.shape[0]), k)


def test_log_entropy_by_hand():
    counts = sparse.csr_array(np.array([[1.0, 1.0], [2.0, 0.0]]))
    weighted_counts = log_entropy(counts).toarray()
    spread = 1 - np.log(2) / np.log(3)
    assert spread == pytest.approx(0.369070, abs=1e-6)
    assert weighted_counts[0] == pytest.approx([np.log(2) * spread] * 2)
    assert weighted_counts[1] == pytest.approx([np.log(3), 0])
    assert np.linalg.norm(unit_columns(log_entropy(counts)).toarray(), axis=0) == pytest.approx([1, 1])


def test_all_dimensions_have_the_cosines_of_the_weighted_counts():
    matrix = weighted()
    rank = np.linalg.matrix_rank(matrix.toarray())
    assert cosines(exactly(matrix, rank)[0]) == pytest.approx(cosines(matrix.toarray()), abs=1e-8)


def test_exact_and_randomized_decompositions_have_the_same_cosines():
    matrix = weighted(words=200, documents=80)
    vectors, values = exactly(matrix, 10)
    left, singular, _ = np.linalg.svd(matrix.toarray(), full_matrices=False)
    assert values == pytest.approx(singular[:10], abs=1e-10)
    assert cosines(vectors) == pytest.approx(cosines(left[:, :10] * singular[:10]), abs=1e-8)
    randomized = decompose(matrix, 40, iterations=8)[:, :10]
    assert cosines(vectors) == pytest.approx(cosines(randomized), abs=1e-3)


def test_cosines_do_not_depend_on_signs_and_rotations():
    vectors, _ = exactly(weighted(), 6)
    random = np.random.default_rng(0)
    rotation = np.linalg.qr(random.normal(size=(6, 6)))[0]
    assert cosines(vectors * [1, -1, 1, -1, -1, 1]) == pytest.approx(cosines(vectors))
    assert cosines(vectors @ rotation) == pytest.approx(cosines(vectors))


def test_gensim_finds_the_same_space():
    matrix = weighted(words=150, documents=90)
    columns = matrix.tocsc()
    corpus = [
        list(zip(columns.indices[a:b].tolist(), columns.data[a:b].tolist(), strict=True))
        for a, b in zip(columns.indptr[:-1], columns.indptr[1:], strict=True)
    ]
    names = {row: str(row) for row in range(matrix.shape[0])}
    model = LsiModel(corpus, id2word=names, num_topics=60, onepass=False, power_iters=20, random_seed=0)
    vectors, values = exactly(matrix, 20)
    overlap = np.linalg.svd((vectors / values).T @ model.projection.u[:, :20], compute_uv=False)
    assert np.arccos(np.clip(overlap, -1, 1)).max() < 1e-2


def test_scores_do_not_depend_on_the_order_of_documents(write):
    texts = made_documents()
    scores = []
    for name, order in (("a", range(60)), ("b", np.random.default_rng(1).permutation(60))):
        rows = lsa_scores(write([texts[i] for i in order], name), TESTS, LSA(dimensions=[3, 8], steps=1, samples=1))
        scores.append([row["score"] for row in rows if row["method"] != "random"])
    assert scores[0] == pytest.approx(scores[1], abs=1e-9)


def test_lsa_of_every_subcorpus(write):
    rows = lsa_scores(write(made_documents()), TESTS, LSA(dimensions=[3, 8, 500], steps=2, samples=2))
    assert {row["variant"] for row in rows} == {"us", "u", "raw"}
    assert {(row["variant"], row["k"]) for row in rows} == {
        ("raw", 0),
        ("us", 3),
        ("u", 3),
        ("us", 8),
        ("u", 8),
    }  # 500 is not below the number of documents
    us = [row for row in rows if row["variant"] == "us" and row["test"] == "categories"]
    # ks; the whole corpus and the smallest out-of-domain one, always the same, and two samples of the three others
    assert len(us) == 2 * (1 + 1 + 2 * 3)
    full = next(row for row in us if row["method"] == "full" and row["k"] == 3)
    assert full["documents"] == full["size"] == 60
    assert full["tokens"] == sum(map(len, made_documents()))
    assert full["score"] > 0.5
    smallest = [row for row in us if row["method"] == "out_of_domain" and row["size"] == 40]
    assert len([row for row in smallest if row["k"] == 3]) == 1
    random = [row["score"] for row in us if row["method"] == "random" and row["size"] == 40 and row["k"] == 3]
    assert len(set(random)) == 2


def test_both_decompositions_score_alike(write):
    documents = write(made_documents(200))
    exact = lsa_scores(documents, TESTS, LSA(dimensions=[3, 8], steps=1, samples=1))
    randomized = lsa_scores(documents, TESTS, LSA(dimensions=[3, 8], steps=1, samples=1, exact=0, iterations=8))
    assert [[row[key] for key in KEYS] for row in exact] == [[row[key] for key in KEYS] for row in randomized]
    assert [row["score"] for row in exact] == pytest.approx([row["score"] for row in randomized], abs=0.01)


def test_the_solver_of_the_whole_corpus_is_that_of_its_parts(write, monkeypatch):
    """A part of 40 documents is not decomposed exactly because it is small when the whole of 60 is not."""
    solved = []
    monkeypatch.setattr(lsa_training, "_exactly", lambda *_: solved.append("exact"))
    rows = lsa_scores(write(made_documents()), TESTS, LSA(dimensions=[3], steps=1, samples=2, exact=50))
    assert not solved
    assert len([row for row in rows if row["method"] == "full" and row["variant"] == "us"]) == 2 * len(TESTS)


def test_samples_are_other_documents_where_there_is_a_choice():
    word_in_document = sparse.csr_array(np.eye(5, 40, dtype=bool))
    drawn: dict[tuple[str, int], set] = {}
    for part in subcorpora(word_in_document, 3, 4):
        drawn.setdefault((part.method, part.size), set()).add(part.documents.tobytes())
    different = {key: len(draws) for key, draws in drawn.items()}
    assert different.pop(("full", 40)) == 1
    assert different.pop(("out_of_domain", 5)) == 1  # only the documents with a word of the test
    assert different.pop(("random", 5)) == 1  # each word is in one document: no others can hold all of them
    assert set(different.values()) == {4}
    for size in (17, 28):
        assert not drawn["out_of_domain", size] & drawn["random", size]


def test_subcorpora_are_what_they_say():
    word_in_document = sparse.csr_array(np.eye(5, 40, dtype=bool))
    parts = list(subcorpora(word_in_document, 3, 2))
    assert [(part.method, part.size, part.sample) for part in parts[:2]] == [("full", 40, 0), ("full", 40, 1)]
    assert all(len(part.documents) == part.size for part in parts)
    assert sorted({part.size for part in parts}) == [5, 17, 28, 40]


def test_a_word_that_the_corpus_lacks_is_named(write):
    test = {"categories": Categories((("topic0word0", "nowhere"), ("topic1word0", "topic1word1")))}
    with pytest.raises(InputError, match="'nowhere' of the test 'categories'"):
        lsa_scores(write(made_documents()), test, LSA(dimensions=[3], steps=1, samples=1))


def word2vec(documents, scratch, **options):
    settings = {"dimensions": [4], "steps": 1, "samples": 1, "window": 3, "negative": 2, "epochs": 1}
    return word2vec_scores(documents, TESTS, scratch, SkipGram(**settings | options))


def test_word2vec_goes_on_where_it_was_killed(write, tmp_path, monkeypatch):
    documents = write(made_documents())
    expected = word2vec(documents, tmp_path / "whole")
    assert [row["method"] for row in expected] == ["full", "out_of_domain", "random"] * 2
    trainings = []
    train = word2vec_training._word2vec

    def counted(*arguments):
        trainings.append(arguments)
        if len(trainings) == 3:
            raise KeyboardInterrupt
        return train(*arguments)

    monkeypatch.setattr(word2vec_training, "_word2vec", counted)
    with pytest.raises(KeyboardInterrupt):
        word2vec(documents, tmp_path / "part")
    assert word2vec(documents, tmp_path / "part") == expected
    assert len(trainings) == 3 + 3  # the whole corpus serves both tests: five in all, of which two were done


def test_fewer_documents_get_as_many_updates_as_the_whole_corpus(write, tmp_path, monkeypatch):
    documents = write(made_documents())
    epochs = {}
    train = word2vec_training._word2vec

    def noted(documents, part, k, words, recipe, saved):
        epochs.setdefault(part.method, []).append(recipe.epochs)
        return train(documents, part, k, words, recipe, saved)

    monkeypatch.setattr(word2vec_training, "_word2vec", noted)
    plain = word2vec(documents, tmp_path / "plain", epochs=20)
    epochs.clear()
    rows = word2vec(documents, tmp_path / "both", epochs=20, equal_updates=True)
    assert [row for row in rows if row["variant"] == "skip-gram"] == plain
    tokens = {(row["test"], row["method"]): row["tokens"] for row in plain}
    longer = [round(20 * tokens[test, "full"] / tokens[test, "out_of_domain"]) for test in TESTS]
    assert epochs["full"] == [20] and epochs["random"] == [20] * len(TESTS)
    assert sorted(epochs["out_of_domain"]) == sorted([20] * len(TESTS) + longer) and min(longer) > 20
    control = [(row["test"], row["method"]) for row in rows if row["variant"] != "skip-gram"]
    assert control == [(test, method) for test in TESTS for method in ("full", "out_of_domain")]


def test_other_parameters_use_nothing_of_an_earlier_run(write, tmp_path):
    documents = write(made_documents())
    word2vec(documents, tmp_path / "scratch")
    again = word2vec(documents, tmp_path / "scratch", window=2)
    assert again == word2vec(documents, tmp_path / "fresh", window=2)
    assert again != word2vec(documents, tmp_path / "fresh")


def test_frequent_words_are_dropped_but_for_those_of_the_test(write, tmp_path):
    documents = write([[*text, "common", "common"] for text in made_documents()])
    sampled = word2vec(documents, tmp_path / "a", frequent="sample", threshold=0.02)
    dropped = word2vec(documents, tmp_path / "b", frequent="drop", threshold=0.02)
    total = sum(map(len, made_documents())) + 120
    assert sampled[0]["tokens"] == total
    test_words = {word for test in TESTS.values() for word in test.words}
    words, counts = np.unique([w for text in made_documents() for w in [*text, "common", "common"]], return_counts=True)
    gone = sum(n for word, n in zip(words, counts.tolist(), strict=True) if n > 0.02 * total and word not in test_words)
    assert gone >= 120
    assert dropped[0]["tokens"] == total - gone


def loss(center, outputs, target, negative):
    logistic = lambda x: 1 / (1 + np.exp(-x))  # noqa: E731
    return -np.log(logistic(outputs[target] @ center)) - np.log(logistic(-outputs[negative] @ center))


def slopes(center, outputs, target, negative, step=1e-6):
    """The gradient of the loss by `center` and by `outputs`, by finite differences."""
    results = []
    for table in (center, outputs):
        result = np.empty_like(table)
        for index in np.ndindex(table.shape):
            value, ends = table[index], []
            for moved in (value + step, value - step):
                table[index] = moved
                ends.append(loss(center, outputs, target, negative))
            table[index] = value
            result[index] = (ends[0] - ends[1]) / (2 * step)
        results.append(result)
    return results


def test_skip_gram_moves_along_the_gradient():
    """Four words, one sentence of two of them, every negative draw the third: two steps of known gradient."""
    random = np.random.default_rng(0)
    model = Word2Vec(
        vector_size=5, window=1, min_count=1, sg=1, negative=1, sample=0, workers=1, alpha=0.1, min_alpha=0.1
    )
    model.build_vocab_from_freq({"a": 4, "b": 3, "c": 2, "d": 1}, corpus_count=1)
    inputs, outputs = random.normal(size=(2, 4, 5))
    model.wv.vectors[:], model.syn1neg[:] = inputs, outputs
    model.cum_table = np.array([0, 0, 2**31 - 1, 2**31 - 1], np.uint32)  # draws c, whatever the number
    model.train([["a", "b"]], total_examples=1, epochs=1)
    for word, target in ((1, 0), (0, 1)):  # the word of the context predicts the one in the centre
        steps = slopes(inputs[word].copy(), outputs.copy(), target, 2)
        inputs[word] -= 0.1 * steps[0]
        outputs -= 0.1 * steps[1]
    assert model.wv.vectors == pytest.approx(inputs, abs=2e-3)
    assert model.syn1neg == pytest.approx(outputs, abs=2e-3)
