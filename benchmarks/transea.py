"""TransE's training and filtered ranking, compared with PyKEEN (installed by hand: `pip install pykeen==1.11.1`)."""

import os
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch

from benchmarks.timing import keep, line, paired
from repline.graphs.filtered_ranking import SIDES, rank_entities
from repline.graphs.knowledge_graph import KnowledgeGraph
from repline.systems.transea.settings import Recipe
from repline.systems.transea.training import fitted

ENTITIES, RELATIONS, TRIPLES, TEST = 15_000, 200, 100_000, 1_000
DIMENSIONS, BATCH, MARGIN, RATE = 50, 1_000, 4.0, 0.01
GOALS = {"training": 1, "ranking": 3}
RECIPE = Recipe(
    dimensions=DIMENSIONS,
    margin=MARGIN,
    learning_rate=RATE,
    alpha=0.0,
    epochs=1,
    batches=TRIPLES // BATCH,
    attribute_mean=None,
    unit_length=["entities"],
)


def main() -> None:
    torch.set_num_threads(1)
    graph = _graph(np.random.default_rng(0))
    try:
        from pykeen.evaluation import RankBasedEvaluator
        from pykeen.losses import MarginRankingLoss
        from pykeen.models import TransE
        from pykeen.training import SLCWATrainingLoop
        from pykeen.triples import CoreTriplesFactory
    except ImportError as missing:
        print(f"skipped: PyKEEN is not installed ({missing}); it needs many packages, so: pip install pykeen==1.11.1")
        return
    triples, test = (torch.from_numpy(graph.of(split)) for split in ("train", "test"))
    factory = CoreTriplesFactory(triples, num_entities=ENTITIES, num_relations=RELATIONS)
    model = TransE(
        triples_factory=factory,
        embedding_dim=DIMENSIONS,
        scoring_fct_norm=1,
        loss=MarginRankingLoss(margin=MARGIN, reduction="sum"),
        random_seed=0,
    )
    loop = SLCWATrainingLoop(
        model=model,
        triples_factory=factory,
        optimizer=torch.optim.SGD(model.parameters(), lr=RATE),
        negative_sampler="basic",
        negative_sampler_kwargs={"num_negs_per_pos": 1},
    )
    print(f"{'one thread, 15,000 entities, 50 dimensions':<72} {'repline':>13} {'peer':>13} {'ratio':>8}")
    ours, peer = paired(
        lambda: fitted(RECIPE, graph),
        lambda: loop.train(factory, num_epochs=1, batch_size=BATCH, use_tqdm=False, use_tqdm_batch=False),
        rounds=3,
    )
    line("training TransE, an epoch of 100,000 triples by 1,000, against PyKEEN", ours, peer, GOALS["training"])
    print(f"  {TRIPLES / ours:,.0f} triples a second here, {TRIPLES / peer:,.0f} there")
    entities, relations = (
        part[0](indices=None).detach() for part in (model.entity_representations, model.relation_representations)
    )
    evaluator = RankBasedEvaluator(filtered=True, clear_on_finalize=False)
    true_triples = np.concatenate([graph.of("train"), graph.of("test")])

    def ranked() -> dict[str, np.ndarray]:
        arrays = entities.numpy(), relations.numpy(), graph.of("test"), true_triples
        return {side: rank_entities(*arrays, side, "L1").rank() for side in SIDES}

    def evaluated() -> Any:
        evaluator.ranks.clear()
        return evaluator.evaluate(model, test, additional_filter_triples=[triples], batch_size=32, use_tqdm=False)

    ours, peer = paired(ranked, evaluated, rounds=3)
    line("filtered ranks of 1,000 test triples, both sides, against PyKEEN", ours, peer, GOALS["ranking"])
    ranks_here = ranked()
    same = []
    for side in SIDES:
        theirs = np.concatenate(evaluator.ranks[side, "realistic"])
        same.append(np.abs(ranks_here[side] - theirs) <= 0.5)
    keep("share of ranks that are PyKEEN's (the others differ by the rounding of a sum)", float(np.mean(same)))
    print(f"  {np.mean(same):.2%} of the ranks are the same, to a half")


def _graph(random: np.random.Generator) -> KnowledgeGraph:
    """Random triples, some entities far more often than others, as in real graphs."""
    total = TRIPLES + TEST
    ends = (ENTITIES * random.random((total, 2)) ** 2).astype(np.int64)
    triples = np.stack([ends[:, 0], random.integers(RELATIONS, size=total), ends[:, 1]], axis=1)
    split = np.where(np.arange(total) < TRIPLES, 0, 2)
    return KnowledgeGraph(
        [str(number) for number in range(ENTITIES)], [str(number) for number in range(RELATIONS)], triples, split
    )


if __name__ == "__main__":
    main()
