"""RRNet: an LSTM with a stack that splits, recurs or merges at every step, so that a tree is built while reading.

    split (S)   (hd, cd) = F1(x; h, c),  (h, c) <- F2(x; h, c),  push (hd, cd)
    recur (R)   (h, c) <- F3(x; h, c)
    merge (M)   (hp, cp) = pop,  hm = tanh(W_h [h; hp] + b_h),  cm = W_c [c; cp] + b_c,  (h, c) <- F4(x; hm, cm)
    policy      p(S, M, R) = softmax(W_2 tanh(LN(W_1 [x; h]))),   M impossible with an empty stack, S at the depth limit

F1 to F4 are LSTM units. One operation reads one symbol; with `most` operations a symbol, S and M look at a symbol
without consuming it, and an R does. The operations are given, or drawn from the policy before the operation. The paper
merges h alone and does not say how: W_c and the tanh are this reading, `memory="carry"` keeps c instead.

    layer = RRNet(32, 64)
    hidden, state = layer(vectors, ids, bracket_operations(ids, opening, closing))   # [B, T, 64]

Notation: B sequences, T symbols, K steps, N different inputs, e their size, d units, D vectors on a stack. x is a row
of `vectors` [N, e], (h, c) `State.now` [B, 2d], the stack `State.stacks` [B, D, 2d]; F1 to F4 are `cells`, W_h, b_h
`merge_state`, W_c, b_c `merge_memory` (2d -> d), W_1, LN, W_2 the `hidden`, `norm` and `scores` of `Policy`.

All steps of a batch lie in `repline.systems.rrnet.recurrence`, the order of rows in `.schedule`, the gradient of a
drawn policy in `.policy_gradient`, the stack of single steps in `repline.layers.stacked_state`.

Source: Jacob, Lin, Sordoni & Bengio 2018, section 2.
"""

from collections.abc import Sequence
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn

from repline.layers.stacked_state import StackedState
from repline.systems.rrnet.recurrence import recurrence
from repline.systems.rrnet.schedule import CELLS, MERGE, OPERATIONS, RECUR, SPLIT, STAY, Schedule, schedule
from repline.systems.rrnet.settings import Memory


class State(NamedTuple):
    """The state of a batch: h and c [B, 2d], the stacks [B, D, 2d] and how much of them is in use, sizes [B]."""

    now: Tensor
    stacks: Tensor
    sizes: Tensor


torch.serialization.add_safe_globals([State])  # a checkpoint inside an epoch may hold one


class Decisions(NamedTuple):
    """The operations that a policy chose.

    Attributes:
        operations: [B, K], with STAY where a row waits or has ended.
        reads: [B, K], the input that each step looks at.
        actions: [B, K], SPLIT, MERGE or RECUR, where `decided`.
        allowed: bool [B, K, 3].
        decided: bool [B, K].
    """

    operations: Tensor
    reads: Tensor
    actions: Tensor
    allowed: Tensor
    decided: Tensor


class RRNet(nn.Module):
    """The RRNet: a recurrent layer with a stack, whose states split and merge by the operations of each symbol.

    Args:
        inputs: e.
        units: d.
        depth: the most states on a stack; None for no limit.
        memory: how a merge makes c: of both ("merge"), or unchanged ("carry").
        policy: whether there is a policy network.
        most: operations that a policy may put before the R of a symbol; 0 for one operation a symbol.
    """

    def __init__(
        self,
        inputs: int,
        units: int,
        *,
        depth: int | None = None,
        memory: Memory = "merge",
        policy: bool = False,
        most: int = 0,
    ):
        super().__init__()
        self.units, self.depth, self.most = units, depth, most
        self.cells = nn.ModuleList(nn.LSTMCell(inputs, units) for _ in CELLS)
        self.merge_state = nn.Linear(2 * units, units)
        self.merge_memory = nn.Linear(2 * units, units) if memory == "merge" else None
        self.policy = Policy(inputs, units) if policy else None

    def initial_state(self, batch: int) -> State:
        """Zero states and empty stacks."""
        now = self.merge_state.weight.new_zeros(batch, 2 * self.units)
        sizes = torch.zeros(batch, dtype=torch.long, device=now.device)
        return State(now, now.new_zeros(batch, 0, 2 * self.units), sizes)

    def forward(
        self, vectors: Tensor, reads: Tensor, operations: Tensor, state: State | None = None
    ) -> tuple[Tensor, State]:
        """Follow given operations.

        Args:
            vectors: [N, e], the different inputs.
            reads: int64 [B, K], which of them each step looks at.
            operations: int64 [B, K] of SPLIT, MERGE, RECUR, STAY.
            state: where to start; zeros and empty stacks by default.

        Returns:
            h after each step [B, K, d], and the state at the end.

        Raises:
            InputError: a merge with an empty stack, or a split beyond the depth.
        """
        state = state or self.initial_state(len(reads))
        held = state.stacks.shape[1]
        plan = schedule(operations, reads, depth=self.depth, sizes=state.sizes, held=held)
        start = torch.cat([state.now, state.stacks.flatten(0, 1)]) if held else state.now
        hidden = torch.stack([_gates(cell.weight_hh, self.units).mT for cell in self._cells()])  # [4, d, 4d]
        merge_memory = None if self.merge_memory is None else _transposed(self.merge_memory)
        gate_inputs, which = self._inputs(vectors, plan)
        states = recurrence(plan, gate_inputs, which, start, hidden, _transposed(self.merge_state), merge_memory)
        batch, count = plan.after.shape
        after = states[:, : self.units].index_select(0, plan.after.flatten()).unflatten(0, (batch, count))  # [B, K, d]
        last = plan.after[:, -1] if count else torch.arange(batch, device=reads.device)
        top = plan.stacks.clamp(min=0).flatten()  # what is above the sizes is of no meaning
        stacks = states.index_select(0, top).unflatten(0, plan.stacks.shape)
        return after, State(states.index_select(0, last), stacks, plan.sizes)

    def step(self, inputs: Tensor, operations: Tensor, now: Tensor, stack: StackedState) -> Tensor:
        """One operation of each row, for when the next depends on it.

        Args:
            inputs: [B, e].
            operations: int64 [B].
            now: [B, 2d].
            stack: of B rows and width 2d; it moves.

        Returns:
            [B, 2d].
        """
        split, merge, recur = ((operations == kind).nonzero()[:, 0] for kind in (SPLIT, MERGE, RECUR))
        down, on, along, back = self._cells()
        if len(split):
            stack.push(split, _cell(down, inputs[split], now[split]))
        new = now
        for cell, rows in ((on, split), (along, recur)):
            if len(rows):
                new = new.index_copy(0, rows, _cell(cell, inputs[rows], now[rows]))
        if len(merge):
            (h, c), (hp, cp) = now[merge].chunk(2, 1), stack.pop(merge).chunk(2, 1)
            h = self.merge_state(torch.cat([h, hp], 1)).tanh()
            c = c if self.merge_memory is None else self.merge_memory(torch.cat([c, cp], 1))
            new = new.index_copy(0, merge, _cell(back, inputs[merge], torch.cat([h, c], 1)))
        return new

    @torch.no_grad()
    def decide(
        self, vectors: Tensor, reads: Tensor, lengths: Tensor | None = None, state: State | None = None
    ) -> Decisions:
        """Run the policy: operations are drawn in training, the most probable ones otherwise.

        Args:
            vectors: [N, e].
            reads: [B, T].
            lengths: [B], symbols of each sequence; T by default.
            state: where to start.

        Raises:
            ValueError: the layer has no policy.
        """
        policy = self._policy()
        batch, count = reads.shape
        state = state or self.initial_state(batch)
        depth = self.depth if self.depth is not None else count * max(self.most, 1) + state.stacks.shape[1]
        cells = nn.functional.pad(state.stacks, (0, 0, 0, depth - state.stacks.shape[1]))
        stack, now = StackedState.of(cells, state.sizes), state.now
        lengths = torch.full((batch,), count, device=reads.device) if lengths is None else lengths
        record: list[tuple[Tensor, ...]] = []
        always = torch.ones_like(stack.empty)
        for t in range(count):
            x = vectors[reads[:, t]]
            alive = lengths > t
            choosing = alive
            for _ in range(self.most or 1):
                allowed = torch.stack([~stack.full, ~stack.empty, always], 1)
                scores = policy(x, now[:, : self.units], allowed)
                action = _draw(scores) if self.training else scores.argmax(1)
                operation = action.masked_fill(~choosing, STAY)
                if self.most:  # the R of this symbol comes after all
                    operation = operation.masked_fill(operation == RECUR, STAY)
                record.append((operation, reads[:, t], action, allowed, choosing))
                now = self.step(x, operation, now, stack)
                choosing = choosing & (action != RECUR)
            if self.most:
                operation = torch.where(alive, RECUR, STAY)
                record.append((operation, reads[:, t], torch.full_like(operation, RECUR), allowed, ~always))
                now = self.step(x, operation, now, stack)
        return Decisions(*(torch.stack(column, 1) for column in zip(*record, strict=True)))

    def symbol_steps(self, hidden: Tensor) -> Tensor:
        """h after each symbol [B, T, d], of h after each step [B, K, d]."""
        return hidden[:, self.most :: self.most + 1]

    def log_probabilities(self, vectors: Tensor, decisions: Decisions, hidden: Tensor, state: State | None) -> Tensor:
        """log p of all actions before each step, [B, K, 3], with gradients; -inf where not allowed.

        Args:
            decisions: of `decide`.
            hidden: [B, K, d], h after each step of `decisions.operations`.
            state: where they started.
        """
        return self._policy()(vectors[decisions.reads], self.before(hidden, state), decisions.allowed)

    def before(self, hidden: Tensor, state: State | None) -> Tensor:
        """h before each step [B, K, d], of h after each step."""
        now = (state or self.initial_state(len(hidden))).now
        return torch.cat([now[:, None, : self.units], hidden[:, :-1]], 1)

    def _cells(self) -> list[nn.LSTMCell]:
        return [cast(nn.LSTMCell, cell) for cell in self.cells]

    def _policy(self) -> "Policy":
        if self.policy is None:
            raise ValueError("this layer has no policy; its operations are given")
        return self.policy

    def _inputs(self, vectors: Tensor, plan: Schedule) -> tuple[Tensor, Tensor]:
        """What inputs add to gates, [., 4d], and which row of it each evaluation takes, [R]."""
        weights = torch.stack([_gates(cell.weight_ih, self.units) for cell in self._cells()])  # [4, 4d, e]
        biases = torch.stack([_gates(cell.bias_ih + cell.bias_hh, self.units) for cell in self._cells()])  # [4, 4d]
        if 4 * len(vectors) < len(plan.reads):  # few symbols: all their gates, once
            table = torch.baddbmm(biases[:, None], vectors.expand(4, -1, -1), weights.mT)  # [4, N, 4d]
            return table.flatten(0, 1), plan.kinds * len(vectors) + plan.reads
        parts = []
        for weight, bias, (rows, _) in zip(weights, biases, plan.cells, strict=True):
            parts.append(nn.functional.linear(vectors.index_select(0, plan.reads[rows]), weight, bias))
        return torch.cat(parts), torch.cat([rows for rows, _ in plan.cells]).argsort()


class Policy(nn.Module):
    """p(operation | x, h).

    Args:
        inputs: e.
        units: d, and the size of the hidden layer, which the paper does not state.
    """

    def __init__(self, inputs: int, units: int):
        super().__init__()
        self.hidden, self.norm = nn.Linear(inputs + units, units), nn.LayerNorm(units)
        self.scores = nn.Linear(units, 3)

    def forward(self, inputs: Tensor, hidden: Tensor, allowed: Tensor) -> Tensor:
        """[..., e], [..., d], bool [..., 3] -> log p of SPLIT, MERGE, RECUR, [..., 3]; -inf where not allowed."""
        scores = self.scores(self.norm(self.hidden(torch.cat([inputs, hidden], -1))).tanh())
        return scores.masked_fill(~allowed, -torch.inf).log_softmax(-1)


def bracket_operations(ids: Tensor, opening: int, closing: int, lengths: Tensor | None = None) -> Tensor:
    """SPLIT at opening, MERGE at closing brackets, RECUR at all else, STAY behind the end: [B, T] -> [B, T]."""
    operations = torch.full_like(ids, RECUR)
    operations[ids == opening] = SPLIT
    operations[ids == closing] = MERGE
    return operations if lengths is None else _until(operations, lengths)


def symbol_operations(ids: Tensor, assigned: Tensor, depth: int | None = None, lengths: Tensor | None = None) -> Tensor:
    """A deterministic policy: the operation of each symbol, with R in place of what is not possible.

    Args:
        ids: [B, T].
        assigned: [V] of SPLIT, MERGE, RECUR.
        depth: limit of the stacks.
        lengths: [B].
    """
    operations = assigned[ids]
    size = torch.zeros_like(ids[:, 0])
    for t in range(ids.shape[1]):
        assigned_now = operations[:, t]
        impossible = (assigned_now == MERGE) & (size == 0)
        if depth is not None:
            impossible |= (assigned_now == SPLIT) & (size == depth)
        operations[:, t] = possible_now = assigned_now.masked_fill(impossible, RECUR)
        size = size + (possible_now == SPLIT).long() - (possible_now == MERGE).long()
    return operations if lengths is None else _until(operations, lengths)


def operation_shares(operations: Sequence[Tensor]) -> dict[str, float]:
    """The share of each of split, merge, recur in some [B, K] of operations."""
    counts = torch.zeros(len(OPERATIONS), dtype=torch.double)
    for batch in operations:
        counts += torch.bincount(batch.flatten(), minlength=STAY + 1)[: len(OPERATIONS)].cpu()
    return dict(zip(OPERATIONS, (counts / counts.sum()).tolist(), strict=True))


def _until(operations: Tensor, lengths: Tensor) -> Tensor:
    ended = torch.arange(operations.shape[1], device=lengths.device) >= lengths[:, None]
    return operations.masked_fill(ended, STAY)


def _gates(weights: Tensor, units: int) -> Tensor:
    """Rows of an LSTM's weights from PyTorch's order of gates (i, f, g, o) to (i, f, o, g)."""
    i, f, g, o = weights.split(units)
    return torch.cat([i, f, o, g])


def _transposed(layer: nn.Linear) -> tuple[Tensor, Tensor]:
    return layer.weight.mT.contiguous(), layer.bias


def _cell(cell: nn.LSTMCell, inputs: Tensor, now: Tensor) -> Tensor:
    return torch.cat(cell(inputs, now.chunk(2, 1)), 1)


def _draw(scores: Tensor) -> Tensor:
    return torch.multinomial(scores.exp(), 1)[:, 0]
