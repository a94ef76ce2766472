"""TransE and TransEA by names: the tail of a link, and the number of an entity in its unit."""

import difflib
from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, overload

import numpy as np
import torch
from numpy.typing import NDArray

from repline.errors import InputError, shown
from repline.graphs.filtered_ranking import SIDES, Side, rank_entities
from repline.graphs.graph_files import NO_TESTS, without_brackets, without_marks
from repline.graphs.knowledge_graph import SPLITS, KnowledgeGraph, Scale
from repline.graphs.rank_measures import means, measures_of_ranks
from repline.parameters import Json
from repline.pretrained import pretrained
from repline.systems.transea.model import TransEA
from repline.use.folders import Description
from repline.use.inputs import in_batches, one_or_all, pairs_of, text_of, texts_of, whole_number

KIND = "knowledge_graph"
BATCH = 64  # queries whose distances to all entities are in memory at a time
MAX_SEARCHED = 20_000  # names that are searched for one like an unknown name


class Tail(NamedTuple):
    """An entity and its distance from head + relation: the smaller, the more plausible the link."""

    entity: str
    distance: float


class GraphModel:
    """A trained model of a knowledge graph with its names.

    Args:
        model: of n entities, m relations and k attributes.
        entities, relations, attributes: their names, in the order of the ids.
        scales: of the numbers, by attribute; an attribute without one is predicted as it was given to training.
    """

    fields: ClassVar[tuple[str, ...]] = ("entity", "relation")
    optional_fields: ClassVar[tuple[str, ...]] = ()
    tails = 5  # in an answer of the command

    def __init__(
        self,
        model: TransEA,
        entities: Sequence[str],
        relations: Sequence[str],
        attributes: Sequence[str],
        scales: Mapping[str, Scale],
    ):
        self.model, self.scales = model, dict(scales)
        self.entities, self.relations, self.attributes = list(entities), list(relations), list(attributes)
        self._ids = {
            what: {name: number for number, name in enumerate(names)}
            for what, names in (
                ("entity", self.entities),
                ("relation", self.relations),
                ("attribute", self.attributes),
            )
        }

    @overload  # a str is a sequence of str, too
    def predict(  # type: ignore[overload-overlap]
        self, head: str, relation: str, n: int = 10, excluded: KnowledgeGraph | None = None
    ) -> list[Tail]: ...
    @overload
    def predict(
        self, head: Sequence[str], relation: Sequence[str], n: int = 10, excluded: KnowledgeGraph | None = None
    ) -> list[list[Tail]]: ...
    def predict(
        self,
        head: str | Sequence[str],
        relation: str | Sequence[str],
        n: int = 10,
        excluded: KnowledgeGraph | None = None,
    ) -> list[Tail] | list[list[Tail]]:
        """The n most plausible tails of a link, the nearest to head + relation first; the head itself is left out.

        Links of training are among the answers, unless `excluded` holds them.

        Args:
            head: the name of an entity, or a list of names.
            relation: the name of a relation, or a list as long as `head`.
            n: how many tails.
            excluded: a graph whose links are no answers, as of `repline.graphs.graph_files.read_graph`. Its names
                count, not its ids, and its parts count alike.

        Returns:
            For a head its tails, for a list a list of these.

        Raises:
            InputError: the graph has no such entity or relation, or the two are neither names nor lists of one length.
        """
        n = whole_number(n, "n", 0)
        heads, relations = self._ids_of(head, "entity", relation, "relation", "predict")
        excluded_tails = self._tails_in(excluded)
        answers: list[list[Tail]] = []
        for rows in in_batches(range(len(heads)), BATCH):
            answers += self._tails(heads[list(rows)], relations[list(rows)], n, excluded_tails)
        return one_or_all(head, answers)

    def link_measures(self, graph: KnowledgeGraph) -> tuple[dict[str, float], int]:
        """Filtered measures of the test triples of a graph, and how many of them have names that the model knows.

        Every triple of the graph is taken for true, whatever its part. Heads and tails count the same.

        Raises:
            InputError: there is no test triple, or none with names that the model knows.

        Source: Bordes et al. 2013, section 4.2 (the filtered setting).
        """
        triples = self._triples_of(graph)
        is_known = (triples >= 0).all(axis=1)
        test = triples[is_known & (graph.split == SPLITS.index("test"))]
        if not len(graph.of("test")):
            raise InputError(NO_TESTS)
        if not len(test):
            raise InputError("no test triple of the graph has an entity and a relation that the model knows")
        tables = self.model.tables()
        by_side: dict[Side, dict[str, dict[str, NDArray]]] = {
            side: measures_of_ranks(
                rank_entities(tables["entities"], tables["relations"], test, triples[is_known], side, self.model.norm)
            )
            for side in SIDES
        }
        measures = means(by_side, np.ones((1, len(test))))["filtered"]["all"]
        return {name: float(values[0]) for name, values in measures.items()}, len(test)

    def link_ranks(self, graph: KnowledgeGraph, among: Collection[str]) -> NDArray[np.float64]:
        """The filtered rank of the head and of the tail of each test triple, among some entities only.

        Every triple of the graph is taken for true, whatever its part.

        Args:
            among: names of the entities that are ranked; names that the model does not know are passed over.

        Returns:
            [Q, 2], in the order of the graph; NaN where the model does not know a name, or an end is not ranked.

        Source: Bordes et al. 2013, section 4.2 (the filtered setting).
        """
        ranked = [name for name in self.entities if name in among]
        number_of = {name: number for number, name in enumerate(ranked)}
        entities = np.array([number_of.get(name, -1) for name in graph.entities], dtype=np.int64)
        relations = np.array([self._ids["relation"].get(name, -1) for name in graph.relations], dtype=np.int64)
        heads, links, tails = graph.triples.T
        triples = np.stack([entities[heads], relations[links], entities[tails]], axis=1)
        is_ranked = np.asarray((triples >= 0).all(axis=1))
        is_test = graph.split == SPLITS.index("test")
        test, true_triples = triples[is_ranked & is_test], triples[is_ranked]
        ranks = np.full((int(is_test.sum()), len(SIDES)), np.nan)
        if len(test):
            tables = self.model.tables()
            rows = tables["entities"][[self._ids["entity"][name] for name in ranked]]
            for column, side in enumerate(SIDES):
                counts = rank_entities(rows, tables["relations"], test, true_triples, side, self.model.norm)
                ranks[is_ranked[is_test], column] = counts.rank()
        return ranks

    @overload  # a str is a sequence of str, too
    def predict_number(self, entity: str, attribute: str) -> float: ...  # type: ignore[overload-overlap]
    @overload
    def predict_number(self, entity: Sequence[str], attribute: Sequence[str]) -> list[float]: ...
    def predict_number(self, entity: str | Sequence[str], attribute: str | Sequence[str]) -> float | list[float]:
        """The number of an entity at an attribute, in the attribute's unit (`unit`): a year in years.

        Args:
            entity: the name of an entity, or a list of names.
            attribute: the name of an attribute, or a list as long as `entity`.

        Returns:
            A number, or a list of numbers.

        Raises:
            InputError: the graph has no such entity or attribute, the model was trained without numbers, or the two are
                neither names nor lists of one length.
        """
        if not self.attributes:
            raise InputError("this model was trained without numbers (TransE), so it predicts none")
        entities, attributes = self._ids_of(entity, "entity", attribute, "attribute", "predict_number")
        with torch.inference_mode():
            scaled = self.model.predict(entities, attributes).numpy().astype(np.float64)
        names = [self.attributes[number] for number in attributes.tolist()]
        numbers = [
            float(self.scales[name].original(value)) if name in self.scales else float(value)
            for name, value in zip(names, scaled, strict=True)
        ]
        return one_or_all(entity, numbers)

    def unit(self, attribute: str) -> str:
        """The unit of an attribute's numbers, "" where the graph names none; InputError if there is no attribute."""
        name = self.attributes[self._id(text_of(attribute, "unit", "attribute"), "attribute")]
        return self.scales[name].unit if name in self.scales else ""

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The tails of each row's entity and relation, or its number where the second column names an attribute.

        Where the graph has no such entity, relation or attribute, all is null and `known` is false.
        """
        answers = [dict[str, Json](known=False, tails=None, number=None, unit=None) for _ in rows]
        names = pairs_of([(row["entity"], row["relation"]) for row in rows], "predict")
        links, numbers = (
            [
                (answer, entity, second)
                for answer, (entity, second) in zip(answers, names, strict=True)
                if self._name(entity, "entity") in self._ids["entity"] and self._name(second, kind) in self._ids[kind]
            ]
            for kind in ("relation", "attribute")
        )
        if links:
            predictions = self.predict(
                [head for _, head, _ in links], [relation for _, _, relation in links], self.tails
            )
            for (answer, _, _), tails in zip(links, predictions, strict=True):
                answer |= {"known": True, "tails": [[tail.entity, round(tail.distance, 4)] for tail in tails]}
        if numbers:
            predicted = self.predict_number([entity for _, entity, _ in numbers], [name for _, _, name in numbers])
            for (answer, _, name), number in zip(numbers, predicted, strict=True):
                answer |= {"known": True, "number": float(f"{number:.6g}"), "unit": self.unit(name) or None}
        return answers

    def _triples_of(self, graph: KnowledgeGraph) -> NDArray[np.int64]:
        """The triples of a graph in the model's ids [S, 3], matched by their names; -1 for names it does not know."""
        entities = np.array([self._ids["entity"].get(name, -1) for name in graph.entities], np.int64)
        relations = np.array([self._ids["relation"].get(name, -1) for name in graph.relations], np.int64)
        return np.stack(
            [entities[graph.triples[:, 0]], relations[graph.triples[:, 1]], entities[graph.triples[:, 2]]], axis=1
        )

    def _tails_in(self, graph: KnowledgeGraph | None) -> dict[tuple[int, int], list[int]]:
        """By head and relation, the tails that a graph links them to."""
        if not isinstance(graph, KnowledgeGraph | None):
            raise InputError(
                "predict takes links to exclude as a graph, excluded=read_graph(folder) of repline.graphs.graph_files; "
                f"found a value of type {type(graph).__name__}"
            )
        tails: dict[tuple[int, int], list[int]] = {}
        if graph is not None:
            triples = self._triples_of(graph)
            for head, relation, tail in triples[(triples >= 0).all(axis=1)].tolist():
                tails.setdefault((head, relation), []).append(tail)
        return tails

    def _tails(
        self,
        heads: torch.Tensor,
        relations: torch.Tensor,
        n: int,
        excluded_tails: Mapping[tuple[int, int], list[int]],
    ) -> list[list[Tail]]:
        with torch.inference_mode():
            queries = self.model.entities[heads] + self.model.relations[relations]  # [B, d]
            distances = torch.cdist(queries, self.model.entities, p=1.0 if self.model.norm == "L1" else 2.0)  # [B, n]
            if self.model.norm == "squared":
                distances = distances.square()
            distances[torch.arange(len(heads)), heads] = torch.inf
            for row, query in enumerate(zip(heads.tolist(), relations.tolist(), strict=True)):
                distances[row, excluded_tails.get(query, [])] = torch.inf
            nearest_tails = distances.topk(min(n, len(self.entities) - 1), largest=False)
        return [
            [Tail(self.entities[number], distance) for number, distance in zip(*row, strict=True) if distance < np.inf]
            for row in zip(nearest_tails.indices.tolist(), nearest_tails.values.tolist(), strict=True)
        ]

    def _ids_of(
        self, first: Any, first_kind: str, second: Any, second_kind: str, call: str
    ) -> tuple[torch.Tensor, torch.Tensor]:
        names, second_names = texts_of(first, call), texts_of(second, call)
        if isinstance(first, str) != isinstance(second, str) or len(names) != len(second_names):
            raise InputError(
                f'{call} takes two names or two lists of one length: {call}("{first_kind}", "{second_kind}") or '
                f'{call}(["{first_kind}", ...], ["{second_kind}", ...]); found {len(names)} and {len(second_names)} '
                "names"
            )
        ids = [self._id(name, first_kind) for name in names]
        second_ids = [self._id(name, second_kind) for name in second_names]
        return torch.tensor(ids, dtype=torch.int64), torch.tensor(second_ids, dtype=torch.int64)

    def _name(self, text: str, kind: str) -> str:
        """A name as the graph has it: a text as it stands, or without the marks that readers of graphs leave out."""
        name = without_marks(text)
        spellings = (text.strip(), name, without_brackets(name) if kind == "attribute" else name)
        return next((spelling for spelling in spellings if spelling in self._ids[kind]), text.strip())

    def _id(self, name: str, kind: str) -> int:
        ids, name = self._ids[kind], self._name(name, kind)
        if not ids:
            raise InputError(f"the graph has no {kind}s")
        if name not in ids:
            likely = _like(name, list(ids)[:MAX_SEARCHED])
            hint = f"did you mean {likely!r}?" if likely else f"it has {len(ids):,}, such as {next(iter(ids))!r}"
            raise InputError(f"the graph has no {kind} {shown(name)}; {hint}")
        return ids[name]


def _like(name: str, candidates: Sequence[str]) -> str | None:
    """The candidate that is spelled most like a name, else the shortest that contains it: "city:2988507 Paris"."""
    close = difflib.get_close_matches(name, candidates, n=1)
    if close:
        return close[0]
    part = name.strip().casefold()
    return min((text for text in candidates if part and part in text.casefold()), key=len, default=None)


def load(description: Description) -> GraphModel:
    """The model of one variant and graph.

    Raises:
        InputError: the folder is of another kind, or its names and tables do not belong together.
    """
    raw_input = description.raw_input
    if description.kind != KIND:
        raise InputError(f"{description.folder}: expected {KIND}, found a model of kind {shown(description.kind)}")
    model = pretrained(TransEA, description.folder)
    names = [raw_input.get(key) for key in ("entities", "relations", "attributes")]
    sizes = (len(model.entities), len(model.relations), len(model.biases))
    if not all(isinstance(part, list) and len(part) == size for part, size in zip(names, sizes, strict=True)):
        raise InputError(f"{description.folder}: its names are not those of its vectors; copy the folder again")
    scales = {name: Scale(**scale) for name, scale in raw_input.get("scales", {}).items()}
    entities, relations, attributes = (list(part or ()) for part in names)
    return GraphModel(model, entities, relations, attributes, scales)
