"""RRNet as a language model: one operation a word, chosen by a policy, and its baseline, the LSTM of the same size.

The operation at word t makes the state that predicts word t + 1. So the reward of an operation is the discounted mean
of log p of the words after it in the segment. Stacks and states go on from segment to segment, without their history.

    model = RRNetLanguageModel(words, kind="learned")
    hidden, state = model(inputs, model.initial_state(20))     # as repline.training.language_models wants it
    logits = model.decode(hidden)
    loss = cross_entropy(...) + model.penalty()

Notation: B streams, T words of a segment, V words, e and d sizes of vectors and states.

Source: Jacob et al. 2018, section 3.3 (one layer of 350 units); depth, discount, dropout are of the authors' program.
"""

from collections.abc import Sequence

import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn

from repline.systems.rrnet.model import Decisions, RRNet, State
from repline.systems.rrnet.policy_gradient import discounted, policy_gradient_loss
from repline.systems.rrnet.schedule import RECUR
from repline.systems.rrnet.settings import Baseline, LanguageModelKind, Memory

LanguageModelState = State | tuple[Tensor, Tensor]  # of RRNet, or h and c [B, d] of the LSTM


class RRNetLanguageModel(nn.Module, PyTorchModelHubMixin):
    """RRNet or an LSTM between vectors of words and a readout over them; the head of this module says how it learns.

    Args:
        words: V.
        embedding, units: e, d.
        kind: "learned"; "recur", which never splits; "lstm", the baseline.
        depth: most states on a stack.
        memory: of `rrnet.model.RRNet`. The stream has no end: a c that is merged by a linear layer again and again
            grows without bound, so it is carried here.
        most: operations before the R of a word; 0 for one operation a word.
        tied: whether the readout shares the vectors of words (e = d).
        dropout_input, dropout_output: on the vectors of words, and on the states that are read.
        discount: of rewards.
        baseline, policy_weight, entropy_weight, baseline_weight: of the terms of `penalty`.

    Raises:
        ValueError: tied with e other than d.
    """

    layer: nn.LSTM | RRNet

    def __init__(
        self,
        words: Sequence[str],
        *,
        embedding: int = 350,
        units: int = 350,
        kind: LanguageModelKind = "learned",
        depth: int = 2,
        memory: Memory = "carry",
        most: int = 0,
        tied: bool = False,
        dropout_input: float = 0.4,
        dropout_output: float = 0.5,
        discount: float = 0.95,
        baseline: Baseline = "value",
        policy_weight: float = 1.0,
        entropy_weight: float = 0.02,
        baseline_weight: float = 0.1,
    ):
        super().__init__()
        if tied and embedding != units:
            raise ValueError(f"tied vectors need embedding = units, found {embedding} and {units}")
        self.words, self.kind, self.units, self.discount = list(words), kind, units, discount
        self.weights = (policy_weight, entropy_weight, baseline_weight)
        self.embedding = nn.Embedding(len(self.words), embedding)
        nn.init.uniform_(self.embedding.weight, -0.01, 0.01)
        if kind == "lstm":
            self.layer = nn.LSTM(embedding, units, batch_first=True)
        else:
            self.layer = RRNet(embedding, units, depth=depth, memory=memory, policy=kind == "learned", most=most)
        self.readout = nn.Linear(units, len(self.words))
        if tied:
            self.readout.weight = self.embedding.weight
        self.expected = nn.Linear(units, 1) if kind == "learned" and baseline == "value" else None
        self.drop_input, self.drop_output = nn.Dropout(dropout_input), nn.Dropout(dropout_output)
        self.operations: Tensor | None = None  # [B, K] of the last segment
        self._run: tuple[Tensor, Tensor, Decisions, Tensor] | None = None
        self._logits: Tensor | None = None
        self._hidden: Tensor | None = None

    def initial_state(self, batch: int) -> LanguageModelState:
        """Zeros and empty stacks."""
        if isinstance(self.layer, nn.LSTM):
            hidden, memory = self.readout.weight.new_zeros(2, batch, self.units)
            return hidden, memory
        return self.layer.initial_state(batch)

    def forward(self, inputs: Tensor, state: LanguageModelState) -> tuple[Tensor, LanguageModelState]:
        """[B, T] words -> states [B, T, d] that predict the word after each, and the state at the end."""
        vectors = self.drop_input(self.embedding(inputs))  # [B, T, e]
        if isinstance(self.layer, nn.LSTM):
            h, c = state[:2]
            hidden, (h, c) = self.layer(vectors, (h[None].contiguous(), c[None].contiguous()))
            return self.drop_output(hidden), (h[0], c[0])
        start = state if isinstance(state, State) else None
        vectors = vectors.flatten(0, 1)
        reads = torch.arange(len(vectors), device=inputs.device).view(inputs.shape)
        if self.kind == "recur":
            hidden, state = self.layer(vectors, reads, torch.full_like(inputs, RECUR), start)
            return self.drop_output(hidden), state
        decisions = self.layer.decide(vectors, reads, state=start)
        hidden, state = self.layer(vectors, decisions.reads, decisions.operations, start)
        self.operations = decisions.operations
        if self.training:
            scores = self.layer.log_probabilities(vectors, decisions, hidden, start)
            self._run = (inputs, scores, decisions, self.layer.before(hidden, start))
        read = self.drop_output(self.layer.symbol_steps(hidden))
        self._hidden = read.detach() if self.training else None
        return read, state

    def decode(self, hidden: Tensor) -> Tensor:
        """[..., d] -> unnormalised log-probabilities [..., V]."""
        logits = self.readout(hidden)
        if self.training and self.kind == "learned":
            self._logits = logits.detach()
        return logits

    def penalty(self) -> Tensor | float:
        """What the policy adds to the loss of the segment just read and decoded; 0 for the baselines.

        The word after the segment is not known here: the last word's operations get no reward of their own, and a
        segment of one word adds nothing.
        """
        if self.kind != "learned":
            return 0.0
        if self._run is None:
            raise ValueError("there is a penalty only after a segment was read in training")
        inputs, scores, decisions, before = self._run
        if inputs.shape[1] == 1:
            self._run = self._logits = self._hidden = None
            return 0.0
        rewards = torch.zeros(inputs.shape, device=inputs.device)  # [B, T]
        rewarded = torch.ones_like(rewards)
        rewarded[:, -1] = 0
        logits = self._logits
        if logits is None or logits[..., 0].numel() != inputs.numel():  # some words of the segment were not decoded
            with torch.no_grad():
                logits = self.readout(self._hidden)
        predicted = logits.view(*inputs.shape, -1)[:, :-1]
        rewards[:, :-1] = predicted.gather(-1, inputs[:, 1:, None])[..., 0] - predicted.logsumexp(-1)
        # a mean and not a sum, in nats a word: of the size of the task's loss
        weights = discounted(rewarded, self.discount)  # 0 for the last word
        returns = discounted(rewards, self.discount) / weights.clamp(min=torch.finfo(weights.dtype).tiny)
        returns = returns - returns[:, :-1].mean()
        steps = decisions.operations.shape[1] // inputs.shape[1]
        counted = decisions.decided.clone()
        counted[:, -steps:] = False
        policy, entropy, baseline = self.weights
        self._run = self._logits = self._hidden = None
        return policy * policy_gradient_loss(
            scores,
            decisions.actions,
            returns.repeat_interleave(steps, 1),
            counted=counted,
            baseline=None if self.expected is None else self.expected(before.detach())[..., 0],
            entropy_weight=entropy,
            baseline_weight=baseline,
        )
