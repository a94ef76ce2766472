"""A baseline that generates no words: a bidirectional LSTM that tags each word of the source."""

from collections.abc import Sequence

import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from repline.corpora.chunks.tag_spans import spans
from repline.corpora.srl.linearisation import MARK, target_of
from repline.corpora.srl.propositions import Argument
from repline.layers.lstm_reader import read_sequences
from repline.systems.srl_seq2seq.corpus import Instance
from repline.systems.srl_seq2seq.model import NOTHING, UNKNOWN
from repline.systems.srl_seq2seq.numbering import filled

UNTAGGED = -100  # at the mark and behind the end, which the loss leaves out
TAGGING_BATCH = 256  # sentences


class RoleTagger(nn.Module, PyTorchModelHubMixin):
    """IOB2 tags of roles; the mark before the predicate is read as a word of its own.

    Args:
        labels: of roles, with V.
        words: V.
        embedding, units, layers, dropout: as of `RoleSeq2Seq`.
    """

    def __init__(
        self,
        labels: Sequence[str],
        words: Sequence[str],
        embedding: int,
        units: int,
        layers: int = 1,
        dropout: float = 0.0,
    ):
        super().__init__()
        self.symbols = ["<nothing>", "<end>", "<unk>", MARK, *words]
        self.number = {symbol: number for number, symbol in enumerate(self.symbols)}
        self.tags = ["O", *(f"{part}-{label}" for label in labels for part in "BI")]
        self.tag_number = {tag: number for number, tag in enumerate(self.tags)}
        self.embedding = nn.Embedding(len(self.symbols), embedding)
        self.encoder = nn.LSTM(
            embedding, units, layers, batch_first=True, bidirectional=True, dropout=dropout if layers > 1 else 0.0
        )
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(2 * units, len(self.tags))

    def begin(self, vectors: Tensor) -> None:
        """Set the vectors [V, e] of the words, with which training begins."""
        with torch.no_grad():
            self.embedding.weight[-len(vectors) :] = vectors

    def forward(self, sources: Tensor) -> Tensor:
        """Symbols [B, T] -> scores of tags [B, T, K]."""
        states = read_sequences(self.encoder, self.dropout(self.embedding(sources)), (sources != NOTHING).sum(1))
        return self.output(states)

    def numbers(self, instances: Sequence[Instance]) -> tuple[Tensor, Tensor]:
        """Sources [N, T] and the numbers of their tags [N, T], `UNTAGGED` at the mark and behind the end."""
        sources, tags = [], []
        for instance in instances:
            source = instance.source
            sources.append([self.number.get(token, UNKNOWN) for token in source])
            instance_tags = iter(_tags(instance))
            tags.append(
                [UNTAGGED if token == MARK else self.tag_number.get(next(instance_tags), 0) for token in source]
            )
        numbered = filled(sources)
        behind = [[*row, *[UNTAGGED] * (numbered.shape[1] - len(row))] for row in tags]
        return numbered, torch.tensor(behind)


def tag_loss(model: RoleTagger, batch: tuple[Tensor, ...]) -> tuple[Tensor, int]:
    """Cross-entropy, mean over the words, and their number. batch: sources [B, T], tags [B, T]."""
    sources, tags = batch
    loss = cross_entropy(model(sources).flatten(0, 1), tags.flatten(), ignore_index=UNTAGGED)
    return loss, int((tags != UNTAGGED).sum())


@torch.no_grad()
def tagged(model: RoleTagger, instances: Sequence[Instance]) -> list[list[str]]:
    """The spans that the tagger predicts for each instance, written as a target."""
    was_training = model.training
    model.eval()
    device = model.output.weight.device
    outputs = []
    for start in range(0, len(instances), TAGGING_BATCH):
        part = instances[start : start + TAGGING_BATCH]
        sources, tags = model.numbers(part)
        best = model(sources.to(device)).argmax(-1).cpu()
        for instance, row, is_word in zip(part, best, tags != UNTAGGED, strict=True):
            arguments = spans([model.tags[tag] for tag in row[is_word].tolist()])
            outputs.append(
                target_of(instance.tokens, [Argument(label, first, end - 1) for label, first, end in arguments])
            )
    model.train(was_training)
    return outputs


def _tags(instance: Instance) -> list[str]:
    tags = ["O"] * len(instance.tokens)
    for label, first, last in instance.arguments:
        tags[first : last + 1] = [f"B-{label}", *[f"I-{label}"] * (last - first)]
    return tags
