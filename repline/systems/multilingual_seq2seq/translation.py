"""Translations of held-out sentences, their BLEU, and sentences of a user's own by a saved model."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from repline.corpora.parallel.multiway import splitter
from repline.corpora.parallel.recipes import Tokens
from repline.errors import InputError
from repline.files import new_file
from repline.pretrained import pretrained
from repline.systems.multilingual_seq2seq.corpus import Data
from repline.systems.multilingual_seq2seq.model import MultilingualEncoderDecoder
from repline.systems.multilingual_seq2seq.pair_batches import cut
from repline.systems.multilingual_seq2seq.settings import Translated
from repline.systems.multilingual_seq2seq.training import embed
from repline.systems.multilingual_seq2seq.vocabulary import END, PAD, UNKNOWN
from repline.text_files import numbered_lines
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


def translate_file(
    model: str | Path,
    texts: str | Path,
    language: str,
    *,
    beam: int = 5,
    tokens: Tokens = "words",
    vectors: str | Path | None = None,
) -> list[str]:
    """The translations of a file's lines, words between blanks.

    Args:
        model: the folder of a trained one.
        texts: a text a line.
        language: one that the model knows.
        tokens: of what a text is a sequence, as in the corpus that the model learned from.
        vectors: a file for the vectors of the sentences, NumPy's [N, d].

    Raises:
        InputError: no such model or file, a language that it does not know, a bag of words, an empty line, or one
            without a known word.
    """
    network = pretrained(MultilingualEncoderDecoder, model)
    if language not in network.languages:
        raise InputError(f"{model} knows no language {language!r}; it knows {', '.join(network.languages)}")
    if network.kind == "bag":
        raise InputError(f"{model} is a bag of words, which does not write sentences; take one of kind lstm")
    numbers = {word: number for number, word in enumerate(network.words)}
    sentences = []
    split = splitter(language, tokens)
    for number, line in numbered_lines(texts):
        ids = [numbers.get(word, UNKNOWN) for word in split(line.lower())]
        if all(word == UNKNOWN for word in ids):
            raise InputError(f"{texts}, line {number}: no word that the model knows in {line!r}")
        sentences.append(ids)
    if not sentences:
        raise InputError(f"{texts}: there is no line in it")
    if vectors is not None:
        with new_file(vectors) as partial, open(partial, "wb") as file:
            np.save(file, embed(network, sentences))
    return [" ".join(words) for words in translations(network, sentences, language, beam)]
