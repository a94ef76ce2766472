"""One softmax over generated and copied symbols.

    Z = Σ_{v ∈ V ∪ L} exp ψ_g(v) + Σ_j exp ψ_c(j)
    p(y) = [ 1{y ∈ V ∪ L} exp ψ_g(y) + Σ_{j: x_j = y} exp ψ_c(j) ] / Z

Symbols from G on are words of this instance alone, which can only be copied. The copying part is summed over positions,
not over distinct words. The paper's Z leaves the labels L out, so that its p does not add up to 1.

Source: Gu et al. 2016, equations 5 and 6; Daza & Frank 2018, section 3.2, with the normaliser corrected.
"""

import torch
from torch import Tensor

from repline.layers.generation.copying_decoder import NEVER


def mixture_log_likelihood(
    generated: Tensor, symbols: Tensor, copied: Tensor | None = None, sources: Tensor | None = None
) -> Tensor:
    """log p of one symbol for each row [N].

    Args:
        generated: ψ_g [N, G].
        symbols: y [N]; from G on it can only be copied.
        copied: ψ_c [N, T], `NEVER` where nothing may be copied; None for a decoder that only generates.
        sources: the symbols x_j [N, T].
    """
    inside = symbols < generated.shape[1]
    score = generated.gather(1, symbols.where(inside, 0)[:, None])[:, 0].masked_fill(~inside, NEVER)
    everything = generated.logsumexp(1)
    if copied is not None and sources is not None:
        same = copied.masked_fill(sources != symbols[:, None], NEVER)
        score = torch.logaddexp(score, same.logsumexp(1))
        everything = torch.logaddexp(everything, copied.logsumexp(1))
    return score - everything


def mixture_log_probabilities(generated: Tensor, copied: Tensor, sources: Tensor, symbols: int) -> Tensor:
    """log p of all symbols [N, S], minus infinity where one is neither generated nor copied.

    Args:
        generated: [N, G]; copied, sources: [N, T]; symbols: S, G and the words of the instances that are not in it.
    """
    shares = torch.cat([generated, copied], 1).softmax(1)
    generated_shares, copied_shares = shares.split([generated.shape[1], copied.shape[1]], 1)
    generated_shares = torch.nn.functional.pad(generated_shares, (0, symbols - generated.shape[1]))
    return generated_shares.scatter_add(1, sources, copied_shares).log()
