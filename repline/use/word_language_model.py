"""Language models of words on raw text: a torch module of `repline.training.language_models`, and how text is split."""

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from repline.use.corpus_spelling import CorpusSpelling
from repline.use.inputs import in_batches, whole_number
from repline.use.text_scorer import Continuation, LanguageModel

END_ID, UNKNOWN_ID = 1, 0  # of <eos>, which also stands before the first word, and of <unk>
ROWS = 64  # stretches of text side by side
STEPS = 256  # words of each that are read at a time; the state is carried
LOGITS = 1 << 23  # numbers of a table of logits in memory


class WordLanguageModel(LanguageModel):
    """A recurrent language model whose words are numbered, `<unk>` 0 and `<eos>` 1.

    Args:
        model: in evaluation mode; it has `initial_state`, `forward` and `decode`, see
            `repline.training.language_models`.
        words: V, by number.
        spelling: how a raw text is split and spelt.
        single_sentences: whether the model was trained on single sentences, so that each begins from the zero state;
            else the state goes on from one sentence to the next.
    """

    def __init__(self, model: Any, words: Sequence[str], spelling: CorpusSpelling, single_sentences: bool):
        self.model, self.words = model, list(words)
        self.spelling, self.single_sentences = spelling, single_sentences
        self.index = {word: number for number, word in enumerate(self.words)}

    def tokens(self, text: str) -> list[str]:
        """The words of a raw text, with `<eos>` after each sentence that is closed."""
        return self.spelling.tokens(text, self.index)

    def known(self, token: str) -> bool:
        """Whether a word is in the vocabulary; all others are `<unk>`."""
        return self.index.get(token, UNKNOWN_ID) != UNKNOWN_ID

    def token_log_probabilities(self, texts: Sequence[Sequence[str]]) -> list[list[float]]:
        """The log probability in nats of each word given those before it."""
        stretches = [(row, part) for row, tokens in enumerate(texts) for part in self._stretches(self.numbers(tokens))]
        stretches = [(row, part) for row, part in stretches if part]
        logs: dict[int, list[float]] = {}
        order = sorted(range(len(stretches)), key=lambda number: -len(stretches[number][1]))
        for batch in in_batches(order, ROWS):
            parts = [stretches[number][1] for number in batch]
            for number, values in zip(batch, self._log_probabilities(parts), strict=True):
                logs[number] = values
        result: list[list[float]] = [[] for _ in texts]
        for number, (row, _) in enumerate(stretches):
            result[row] += logs[number]
        return result

    def next_probabilities(self, tokens: Sequence[str], n: int) -> list[Continuation]:
        """The n most probable words that may follow, `<eos>` and `<unk>` among them, the most probable one first."""
        n = whole_number(n, "n", 0)
        read = self._stretches(self.numbers(tokens))[-1]
        with torch.inference_mode():
            for hidden in self._read([[END_ID, *read]]):
                last = hidden[0, -1]
            chances = self.log_probabilities(last[None])[0].double().exp()
            values, rows = chances.sort(descending=True, stable=True)
        names = self.symbols()
        return [
            Continuation(names[row], value) for row, value in zip(rows[:n].tolist(), values[:n].tolist(), strict=True)
        ]

    def numbers(self, tokens: Sequence[str]) -> list[int]:
        """The number of each token; that of `<unk>` for words that are not in the vocabulary."""
        return [self.index.get(token, UNKNOWN_ID) for token in tokens]

    def symbols(self) -> list[str]:
        """The name of each number that the model gives a probability to."""
        return self.words

    def log_probabilities(self, hidden: Tensor) -> Tensor:
        """Hidden states [n, d] -> log probabilities of all symbols [n, V]."""
        return self.model.decode(hidden).log_softmax(-1)

    def _stretches(self, numbers: list[int]) -> list[list[int]]:
        """What is read from the zero state on; the last stretch may be empty."""
        if not self.single_sentences:
            return [numbers]
        stretches: list[list[int]] = [[]]
        for number in numbers:
            stretches[-1].append(number)
            if number == END_ID:
                stretches.append([])
        return stretches

    def _log_probabilities(self, parts: Sequence[list[int]]) -> list[list[float]]:
        """Log probabilities of stretches, the longest first."""
        result: list[list[float]] = [[] for _ in parts]
        start = 0
        with torch.inference_mode():
            for hidden in self._read([[END_ID, *part[:-1]] for part in parts]):
                lengths = [min(max(len(part) - start, 0), hidden.shape[1]) for part in parts]
                inside = torch.arange(hidden.shape[1]) < torch.tensor(lengths)[:, None]  # [B, T]
                targets = torch.tensor([number for part in parts for number in part[start : start + hidden.shape[1]]])
                values = self._gathered(hidden[inside], targets).split(lengths)
                for row, row_values in enumerate(values):
                    result[row] += row_values.tolist()
                start += hidden.shape[1]
        return result

    def _gathered(self, hidden: Tensor, targets: Tensor) -> Tensor:
        """Log probabilities [n] of targets [n] after hidden states [n, d]."""
        block = max(LOGITS // max(len(self.words), 1), 1)
        parts = [
            self.log_probabilities(states).gather(1, numbers[:, None])[:, 0]
            for states, numbers in zip(hidden.split(block), targets.split(block), strict=True)
        ]
        return torch.cat(parts).double()

    def _read(self, rows: Sequence[list[int]]) -> Iterator[Tensor]:
        """The hidden states [B, T, d] of rows of numbers, segment by segment; rows are padded on the right."""
        longest = max(map(len, rows))
        inputs = nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True, padding_value=END_ID)
        state = self.model.initial_state(len(rows))
        for start in range(0, longest, STEPS):
            hidden, state = self.model(inputs[:, start : start + STEPS], state)
            yield hidden
