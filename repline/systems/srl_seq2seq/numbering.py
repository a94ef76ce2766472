"""Tokens of instances to symbols of a model, and back."""

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

from repline.systems.srl_seq2seq.model import END, NOTHING, RoleSeq2Seq

OwnWords = list[str]  # the words of an instance that the model does not know, in their order: its symbols from G on


def numbers(
    model: RoleSeq2Seq, pairs: Iterable[tuple[Sequence[str], Sequence[str]]]
) -> tuple[Tensor, Tensor, list[OwnWords]]:
    """Sources [N, T] and targets with the end [N, Y], filled up with `NOTHING`, and the own words of each instance.

    Words are compared by how they are written, so two unknown words are the same symbol only if they are the same word.
    """
    sources, targets, own_words = [], [], []
    for source, target in pairs:
        own_numbers: dict[str, int] = {}
        sources.append(_symbols(model, source, own_numbers))
        targets.append([*_symbols(model, target, own_numbers), END])
        own_words.append(list(own_numbers))
    return filled(sources), filled(targets), own_words


def tokens_of(model: RoleSeq2Seq, symbols: Iterable[int], own_words: OwnWords) -> list[str]:
    """The tokens that stand for symbols; an unknown word that was generated, not copied, is `<unk>`."""
    shared = len(model.symbols)
    return [model.symbols[symbol] if symbol < shared else own_words[symbol - shared] for symbol in symbols]


def filled(rows: Sequence[Sequence[int]]) -> Tensor:
    """Rows of different length as one tensor, `NOTHING` behind their ends."""
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[NOTHING] * (longest - len(row))] for row in rows])


def _symbols(model: RoleSeq2Seq, tokens: Iterable[str], own_numbers: dict[str, int]) -> list[int]:
    shared = len(model.symbols)
    return [
        model.number[token] if token in model.number else own_numbers.setdefault(token, shared + len(own_numbers))
        for token in tokens
    ]
