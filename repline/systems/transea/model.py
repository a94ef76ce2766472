"""TransEA: TransE on triples, and a linear regression on the same entity vectors for each numeric attribute.

    D(h, r, t) = ‖h + r - t‖                                distance, L1, L2, or L2 squared as in the authors' program
    L_R = Σ [γ + D(h, r, t) - D(h', r, t')]₊                over triples and their corruptions (one end replaced)
    ρ(e, a, v) = a·e + b_a - v                              residual
    L_A = Σ |ρ|  (or Σ ρ²)
    L   = (1 - α) L_R + α L_A

The paper prints the distance with a minus sign in L_R and the residual with one in L_A; minimising these would push
true triples apart and the errors to infinity. These are the signs of the authors' program, which also has rows of
length 1: here tables are brought to it after each step, not inside the graph.

Notation: n entities, m relations, k attributes, d dimensions, B of a batch. A triple is (h, r, t), a number (e, a, v)
with v from 0 to 1. h, t and e are rows of `entities` [n, d], r of `relations` [m, d], a of `attributes` [k, d], b_a of
`biases` [k]; γ is `margin`. D is `distance`, ρ `residual`, L_R `structure_loss`, L_A `attribute_loss`, L `joint_loss`.

The gradients, by hand, lie in `repline.systems.transea.gradients`, the ranking of triples in
`repline.graphs.filtered_ranking`.

Source: Wu and Wang 2018, *Knowledge Graph Embedding with Numeric Attributes of Entities*, equations 1 to 5.
"""

import numpy as np
import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn

from repline.graphs.recipes import Norm
from repline.systems.transea.settings import AttributeNorm

FIRST_BIAS = 0.01


class TransEA(nn.Module, PyTorchModelHubMixin):
    """Vectors of entities [n, d], relations [m, d] and attributes [k, d], and the attributes' biases [k].

    Args:
        entities, relations, attributes: n, m, k; TransE has no attributes.
        dimensions: d.
        norm: of the distance.
    """

    entities: nn.Parameter
    relations: nn.Parameter
    attributes: nn.Parameter

    def __init__(self, entities: int, relations: int, attributes: int, dimensions: int, norm: Norm = "L1"):
        super().__init__()
        self.norm: Norm = norm
        shapes = {"entities": entities, "relations": relations, "attributes": attributes}
        for name, rows in shapes.items():
            self.register_parameter(name, nn.Parameter(torch.zeros(rows, dimensions)))
        self.biases = nn.Parameter(torch.zeros(attributes))

    def forward(self, triples: Tensor) -> Tensor:
        """Distances [B] of triples [B, 3]: the smaller, the more plausible."""
        head, relation, tail = triples.T
        return distance(self.entities[head], self.relations[relation], self.entities[tail], self.norm)

    def predict(self, entity: Tensor, attribute: Tensor) -> Tensor:
        """The predicted numbers of entities [B] at attributes [B], on the scale of 0 to 1: [B]."""
        return residual(self.entities[entity], self.attributes[attribute], self.biases[attribute], 0.0)

    def tables(self) -> dict[str, np.ndarray]:
        """The vectors of entities, relations and attributes, and the biases, as arrays by name."""
        return {name: value.detach().numpy() for name, value in self.named_parameters()}


def distance(head: Tensor, relation: Tensor, tail: Tensor, norm: Norm = "L1") -> Tensor:
    """D(h, r, t): [..., d] each -> [...]. Source: Wu and Wang 2018, eq. 1, without its minus sign."""
    gap = head + relation - tail
    if norm == "squared":
        return gap.square().sum(-1)
    return torch.linalg.vector_norm(gap, ord=1 if norm == "L1" else 2, dim=-1)


def residual(entity: Tensor, attribute: Tensor, bias: Tensor | float, value: Tensor | float) -> Tensor:
    """ρ(e, a, v) = a·e + b_a - v: [..., d], [..., d], [...], [...] -> [...]. Source: Wu and Wang 2018, eq. 3."""
    return (attribute * entity).sum(-1) + bias - value


def structure_loss(true: Tensor, corrupted: Tensor, margin: float) -> Tensor:
    """L_R of distances [B] of triples and of their corruptions. Source: Wu and Wang 2018, eq. 2, signs corrected."""
    return torch.relu(margin + true - corrupted).sum()


def attribute_loss(residuals: Tensor, norm: AttributeNorm = "L1") -> Tensor:
    """L_A of residuals [B]. Source: Wu and Wang 2018, eq. 4, sign corrected."""
    return residuals.abs().sum() if norm == "L1" else residuals.square().sum()


def joint_loss(structure: Tensor, attributes: Tensor, alpha: float) -> Tensor:
    """L = (1 - α) L_R + α L_A. Source: Wu and Wang 2018, eq. 5."""
    return (1 - alpha) * structure + alpha * attributes


def first_tables(n: int, m: int, k: int, d: int, seed: int) -> dict[str, np.ndarray]:
    """Tables before training: uniform within ±(6 / (rows + d))^½ (Glorot and Bengio 2010), biases 0.01; float32.

    The attributes are drawn by a generator of their own, so that TransE begins as TransEA does.
    """
    structure, attributes = (np.random.default_rng([seed, part]) for part in (0, 1))
    tables = {}
    for name, rows, random in (("entities", n, structure), ("relations", m, structure), ("attributes", k, attributes)):
        reach = (6 / (rows + d)) ** 0.5
        tables[name] = random.uniform(-reach, reach, (rows, d)).astype(np.float32)
    return tables | {"biases": np.full(k, FIRST_BIAS, dtype=np.float32)}
