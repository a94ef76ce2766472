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
    parser = fitted(Recipe(), [one for scene in scenes[2:] for one in scene.sentences])
    gapped = [one for scene in scenes[:2] for one in scene.gapped]
    chosen = [gap for gap in gapped if parser.complete(gap, WEIGHTS)[0].candidates in CANDIDATES][:GAPS]
    ours, peer = _compiled(parser, chosen), _plain(parser, chosen)
    assert [one[:4] for one in ours] == [one[:4] for one in peer]
    candidates = sum(one.candidates for one in ours)
    print(f"{candidates:,} candidates of {len(chosen)} gaps, tables of scores and all, one thread")
    seconds = paired(lambda: _compiled(parser, chosen), lambda: _plain(parser, chosen), rounds=1)
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


def _search(linguistic, context, places, items, starts, name_of_item, original, inferred, one, other, prune):
    best = None
    count = 0
    for row in assignments(items, starts):
        own = items[row]
        name = name_of_item[own[0]]
        for tag in range(linguistic.shape[1]):
            scores = linguistic[name, tag].tolist()
            for h in range(len(places)):
                for m in range(len(places)):
                    bits = int(original[own[h], own[m]]), int(inferred[own[h], own[m]])
                    if h != m and any(bits):
                        scores[places[h]][places[m]] += completion.relation_weights.py_func(
                            context[name, tag, h, m], *bits, one, other
                        )
            heads = _tree(scores)
            total = 0.0
            for word in range(1, len(scores)):
                total += scores[heads[word]][word]
            count += 1
            if best is None or total > best[3]:
                best = (tag, own, heads, total)
    tag, own, heads, total = best
    return tag, own, _Heads(heads), total, count, count


class _Heads(list):
    def tolist(self) -> list[int]:
        return list(self)

    def __getitem__(self, place):
        found = super().__getitem__(place)
        return _Heads(found) if isinstance(place, slice) else found


def _tree(scores: list[list[float]]) -> list[int]:
    """Chu-Liu-Edmonds by recursion."""
    words = range(1, len(scores))
    heads = [0] + [max((h for h in range(len(scores)) if h != m), key=lambda h: scores[h][m]) for m in words]
    cycle = _cycle(heads)
    if not cycle:
        return heads
    outside = [word for word in range(len(scores)) if word not in cycle]
    number = {word: place for place, word in enumerate(outside)}
    new = len(outside)
    smaller = [[0.0] * (new + 1) for _ in range(new + 1)]
    leaves, enters = {}, {}
    for one in outside:
        for other in outside:
            smaller[number[one]][number[other]] = scores[one][other]
        leaves[one] = max(cycle, key=lambda word: scores[word][one])
        smaller[new][number[one]] = scores[leaves[one]][one]
        enters[one] = max(cycle, key=lambda word: scores[one][word] - scores[heads[word]][word])
        smaller[number[one]][new] = scores[one][enters[one]] - scores[heads[enters[one]]][enters[one]]
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
