"""Label sentences of your own with a trained model."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from repline.corpora.srl.linearisation import CLOSE, MARK, OPEN, read_target, source_of
from repline.errors import InputError
from repline.pretrained import pretrained
from repline.systems.srl_seq2seq.decoding import decode
from repline.systems.srl_seq2seq.model import RoleSeq2Seq
from repline.text_files import numbered_lines


def predict(model: str | Path, sentences: str | Path, constrained: bool = False) -> Iterator[str]:
    """Each sentence with its brackets, a line each; with as many words as it had, they have their capitals.

    Args:
        model: a folder of data/models/srl_seq2seq, of the kinds copying and attention.
        sentences: words between blanks, a sentence a line, with <PRED> before the predicate.
        constrained: hold words and brackets in order (`Decoding`, next).

    Raises:
        InputError: no model; no sentence; a line without words, or without one <PRED> before a word.
    """
    trained = pretrained(RoleSeq2Seq, model)
    read: list[tuple[list[str], list[str]]] = []
    for number, line in numbered_lines(sentences):
        tokens = line.split()
        if not tokens:
            continue
        if tokens.count(MARK) != 1 or tokens[-1] == MARK:
            raise InputError(f"{sentences}, line {number}: expected one {MARK} before the predicate, found {line!r}")
        words = [token for token in tokens if token != MARK]
        read.append((words, source_of(words, tokens.index(MARK))))
    if not read:
        raise InputError(f"{sentences}: expected a sentence a line, with {MARK} before its predicate, found none")
    outputs = decode(trained, [source for _, source in read], constrained="next" if constrained else "free")
    return (" ".join(_with_capitals(words, output)) for (words, _), output in zip(read, outputs, strict=True))


def _with_capitals(words: Sequence[str], output: Sequence[str]) -> list[str]:
    if len(read_target(output).words) != len(words):
        return list(output)
    written_words = iter(words)
    return [token if token == OPEN or CLOSE.fullmatch(token) else next(written_words) for token in output]
