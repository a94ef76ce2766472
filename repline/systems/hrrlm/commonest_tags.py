"""The part-of-speech tag that each word of a corpus for language modelling has most often."""

import numpy as np

from repline.corpora.language_modeling.corpus import LanguageModelingCorpus


def commonest_tags(corpus: LanguageModelingCorpus, split: str = "train", column: str = "tag") -> list[str]:
    """For each word of the vocabulary its commonest tag; "" where it has none, as `<eos>`.

    Args:
        column: of the annotated sentences.

    Raises:
        InputError: the corpus has no such column.
    """
    lists = corpus.rows(split, [column])[column].combine_chunks()
    starts = np.asarray(lists.offsets)[:-1].astype(np.int64)  # [S]
    names, tags = np.unique(lists.flatten().to_numpy(zero_copy_only=False).astype(str), return_inverse=True)
    position = np.asarray(corpus.position(split))
    bounds = np.asarray(corpus.sentences(split), dtype=np.int64)
    sentence = np.repeat(np.arange(len(starts)), bounds[1:] - bounds[:-1])  # [T]
    words = position >= 0
    tag_positions = starts[sentence[words]] + position[words]
    counts = np.zeros((len(corpus), len(names)), dtype=np.int64)
    np.add.at(counts, (np.asarray(corpus.ids(split))[words], tags[tag_positions]), 1)
    return [names[row.argmax()].item() if row.any() else "" for row in counts]
