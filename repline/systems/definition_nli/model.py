"""ESIM, and ESIM with definitions: of unknown words before the encoder, or of all words behind it.

    C^s = f(E^s),    C^y = f_y(E^y)                                   bi-SRUs over sentence s and definition y
    a^{y,s}_j = mean_i (c^s_i · c^y_j) / sqrt(n),    h^{y,s} = Σ_j softmax_j(a^{y,s}) c^y_j
    z^{y,s} = [c, h, h - c, h * c, h', h' - c, h' * c] w              (1)   c = c^y_m, h = h^{y,s}, h' = h^{y,s'}
    c'^s_i = c^s_i + z^{x_i,s} where x_i is a headword, else c^s_i    (2)
    e_ij = c'^P_i · c'^H_j,    c~^P_i = Σ_j softmax_j(e_ij) c'^H_j, and the other way round
    m = [c', c~, c' - c~, c' * c~] -> ReLU layer -> bi-SRU -> [mean; max] of both -> tanh layer -> softmax of labels

s is the premise P or the hypothesis H, s' the other one. This is the kind proposed; bdn adds a map of the end states of
C^y to the vectors E of unknown words instead, esim reads no dictionary.

Notation: B pairs, T tokens of a sentence, d dimensions of the word vectors, n = 2d features of a state, D definitions
of a batch with m tokens, O occurrences of words with a definition. Sentences of a batch are one tensor [2B, T], the
premises first and then their hypotheses. E is `vectors` [V + 1, d], f `encoder`, f_y `definition_encoder`, w `weights`.

z lies in `repline.systems.definition_nli.definition_attention`, the last two lines in `.esim`, the recurrence in
`repline.layers.sru`, its dropout in `repline.layers.fast_dropout`.

Source: Nishida, Nishida, Asano & Tomita 2018, section 3; Chen et al. 2017 for ESIM.
"""

from collections.abc import Mapping, Sequence

import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn

from repline.errors import InputError
from repline.layers.linear import Linear
from repline.layers.sru import BiSRU
from repline.systems.definition_nli.definition_attention import combination, definition_attention
from repline.systems.definition_nli.esim import Decoder
from repline.systems.definition_nli.settings import Kind, State

DICTIONARY = "dictionary.tsv"  # in the folder of a model: a headword, a tab and the tokens of its definitions
PADDING = 0  # stands behind the end of a sentence or definition; words count from 1


class DefinitionNLI(nn.Module, PyTorchModelHubMixin):
    """Classify a premise and a hypothesis (entailment, neutral, contradiction) with the help of a dictionary.

    kind esim reads no dictionary. bdn adds, before the encoder, a linear map of the end states of a definition to the
    words without a vector. proposed adds z (`definition_attention`) behind the encoder to all headwords.

    Args:
        labels: names of the classes.
        words: of the vocabulary; word number i is words[i - 1].
        dimensions: d.
        kind: esim, bdn or proposed, as above.
        weights: of equation 1: 7, 5, or 1 for no attention. Only proposed has them.
        state: c_m is the column of the last token of a definition (its backward half has read one token), or both
            directions at their ends.
        dropout: on the input of every layer.

    Raises:
        InputError: fewer than two labels, or other weights.

    Source: Nishida, Nishida, Asano & Tomita 2018, section 3.
    """

    vectors: Tensor
    unknown: Tensor
    entry_of: Tensor
    definitions: Tensor

    def __init__(
        self,
        labels: Sequence[str],
        words: Sequence[str],
        dimensions: int,
        kind: Kind = "proposed",
        weights: int = 7,
        state: State = "last",
        dropout: float = 0.2,
    ):
        super().__init__()
        if len(labels) < 2 or weights not in (1, 5, 7):
            raise InputError(
                f"expected two labels and 1, 5 or 7 weights, found {len(labels)} labels, {weights} weights"
            )
        self.labels, self.words, self.kind, self.state = list(labels), list(words), kind, state
        self.register_buffer("vectors", torch.zeros(len(self.words) + 1, dimensions))
        self.register_buffer("unknown", torch.zeros(len(self.words) + 1, dtype=torch.bool))
        self.encoder = BiSRU(dimensions, dimensions, dropout=dropout)
        size = self.encoder.size
        self.decoder = Decoder(size, dimensions, dimensions, size, len(self.labels), dropout)
        # last, so that one seed draws the same weights for what all kinds share
        if kind != "esim":
            self.definition_encoder = BiSRU(dimensions, dimensions, dropout=dropout)
        if kind == "bdn":
            self.definition_map = Linear(size, dimensions)
            nn.init.xavier_normal_(self.definition_map.weight)
            nn.init.zeros_(self.definition_map.bias)
        elif kind == "proposed":
            self.weights = nn.Parameter(torch.randn(weights) * (2 / (weights + 1)) ** 0.5)  # Xavier of [weights, 1]
        self.deduplicate = True  # encode each definition of a batch once; False, for comparison: at each occurrence
        self.define({})

    def begin(self, vectors: Tensor, unknown: Tensor) -> None:
        """Set the word vectors [V, d], which are not trained, and which of them are random [V] (unknown words)."""
        self.vectors[1:], self.unknown[1:] = vectors, unknown

    def extend(self, words: Sequence[str], vectors: Tensor, unknown: Tensor) -> None:
        """Add words to a trained model: N words, vectors [N, d], unknown [N]; call `define` again afterwards."""
        self.words += words
        self.register_buffer("vectors", torch.cat([self.vectors, vectors]))
        self.register_buffer("unknown", torch.cat([self.unknown, unknown]))

    def define(self, dictionary: Mapping[str, Sequence[str]]) -> None:
        """Replace the dictionary, also of a trained model. Headwords and tokens outside the vocabulary are left out.

        The dictionary is not saved with the model.
        """
        number = {word: position for position, word in enumerate(self.words, 1)}
        entry_of = torch.zeros(len(self.words) + 1, dtype=torch.long)  # 0: no entry
        entries = [[PADDING]]
        for word, tokens in dictionary.items():
            known_tokens = [number[token] for token in tokens if token in number]
            if word in number and known_tokens:
                entry_of[number[word]] = len(entries)
                entries.append(known_tokens)
        table = nn.utils.rnn.pad_sequence([torch.tensor(entry) for entry in entries], batch_first=True)
        self.register_buffer("entry_of", entry_of.to(self.vectors.device), persistent=False)
        self.register_buffer("definitions", table.to(self.vectors.device), persistent=False)

    def numbers(self, sentences: Sequence[Sequence[str]]) -> Tensor:
        """Word numbers [N, T] of sentences whose words are all in the vocabulary."""
        number = {word: position for position, word in enumerate(self.words, 1)}
        rows = [torch.tensor([number[token] for token in sentence]) for sentence in sentences]
        return nn.utils.rnn.pad_sequence(rows, batch_first=True)

    def forward(self, sentences: Tensor) -> Tensor:
        """[2B, T] -> logits [B, labels]."""
        mask = sentences != PADDING
        embedded = self.vectors[sentences]  # [2B, T, d]
        entries = self.entry_of[sentences]
        if self.kind == "bdn":
            entries = entries.masked_fill(~self.unknown[sentences], 0)
        row, position = entries.nonzero(as_tuple=True)  # of each occurrence [O]
        if self.kind == "esim" or not len(row):
            return self.decoder(self.encoder(embedded, mask), mask)
        states, is_token, last, which = self._defined(entries[row, position])
        if self.kind == "bdn":
            added = self.definition_map(last)[which]
            embedded = embedded.index_put((row, position), embedded[row, position] + added)
            return self.decoder(self.encoder(embedded, mask), mask)
        encoded = self.encoder(embedded, mask)  # [2B, T, n]
        if len(self.weights) == 1:
            definition_state = other_state = last[which]
        else:
            means = encoded.sum(1) / mask.sum(1, keepdim=True)
            swapped = means.roll(len(means) // 2, 0)  # of the other sentence of the pair
            seen = definition_attention(states[which], is_token[which], torch.stack([means[row], swapped[row]], 1))
            definition_state, other_state = seen.unbind(1)
        z = combination(last[which], definition_state, other_state, self.weights)
        return self.decoder(encoded.index_put((row, position), encoded[row, position] + z), mask)

    def _defined(self, entries: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Encode the definitions of entries [O].

        Returns:
            States [D, m, n], which positions are tokens [D, m], c_m [D, n], and each occurrence's definition [O].
        """
        if self.deduplicate:
            entries, which = entries.unique(return_inverse=True)
        else:
            which = torch.arange(len(entries), device=entries.device)
        tokens = self.definitions[entries]
        tokens = tokens[:, : int((tokens != PADDING).sum(1).max())]
        is_token = tokens != PADDING
        states = self.definition_encoder(self.vectors[tokens], is_token)
        last = states[torch.arange(len(states), device=states.device), is_token.sum(1) - 1]
        if self.state == "ends" or self.kind == "bdn":
            half = states.shape[2] // 2
            last = torch.cat([last[:, :half], states[:, 0, half:]], 1)
        return states, is_token, last, which
