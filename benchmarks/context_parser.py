"""Gaps filled with bounds and compiled trees compared with plain Python's Chu-Liu-Edmonds over all candidates."""

import time

from benchmarks.timing import keep, line, paired
from repline.corpora.scenes.made_scenes import make_scenes
from repline.systems.context_parser import completion, model
from repline.systems.context_parser.completion import assignments
from repline.systems.context_parser.model import Completion, ContextParser
from repline.systems.context_parser.settings import Recipe, Weights
from repline.systems.context_parser.training import fitted

SCENES, GAPS = 10, 4  # gaps that are compared
CANDIDATES = range(3_000, 9_000)  # of each of them; the mean of MD-TC is 5,729, its median 2,880
WEIGHTS = [Weights(5, 5)]
FASTER, FOLD = 20, 60  # goals: times, and seconds of a fold


def main() -> None:
    scenes = list(make_scenes(seed=1, scenes=SCENES))
    parser = fitted(Recipe(), [sentence for scene in scenes[2:] for sentence in scene.sentences])
    gapped = [sentence for scene in scenes[:2] for sentence in scene.gapped]
    gaps = [gap for gap in gapped if parser.complete(gap, WEIGHTS)[0].candidates in CANDIDATES][:GAPS]
    ours, peer = _compiled(parser, gaps), _plain(parser, gaps)
    assert [answer[:4] for answer in ours] == [answer[:4] for answer in peer]
    candidates = sum(answer.candidates for answer in ours)
    print(f"{candidates:,} candidates of {len(gaps)} gaps, tables of scores and all, one thread")
    seconds = paired(lambda: _compiled(parser, gaps), lambda: _plain(parser, gaps), rounds=1)
    line("gaps filled, against plain Chu-Liu-Edmonds over all candidates", *seconds, FASTER)
    print(f"{candidates / seconds[0]:,.0f} candidates/s against {candidates / seconds[1]:,.0f}")
    started = time.perf_counter()
    _compiled(parser, gapped)
    taken = time.perf_counter() - started
    print(f"two scenes held out, {len(gapped)} gaps: {taken:.1f} s")
    keep(f"a fold of {len(gapped)} gaps, as part of {FOLD} s", FOLD / taken, 1)


def _compiled(parser: ContextParser, gapped: list) -> list[Completion]:
    return [parser.complete(gap, WEIGHTS)[0] for gap in gapped]


def _plain(parser: ContextParser, gapped: list) -> list[Completion]:
    """Completions from the tables of scores of `_compiled`, searched as a reader of the paper would write it."""
    compiled_search = model.best_candidate
    model.best_candidate = _search
    try:
        return _compiled(parser, gapped)
    finally:
        model.best_candidate = compiled_search


def _search(linguistic, context, word_positions, items, starts, name_of_item, original, inferred, *lambdas_and_prune):
    best = None
    count = 0
    for row in assignments(items, starts):
        chosen_items = items[row]
        name = name_of_item[chosen_items[0]]
        for tag in range(linguistic.shape[1]):
            scores = linguistic[name, tag].tolist()
            for h in range(len(word_positions)):
                for m in range(len(word_positions)):
                    pair = chosen_items[h], chosen_items[m]
                    bits = int(original[pair]), int(inferred[pair])
                    if h != m and any(bits):
                        scores[word_positions[h]][word_positions[m]] += completion.relation_weights.py_func(
                            context[name, tag, h, m], *bits, *lambdas_and_prune[:2]
                        )
            heads = _tree(scores)
            total = 0.0
            for word in range(1, len(scores)):
                total += scores[heads[word]][word]
            count += 1
            if best is None or total > best[3]:
                best = (tag, chosen_items, heads, total)
    tag, chosen_items, heads, total = best
    return tag, chosen_items, _Heads(heads), total, count, count


class _Heads(list):
    def tolist(self) -> list[int]:
        return list(self)

    def __getitem__(self, index):
        part = super().__getitem__(index)
        return _Heads(part) if isinstance(index, slice) else part


def _tree(scores: list[list[float]]) -> list[int]:
    """Chu-Liu-Edmonds by recursion."""
    words = range(1, len(scores))
    heads = [0] + [max((h for h in range(len(scores)) if h != m), key=lambda h: scores[h][m]) for m in words]
    cycle = _cycle(heads)
    if not cycle:
        return heads
    outside = [word for word in range(len(scores)) if word not in cycle]
    number = {word: index for index, word in enumerate(outside)}
    new = len(outside)
    smaller = [[0.0] * (new + 1) for _ in range(new + 1)]
    leaves, enters = {}, {}
    for word in outside:
        for other_word in outside:
            smaller[number[word]][number[other_word]] = scores[word][other_word]
        leaves[word] = max(cycle, key=lambda head: scores[head][word])
        smaller[new][number[word]] = scores[leaves[word]][word]
        enters[word] = max(cycle, key=lambda entered: scores[word][entered] - scores[heads[entered]][entered])
        smaller[number[word]][new] = scores[word][enters[word]] - scores[heads[enters[word]]][enters[word]]
    inner = _tree(smaller)
    tree_heads = list(heads)
    for word in outside[1:]:
        head = inner[number[word]]
        tree_heads[word] = leaves[word] if head == new else outside[head]
    entry = outside[inner[new]]
    tree_heads[enters[entry]] = entry
    return tree_heads


def _cycle(heads: list[int]) -> list[int]:
    for start in range(1, len(heads)):
        path, word = [], start
        while word != 0 and word not in path:
            path.append(word)
            word = heads[word]
        if word != 0:
            return path[path.index(word) :]
    return []


if __name__ == "__main__":
    main()
