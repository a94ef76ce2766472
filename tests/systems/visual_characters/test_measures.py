"""The models on small data, and what is measured of them."""

import numpy as np
import pytest
import torch
from sacrebleu.metrics import BLEU
from scipy.stats import spearmanr

from repline.glyphs.bitmaps import Bitmaps
from repline.systems.visual_characters.character_numbers import character_counts, character_ids
from repline.systems.visual_characters.glosses.gloss_model import GlossModel, gloss_loss, gloss_losses, hits
from repline.systems.visual_characters.glosses.gloss_scores import softmax_peaks
from repline.systems.visual_characters.neighbours import GAP, nearest_in_pixels, nearest_in_vectors, overlap, picture
from repline.systems.visual_characters.settings import Decoding
from repline.systems.visual_characters.tagging.tagger import Tagger, tagger_loss
from repline.systems.visual_characters.tagging.tagger_scores import tagging_items, tagging_scores
from repline.systems.visual_characters.translation.translator import Translator, language_model_loss, translation_loss
from repline.systems.visual_characters.translation.translator_scores import bleu, bleu_items
from repline.systems.visual_characters.word_similarity import correlations, is_seen, pair_cosines
from repline.training.optimizers.schedules import halving
from repline.training.padded_rows import padded_rows


def test_words_are_means_and_losses_by_hand():
    torch.manual_seed(0)
    model = GlossModel(5, "emb", 6, 4).eval()
    ids, targets = torch.tensor([[3, 1, 0], [2, 0, 0]]), torch.tensor([[0, 4], [2, -1]])
    table = model.encoder.table.weight
    assert torch.allclose(model.word_vectors(ids)[0], (table[3] + table[1]) / 2)
    log_probabilities = model(ids)
    by_hand = [-(log_probabilities[0, 0] + log_probabilities[0, 4]) / 2, -log_probabilities[1, 2]]
    assert torch.allclose(gloss_losses(log_probabilities, targets), torch.stack(by_hand))
    assert torch.allclose(gloss_loss(model, (ids, targets)), torch.stack(by_hand).mean())
    nothing = model(torch.zeros(1, 3, dtype=torch.long))
    assert torch.allclose(nothing[0], model.output.bias.log_softmax(0))
    scores = torch.tensor([[0.1, 0.5, 0.4], [0.6, 0.3, 0.1]]).log()
    assert hits(scores, torch.tensor([[0, 2], [2, -1]]), first=2).tolist() == [True, False]


def test_similarity_is_scipys_and_unseen_characters_are_kept_apart():
    torch.manual_seed(0)
    table = torch.cat([torch.zeros(1, 4), torch.randn(8, 4)])
    seen = torch.tensor([False, *[True] * 5, *[False] * 3])
    first = torch.tensor([[1, 2], [3, 0], [6, 1], [7, 0], [4, 5], [2, 8], [6, 3]])
    second = torch.tensor([[3, 0], [4, 0], [2, 0], [1, 0], [1, 1], [4, 0], [5, 5]])
    scores = np.array([1.0, 2.0, 2.0, 4.0, 3.0, 0.5, 2.5])
    pairs_seen = is_seen(first, second, seen)
    assert pairs_seen.tolist() == [True, True, False, False, True, False, False]
    cosines = pair_cosines(table, first, second, seen)
    assert cosines.every[0] == pytest.approx(float(torch.cosine_similarity((table[1] + table[2]) / 2, table[3], 0)))
    assert np.isnan(cosines.seen_only).tolist() == [False] * 3 + [True] + [False] * 3
    rhos = correlations(cosines, scores, pairs_seen, True)
    left = ~pairs_seen & ~np.isnan(cosines.seen_only)
    assert rhos["seen"] == pytest.approx(spearmanr(cosines.every[pairs_seen], scores[pairs_seen]).statistic)
    assert rhos["unseen_all"] == pytest.approx(spearmanr(cosines.every[~pairs_seen], scores[~pairs_seen]).statistic)
    assert rhos["unseen_seen"] == pytest.approx(spearmanr(cosines.seen_only[left], scores[left]).statistic)
    table_only = correlations(cosines, scores, pairs_seen, False)
    assert table_only["unseen_all"] is None and table_only["common_all"] is None
    assert table_only["unseen_seen"] == rhos["unseen_seen"]


def test_tagger_counts_each_character_once_and_decodes_its_own_labels():
    torch.manual_seed(0)
    model = Tagger(["B-n", "I-n"], "emb", 5, 4, hidden=6, dropout=0.0, output_dropout=0.0).eval()
    ids, labels = torch.tensor([[1, 2, 3], [4, 0, 0]]), torch.tensor([[0, 1, 0], [0, 0, 0]])
    loss, weight = tagger_loss(model, (ids, labels))
    assert weight == 4
    alone = [tagger_loss(model, (ids[:1], labels[:1])), tagger_loss(model, (ids[1:, :1], labels[1:, :1]))]
    assert torch.allclose(loss * 4, sum(loss_alone * number for loss_alone, number in alone), atol=1e-5)
    assert [len(labels_of_sentence) for labels_of_sentence in model.tag(ids)] == [3, 1]
    counts = tagging_items([["B-n", "I-n"], ["B-n", "B-n"]], [["B-n", "B-n"], ["B-n", "B-n"]])
    assert tagging_scores(counts.sum(0), 4) == pytest.approx({"f1": 4 / 7, "words": 4 / 7, "tags": 1.0})


def test_translator_learns_to_copy_and_its_beam_is_no_worse():
    torch.manual_seed(0)
    words = ["<pad>", "<begin>", "<end>", "<unk>", "a", "b", "c"]
    model = Translator(words, "emb", 3, 8, units=12, layers=1, decoder_units=[16], dropout=0.0)
    sources = [[1], [2], [3], [1, 2], [2, 3], [3, 1], [2, 1], [3, 3]]
    ids = torch.from_numpy(padded_rows(sources, 0))
    symbols = torch.from_numpy(padded_rows([[1, *(character + 3 for character in source), 2] for source in sources], 0))
    optimizer = torch.optim.Adam(model.parameters(), 0.02)
    for _ in range(80):
        loss, weight = translation_loss(model, (ids, symbols))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert weight == sum(len(source) + 1 for source in sources) and loss < 0.1
    expected = [[words[character + 3] for character in source] for source in sources]
    model.eval()
    for beam in (1, 4):
        assert model.translate(ids, Decoding(beam=beam, longest=5)) == expected
    before, _ = language_model_loss(model, (ids, symbols))
    assert torch.equal(before, language_model_loss(model, (ids.flip(0), symbols))[0]) and before > loss


def test_bleu_of_sums_is_sacrebleus():
    translations = [["the", "cat", "sat", "on", "the", "mat", "."], ["a", "dog", "ran", "away", "fast"]]
    gold = [["the", "cat", "sat", "on", "a", "mat", "."], ["the", "dog", "ran", "away"]]
    texts = [" ".join(sentence) for sentence in translations], [[" ".join(sentence) for sentence in gold]]
    assert bleu(bleu_items(translations, gold).sum(0)) == pytest.approx(BLEU().corpus_score(*texts).score)


def test_learning_rate_of_the_paper():
    (optimizer,) = [torch.optim.Adam([torch.nn.Parameter(torch.zeros(1))], 1e-3)]
    rates, history = [], []
    for epoch in range(1, 11):
        rates.append(optimizer.param_groups[0]["lr"])
        history.append({"epoch": epoch})
        halving(4, 1e-5)(optimizer, history)
    assert rates == [1e-3] * 4 + [5e-4, 2.5e-4, 1.25e-4, 6.25e-5, 3.125e-5, 1.5625e-5]


def test_softmax_peaks_are_over_tokens():
    activations = torch.tensor([[0.7, 0.2, 0.1], [0.4, 0.3, 0.3]])
    assert softmax_peaks(activations, torch.tensor([3, 1])) == pytest.approx([0.625, 0.225, 0.15])


def test_neighbours_and_their_picture():
    pixels = np.zeros((4, 3, 3), dtype=bool)
    pixels[1, 0], pixels[2, 0, :2], pixels[3] = True, True, True
    drawn = Bitmaps(list("abcd"), pixels)
    assert nearest_in_pixels(drawn, [0, 3], [0, 1, 2, 3], 2) == [[2, 1], [1, 2]]
    table = torch.tensor([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [1.0, -0.1]])
    assert nearest_in_vectors(table, [0], [0, 1, 2, 3], 2) == [[3, 1]]
    assert overlap([[3, 1]], [[2, 1]]) == 0.5
    canvas = picture(drawn, [[3, None, 2]])
    assert canvas.shape == (3 + GAP, 3 * (3 + GAP)) and canvas.sum() == 9 + 2
    assert character_ids(["ba"], drawn).tolist() == [[2, 1]]
    assert character_counts(torch.tensor([[2, 1, 0], [2, 0, 0]]), 4).tolist() == [0, 1, 2, 0, 0]
