"""Bracket-RNN: an AWD-LSTM that reads brackets around optional phrases, saves its state at `(`, merges it in at `)`.

    word w:   (h, c) <- LSTM(E[w]; h, c)                             in each layer, with state (h, c) of d units
    "(":      push (h, c);   (h, c) <- LSTM(E["("]; h, c)
    ")":      (h, c) <- LSTM(E[")"]; h, c);   (h', c') <- pop
              h <- tanh(W2 act(W1 [h'; h])),   c <- V2 act(V1 [c'; c])
    p(next)   = softmax(W h + b)                                     h of the last layer; words alone are predicted

All layers step before any of them merges: what a layer reads at `)` is the unmerged output of the layer below it. The
word after `)` is predicted from the merged state. In variant B a bracket is no step of the LSTM, only push or merge; in
variant C only h is merged and c goes on. Without brackets in the input the model is the AWD-LSTM, bit for bit.

Brackets come with the input: they say where phrases begin and end, which no reader knows before. A perplexity given
them is conditional on them; next to it, `kinds` measures what predicting them costs.

Notation: V words, `(` is V and `)` is V + 1; B sequences, T steps, d_l units of layer l, m hidden units of a merge net.
E is `embedding` [V, e] with the two rows of `brackets` [2, e], (W1, W2) and (V1, V2) are the nets of `merges`, one
`StateMerge` a layer, W and b `output()`: W = E where the model is tied.

The stack lies in `repline.layers.stacked_state`, the base in `repline.systems.bracket_rnn.awd_lstm`.

Source: Paranjape, Reddy & Manning, Incorporating Structure into Language Models. The poster names the operations; what
is pushed and merged, and the sizes of the nets, are a reconstruction, of which the parameter counts are exact.
"""

from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, embedding, linear, log_softmax

from repline.layers.stacked_state import StackedState
from repline.systems.bracket_rnn.awd_lstm import AWDLSTM, LSTMState
from repline.systems.bracket_rnn.bracket_matching import Brackets
from repline.systems.bracket_rnn.recurrence import bracketed_lstm
from repline.systems.bracket_rnn.settings import Activation, Merge, Start, Variant
from repline.systems.bracket_rnn.state_merge import StateMerge

BracketState = tuple[LSTMState, tuple[StackedState, ...] | None]


class BracketRNN(AWDLSTM):
    """The language model of bracketed text.

    Args:
        vocabulary: V, of the AWD-LSTM.
        variant: A, B or C as above; `linear` reads brackets as if they were words and has no stack.
        merge: `separate` nets 2d -> m -> d for h and for c; a `joint` one 4d -> m -> 2d; or `restore` the saved state
            or `keep` the present one, without a net. In variant C the one net, 2d -> 2m -> d, is for h. All three have
            6md weights and no biases.
        merge_units: m; 400 gives the parameters of the poster.
        activation: act.
        start: how the nets begin, see `StateMerge`; not stated in the poster.
        merge_dropout: of the hidden units of the nets.
        attention: whether all states that are saved when a bracket closes are averaged by attention, in place of that
            before its opening one alone.
        predict: whether `decode` gives the two brackets a share of the probability, as V and V + 1.
        layers: further arguments of `AWDLSTM`.

    Raises:
        ValueError: a start at the mean with too few units.
    """

    probe: Tensor  # [3, d_L + 1]

    def __init__(
        self,
        vocabulary: int,
        variant: Variant = "A",
        merge: Merge = "separate",
        merge_units: int = 400,
        activation: Activation = "tanh",
        start: Start = "small",
        merge_dropout: float = 0.0,
        attention: bool = False,
        predict: bool = False,
        **layers: Any,
    ):
        super().__init__(vocabulary, **layers)
        self.variant, self.predict = variant, predict
        self.brackets = nn.Parameter(torch.empty(2, self.embedding.shape[1]).uniform_(-0.1, 0.1))
        merge_kind = "hidden" if variant == "C" and merge in ("separate", "joint") else merge
        net = merge_units, activation, start, merge_dropout, attention
        self.merges = nn.ModuleList(
            StateMerge(merge_kind, layer.hidden_size, *net) for layer in self.lstms if variant != "linear"
        )
        self.bracket_bias = nn.Parameter(torch.zeros(2)) if predict else None
        has_decoder = predict and not self.tied
        self.bracket_decoder = nn.Parameter(torch.zeros(2, self.lstms[-1].hidden_size)) if has_decoder else None
        # what `kinds` reads where brackets are not predicted; `repline.systems.bracket_rnn.training` fits it in the end
        self.register_buffer("probe", torch.zeros(3, self.lstms[-1].hidden_size + 1))
        self._brackets: Brackets | None = None  # of the segment that is being read
        self._carried: tuple[StackedState | None, ...] = ()
        self._left: list[StackedState | None] = []

    # its state also holds the saved states, so it is no LSTMState
    def initial_state(self, batch: int) -> BracketState:  # type: ignore[override]
        """Zeros, and nothing saved."""
        return super().initial_state(batch), None

    def embed(self, inputs: Tensor) -> Tensor:
        table: Tensor = self.embedding
        if self.training and self.word_dropout:
            table = table * dropout(torch.ones_like(table[:, :1]), self.word_dropout)  # whole rows
        vectors = embedding(inputs.clamp(max=self.vocabulary - 1), table)  # [B, T, d]
        marks = inputs >= self.vocabulary
        if marks.any():
            positions = marks.nonzero(as_tuple=True)
            vectors = vectors.index_put(positions, self.brackets[inputs[positions] - self.vocabulary])
        return self._locked(vectors, self.input_dropout)

    def forward(  # type: ignore[override]  # as in `initial_state`
        self, inputs: Tensor, state: BracketState
    ) -> tuple[Tensor, BracketState]:
        """Read words and brackets.

        Args:
            inputs: [B, T], integers in 0..V+1.
            state: of `initial_state`, or what an earlier call returned; it holds what is saved and not yet closed.

        Returns:
            the outputs of the last layer [B, T, d_L], after dropout, and the state after the last symbol.

        Raises:
            InputError: a `)` without a `(` before it, naming the row and the place.
        """
        layers, carried = state
        opens, closes = inputs == self.vocabulary, inputs == self.vocabulary + 1
        if self.variant == "linear" or not bool((opens | closes).any()):
            hidden, layers = self.read(self.embed(inputs), layers)
            return hidden, (layers, carried)
        self._brackets = Brackets.of(opens, closes, carried[0] if carried else None)
        self._carried, self._left = carried or (None,) * len(self.layers), []
        try:
            hidden, layers = self.read(self.embed(inputs), layers)
            left = tuple(stack for stack in self._left if stack is not None)
            return hidden, (layers, left or None)
        finally:
            self._brackets, self._carried, self._left = None, (), []

    def recurrence(self, layer: int, values: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        if self._brackets is None:  # the fused kernel
            return super().recurrence(layer, values, h, c)
        w_ih, w_hh, b_ih, b_hh = self.weights(layer)
        gates = linear(values, w_ih, b_ih + b_hh)  # [T, B, 4d]
        raw, merged, (h, c), left = bracketed_lstm(
            gates,
            w_hh,
            (h, c),
            self._carried[layer],
            self._brackets,
            cast(StateMerge, self.merges[layer]),
            steps=self.variant != "B",
        )
        self._left.append(left)
        return merged if layer == len(self.layers) - 1 else raw, h, c

    def output(self) -> tuple[Tensor, Tensor]:
        """W [V, d_L] and b [V] of the layer that decodes; two rows more where brackets are predicted."""
        words, bias = super().output()
        if self.bracket_bias is None:
            return words, bias
        table = self.brackets if self.bracket_decoder is None else self.bracket_decoder
        return torch.cat([words, table]), torch.cat([bias, self.bracket_bias])

    def kinds(self, hidden: Tensor, logits: Tensor) -> Tensor:
        """Log-probabilities of the next symbol being a word, a `(`, a `)`.

        p(symbol) = p(kind) p(word | the symbol is a word), whose second part is the softmax over the V words.

        Args:
            hidden: [..., d_L].
            logits: of `decode`.

        Returns:
            [..., 3].
        """
        if self.predict:
            words, brackets = logits[..., : self.vocabulary], logits[..., self.vocabulary :]
            return log_softmax(torch.cat([words.logsumexp(-1, keepdim=True), brackets], -1), -1)
        return log_softmax(linear(hidden, self.probe[:, :-1], self.probe[:, -1]), -1)
