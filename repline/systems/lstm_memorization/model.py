"""An LSTM that must name the middle token of its input; only its recurrence is trained.

    x_t        = E[w_t]                             E random, frozen
    (h_t, c_t) = LSTM(x_t; h_{t-1}, c_{t-1})        one layer of size d, from zero
    logits     = E h_n                              the same E; no bias
    loss       = -log softmax(logits)[w_{n//2 + 1}]

Notation: V types, d size of state and embedding, B sequences in a batch, n their length. w is `ids` [B, n], counted
from 0 there, so that the target is `ids[:, n // 2]`; E is `embedding` [V, d], the layer `lstm`, (h_t, c_t) are
`states(ids)` [B, n, d].

    model = MiddleTokenLSTM.from_pretrained("data/models/lstm_memorization/language/d50-n20/seed-0")
    model(ids).argmax(-1)               # [B], the token at step n // 2 of each

The layer is that of PyTorch; nothing of it lies in a shared room.

Source: Liu, Levy, Schwartz, Tan & Smith 2018, section 3; how E is drawn is not stated.
"""

import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn


class MiddleTokenLSTM(nn.Module, PyTorchModelHubMixin):
    """One LSTM layer between a frozen embedding and its transpose.

    The embedding is a buffer and not a parameter: no optimiser can move it. Trainable are the 8d² + 8d numbers of the
    layer, drawn from U(-1/√d, 1/√d).

    Args:
        types: V.
        size: d.
        scale: standard deviation of the embedding's entries, which are normal; not stated in the paper.
    """

    embedding: Tensor

    def __init__(self, types: int, size: int, scale: float = 1.0):
        super().__init__()
        self.register_buffer("embedding", torch.randn(types, size) * scale)  # [V, d]
        self.lstm = nn.LSTM(size, size, batch_first=True)

    def forward(self, ids: Tensor) -> Tensor:
        """Unnormalised log-probabilities of the types after the last step: [B, n] -> [B, V]."""
        _, (h, _) = self.lstm(nn.functional.embedding(ids, self.embedding))  # [1, B, d]
        return self.decode(h[0])

    def decode(self, states: Tensor) -> Tensor:
        """[..., d] -> [..., V]."""
        return states @ self.embedding.mT

    @torch.no_grad()
    def states(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """What the layer holds after each step: [B, n] -> h and c, each [B, n, d]."""
        inputs = nn.functional.embedding(ids, self.embedding)  # [B, n, d]
        state, hidden, cells = None, [], []
        for step in range(ids.shape[1]):  # the layer itself returns only the last c
            _, state = self.lstm(inputs[:, step : step + 1], state)
            hidden.append(state[0][0])
            cells.append(state[1][0])
        return torch.stack(hidden, 1), torch.stack(cells, 1)
