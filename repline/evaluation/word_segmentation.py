"""How well words are segmented: precision, recall and F1 of words against gold words."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

from repline.corpora.recipes import Segmentation
from repline.errors import InputError, shown
from repline.segmentation.characters import converter, normalise_widths
from repline.segmentation.languages import segmenter


def word_f1(gold: Iterable[Sequence[str]], predicted: Iterable[Sequence[str]]) -> dict[str, float | None]:
    """Words that both segmentations have, in the same place, as in the SIGHAN bake-offs.

        precision = both / found,   recall = both / gold,   F1 = 2 both / (found + gold)

    Args:
        gold, predicted: sentences of words over the same characters; white space inside words does not count.

    Returns:
        {"precision", "recall", "f1" (shares), "gold_words", "found_words", "sentences", "exact_sentences"}.

    Raises:
        InputError: two sentences of different characters, naming them.

    Source: Sproat and Emerson 2003, "The First International Chinese Word Segmentation Bakeoff", section 3.
    """
    both = gold_words = found_words = sentences = exact = 0
    for number, (expected, words) in enumerate(zip(gold, predicted, strict=True), start=1):
        (left, first), (predicted_text, second) = _spans(expected), _spans(words)
        if left != predicted_text:
            raise InputError(
                f"sentence {number}: the segmentations have different characters: {shown(left)}, "
                f"{shown(predicted_text)}"
            )
        both += len(first & second)
        gold_words += len(first)
        found_words += len(second)
        sentences += 1
        exact += first == second
    return {
        "precision": both / found_words if found_words else 0.0,
        "recall": both / gold_words if gold_words else 0.0,
        "f1": 2 * both / (found_words + gold_words) if found_words + gold_words else 0.0,
        "gold_words": gold_words,
        "found_words": found_words,
        "sentences": sentences,
        "exact_sentences": exact,
    }


def segmenter_scores(gold: Sequence[Sequence[str]], segmentation: Segmentation) -> dict[str, float | None]:
    """How well a segmenter finds gold words: what `word_f1` gives.

    Args:
        gold: sentences of words.
        segmentation: which segmenter, and what the sentences are normalised by for it.

    Raises:
        InputError: a knob that the segmenter does not have, or what a knob names is not there.
    """
    try:
        segment = segmenter(segmentation.language, **segmentation.segmentation)
    except TypeError as error:
        raise InputError(f"segmentation of {segmentation.language}: {error}") from None
    convert = converter(segmentation.conversion) if segmentation.conversion else str

    def normalise(text: str) -> str:
        return convert(normalise_widths(text) if segmentation.widths else text)

    return word_f1(gold, segmented_again(gold, lambda text: segment(text)["tokens"], normalise))


def segmented_again(
    gold: Iterable[Sequence[str]],
    segment: Callable[[str], Sequence[str]],
    normalise: Callable[[str], str] | None = None,
) -> Iterator[list[str]]:
    """Each gold sentence, set without blanks and segmented.

    Args:
        segment: from a text to its words.
        normalise: what the segmenter is given instead of the text (widths, traditional characters); a text that it
            makes longer or shorter is given as it is, since words are compared by their places.

    Returns:
        The words in the characters of the gold sentence.
    """
    for words in gold:
        text = "".join("".join(words).split())
        shown_text = normalise(text) if normalise else text
        segments = segment(shown_text if len(shown_text) == len(text) else text)
        lengths = [len("".join(word.split())) for word in segments]
        if sum(lengths) != len(text):  # the segmenter has changed the text; the comparison says how
            yield list(segments)
            continue
        yield [text[end - length : end] for length, end in zip(lengths, accumulate(lengths), strict=True)]


def _spans(words: Sequence[str]) -> tuple[str, set[tuple[int, int]]]:
    """The characters of a sentence and where its words begin and end."""
    spans, text = set(), ""
    for word in words:
        plain = "".join(word.split())
        if plain:
            spans.add((len(text), len(text) + len(plain)))
            text += plain
    return text, spans
