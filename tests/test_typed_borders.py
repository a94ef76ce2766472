"""Signatures that say nothing of what a mapping holds: those left are named here, each group with its reason.

A public function, method or field of repline says what it takes and gives: a model, a dataclass, a TypedDict, or a
mapping whose values are `object` where they are only handed on. `dict[str, Any]` turns mypy off for all who use it.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.AnnAssign
UNTYPED = re.compile(r"\b(?:dict|Dict|Mapping|MutableMapping)\[str, Any\]")
LEFT = {
    "rows with the columns that a system answers with, for the command line": """
        repline.cli.records: write_json_lines write_table
    """,
    "sections of YAML files before they are checked": """
        repline.corpora.parallel.recipes: BitextCorpus.segmentation
        repline.corpora.recipes: Segmentation.segmentation
        repline.parameters: shared_values read section merge
        repline.reading: Reading.reading recipe_values
        repline.sources.catalogue: Place.arguments
    """,
    "arguments that are passed on with **, and tables of classes by name": """
        repline.corpora.entities.entity_rules: patterns
        repline.corpora.pictures.efficientnet_lite: convert
        repline.evaluation.classification.peer_networks: PEERS
        repline.evaluation.classification.recipes: Network.arguments
        repline.systems.hrrlm.training: MODELS
        repline.systems.lmtgru.settings: CNNLMTGRU.arguments
        repline.systems.visual_characters.tagging.tagger_training: encoder_arguments
    """,
    "JSON documents of any form: cards, inputs of saved models, code digests, checkpoints of Lightning": """
        repline.cards: Card.parameters Card.templates of_document
        repline.code_digests.module_definitions: Module.from_json
        repline.corpora.wikipedia.extraction: extract
        repline.croissant: describe
        repline.evaluation.claims.yaml_records: Record.as_json
        repline.systems.lstm_memorization.corpus: build
        repline.systems.morph2vec.export: export
        repline.training.inside_epochs: go_on
        repline.training.objective: Objective.on_save_checkpoint Objective.on_load_checkpoint
        repline.training.objective: WholeCheckpoints.save_checkpoint
        repline.training.run: run
        repline.use.folders: Description.raw_input describe
    """,
    "records of results and figures, as templates of the report show them": """
        repline.report.chart_data: slim table
        repline.report.charts: accuracy_curves
        repline.report.content: describe describe_system
        repline.report.figures: Figure.figure
        repline.report.model_card: card
        repline.report.page: kind counted measuring decimals machine grid
        repline.report.quoted_numbers: fill sources quoted
        repline.report.reference: row_of
        repline.report.result_records: SystemReport.paper SystemReport.headline SystemReport.tables
        repline.report.result_records: SystemReport.statements SystemReport.claims SystemReport.figures
        repline.report.result_records: SystemReport.parameters Report.word_vectors Report.sentence_encoders
    """,
    "rows of tables and of annotated text, whose columns the file has": """
        repline.conllu: read has_heads
        repline.corpora.scenes.scene_statistics: scene_statistics
        repline.corpora.scenes.stated_triplets: extraction_scores
        repline.corpora.wikipedia.wikitext.template_formats: formatted
        repline.corpora.wikipedia.wikitext.templates: TemplateCounts.summary templates_line
        repline.systems.visual_characters.corpus: gloss_tables pair_tables text_of write_tables
        repline.systems.visual_characters.tagging.tagger_training: label_names
        repline.systems.visual_characters.translation.translator_training: pair_tensors
        repline.systems.visual_characters.word_similarity: score_similarity
    """,
    "metrics: nested to any depth, and read by name": """
        repline.evaluation.claims.formulas: evaluate
        repline.evaluation.claims.headlines: measure
        repline.evaluation.claims.judgement: check
        repline.evaluation.claims.published: compare
        repline.evaluation.entity_rule_gains: entity_rule_gains
        repline.evaluation.entity_spans: entity_scores f1_gain
        repline.evaluation.evaluations: Evaluation.details
        repline.evaluation.replication.bootstrap: bootstrap side_by_side merge_replicates
        repline.evaluation.replication.replicate_files: overlay
        repline.evaluation.replication.weighted_draws: as_parts
        repline.evaluation.sentences.protocol: measure
        repline.evaluation.sentences.sentence_encoders: read_encoder
        repline.evaluation.sentences.sentence_table: table as_text without_resamples
        repline.evaluation.word_vectors.suite: PLAIN evaluate_sources
        repline.evaluation.word_vectors.suite_table: table tables_by_language as_text
        repline.evaluation.word_vectors.synonyms: synonyms
        repline.graphs.rank_measures: means
        repline.systems.cjc.evaluation: resampled
        repline.systems.concreteness.coefficients: coefficient_mass
        repline.systems.context_parser.gap_measures: Measured.of
        repline.systems.extrofitting.evaluation: similarities neighbours
        repline.systems.hrrlm.chunk_space: cluster_table
        repline.systems.hrrlm.evaluation: penn_treebank
        repline.systems.image_lexicon.evaluation: mean_over
        repline.systems.lexical_contrast.space_scores: RULES similarity_of opposites_of contrast_of
        repline.systems.lstm_memorization.counting: measure_counting
        repline.systems.lstm_memorization.evaluation: counting_of_runs
        repline.systems.lstm_memorization.learning_curves: read_records landmarks
        repline.systems.morph2vec.allomorph_neighbours: allomorph_test
        repline.systems.morph2vec.gold_segments: cut_quality
        repline.systems.morph2vec.word_tests: similarity_test analogy_test
        repline.systems.srl_seq2seq.evaluation: Measured.values over_runs
        repline.systems.supervised_unsupervised.evaluation: transfers
        repline.systems.tpgn.evaluation: Examined.measured evaluate_run written
        repline.systems.transea.evaluation: training_metrics link_prediction
        repline.systems.wordnet_embeddings.evaluation: compared
    """,
}
ANSWERS = "answers"  # of every class that `repline.load` gives, see `repline.use.inputs.Usable`


def names_left() -> set[str]:
    return {
        f"{module}.{name}"
        for group in LEFT.values()
        for module, names in re.findall(r"([\w.]+): (.*)", group)
        for name in names.split()
    }


def untyped(tree: ast.Module) -> Iterator[str]:
    """Public functions, methods and fields whose annotation has a mapping of Any."""
    for node, prefix in public(tree.body):
        if isinstance(node, ast.AnnAssign):
            name, annotations = ast.unparse(node.target), [node.annotation]
        else:
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            optional = [node.returns, *(argument.annotation for argument in arguments)]
            name, annotations = node.name, [annotation for annotation in optional if annotation is not None]
        if any(UNTYPED.search(ast.unparse(annotation)) for annotation in annotations):
            yield prefix + name


def public(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[Definition, str]]:
    for node in body:
        name = ast.unparse(node.target) if isinstance(node, ast.AnnAssign) else getattr(node, "name", "_")
        if name.startswith("_"):
            continue
        if isinstance(node, ast.ClassDef):
            yield from public(node.body, f"{prefix}{name}.")
        elif isinstance(node, Definition):
            yield node, prefix


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def read(path: str) -> dict[str, Any]: ...", ["read"]),
        ("def write(*, rows: Sequence[Mapping[str, Any]]) -> None: ...", ["write"]),
        (
            "class Row:\n    values: dict[str, Any]\n    def fill(self, x: dict[str, Any]): ...",
            ["Row.values", "Row.fill"],
        ),
        ("def _inner(values: dict[str, Any]): ...\nclass _Row:\n    values: dict[str, Any]", []),
        ("def read(path: str) -> dict[str, object]:\n    values: dict[str, Any] = {}", []),
    ],
)
def test_untyped_signatures_are_seen(source, names):
    assert list(untyped(ast.parse(source))) == names


def test_public_signatures_say_what_a_mapping_holds():
    left, untyped_names = names_left(), set()
    for path in sorted((ROOT / "repline").rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        names = untyped(ast.parse(path.read_text(encoding="utf-8")))
        untyped_names |= {f"{module}.{name}" for name in names if name.rpartition(".")[2] != ANSWERS}
    assert sorted(untyped_names - left) == [], "say what these mappings hold: a TypedDict, a dataclass, typed values"
