"""Translations of sentences that are given as word numbers, and their BLEU."""

from collections.abc import Sequence

import numpy as np
import torch

from repline.systems.multilingual_seq2seq.corpus import Data
from repline.systems.multilingual_seq2seq.model import MultilingualEncoderDecoder
from repline.systems.multilingual_seq2seq.pair_batches import cut
from repline.systems.multilingual_seq2seq.settings import Translated
from repline.systems.multilingual_seq2seq.vocabulary import END, PAD, UNKNOWN
from repline.training.padded_rows import padded_rows

SEARCH_BATCH = 64  # sentences


def translations(
    model: MultilingualEncoderDecoder, sentences: Sequence[Sequence[int]], language: str, beam: int = 5
) -> list[list[str]]:
    """The words of each sentence's translation; sentences of similar length share a batch."""
    order = np.argsort([len(sentence) for sentence in sentences], kind="stable")
    translated: list[list[str]] = [[] for _ in sentences]
    device = model.embedding.weight.device
    for start in range(0, len(order), SEARCH_BATCH):
        rows = order[start : start + SEARCH_BATCH]
        ids = cut(torch.from_numpy(padded_rows([sentences[row] for row in rows], PAD, np.int32)))
        for row, words in zip(rows, model.translate(ids.to(device), language, beam=beam), strict=True):
            translated[row] = words
    return translated


def bleu(
    model: MultilingualEncoderDecoder, data: Data, pairs: Sequence[Sequence[str]], translated: Translated
) -> dict[str, float]:
    """BLEU (0 to 100) in both directions of each pair, on the first sentences of test: "en_de", "de_en", ...

    References are the known words of the true translation: BLEU then measures what the vectors keep, not what the
    vocabulary lacks. It is sacrebleu's, without a tokenizer of its own.
    """
    import sacrebleu

    scores = {}
    for first, second in pairs:
        for source, target in ((first, second), (second, first)):
            texts = data.sets["test"].ids
            written = translations(model, texts[source][: translated.sentences], target, translated.beam)
            true = [
                " ".join(data.words[number] for number in ids if number not in (UNKNOWN, END))
                for ids in texts[target][: translated.sentences]
            ]
            score = sacrebleu.corpus_bleu([" ".join(words) for words in written], [true], tokenize="none", force=True)
            scores[f"{source}_{target}"] = score.score
    return scores
