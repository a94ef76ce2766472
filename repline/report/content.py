"""The data of the report: everything the page shows except times, the same bytes for the same inputs."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from repline.cards import Card, of_document
from repline.errors import InputError, in_one_line, shown
from repline.evaluation.claims import headlines, judgement, published
from repline.evaluation.claims.judgement import VERDICTS, Claim, Verdict
from repline.evaluation.claims.published import ComparedRow, Published, Table
from repline.evaluation.claims.replicates import Replicates
from repline.evaluation.claims.yaml_records import parse_record, require_keys
from repline.evaluation.nested_measures import Measures
from repline.evaluation.replication import replicate_files
from repline.evaluation.sentences.sentence_records import SentenceTable
from repline.evaluation.word_vectors.suite_records import SuiteTable
from repline.parameters import Values
from repline.report.figures import Figure
from repline.report.result_records import (
    CorpusCard,
    JudgedClaim,
    MeasuredHeadline,
    PaperRecord,
    PaperStatement,
    PaperTable,
    Report,
    ReportFigure,
    SystemReport,
)
from repline.version import VERSION


def describe(
    systems: Sequence[str], parameters: Values, stages: str | Path = "stages", data: str | Path = "data"
) -> Report:
    """Gather the report's data.

    Args:
        systems: names, in the order of the page: `stages/<name>/published.yaml` and `claims.yaml` must be there;
            `data/evaluation/<name>/` may be missing or incomplete, its claims are then "not run".
        parameters: the whole of params.yaml.
        stages, data: the folders.

    Returns:
        {"repline", "profile", "verdicts" (counts of all claims), "systems" (see `describe_system`), "corpora" (the
        cards of the corpora that the systems name), "segmentation" (how well words are found),
        "word_vectors" (all vectors x all tests) and "sentence_encoders" (all encoders x all tasks), tables that are
        None while there are none}, which JSON can hold.

    Raises:
        InputError: a record that is malformed, or no system.
    """
    if not systems:
        raise InputError(f"{stages}: no system has a published.yaml, so there is nothing to report")
    described = [describe_system(name, parameters, stages, data) for name in systems]
    corpora = sorted({corpus for system in described for corpus in system["corpora"]})
    cards: list[CorpusCard] = [
        {"name": name, "card": _read_card(Path(data) / "corpora" / name / "card.json")} for name in corpora
    ]
    return {
        "repline": VERSION,
        "profile": parameters["profile"],
        "verdicts": {verdict: sum(system["verdicts"][verdict] for system in described) for verdict in VERDICTS},
        "systems": described,
        "corpora": cards,
        "segmentation": _read_json(Path(data) / "evaluation" / "segmentation" / "table.json"),
        "word_vectors": _word_vectors(Path(data) / "evaluation" / "word_vector_suite" / "table.json"),
        "sentence_encoders": _sentence_encoders(Path(data) / "evaluation" / "sentence_suite" / "table.json"),
    }


def describe_system(
    name: str, parameters: Values, stages: str | Path = "stages", data: str | Path = "data"
) -> SystemReport:
    """One system's part of the report.

    Returns:
        {"name", "title", "summary", "paper", "headline", "verdicts" (counts), "evaluated" (whether metrics.json is
        there), "tables" (with measured numbers), "statements", "claims", "figures", "corpora", "parameters" (section
        -> values), "files" (the inputs with their sha256)}. See `describe` for arguments and errors.
    """
    folder, evaluation = Path(stages) / name, Path(data) / "evaluation" / name
    files = [folder / "published.yaml", folder / "claims.yaml"]
    paper = published.read(files[0])
    stated = judgement.read(files[1])
    _check_links(paper, stated, files[0])
    metrics = _read_json(evaluation / "metrics.json")
    if metrics is not None and not isinstance(metrics, dict):
        raise InputError(f"{evaluation / 'metrics.json'}: expected a mapping, found {type(metrics).__name__}")
    repeated = Replicates(metrics or {}, replicate_files.read(evaluation / "replicates.parquet"))
    judged = _judged(stated, _read_json(evaluation / "claims.json"), evaluation, parameters)
    figures = _figures(_read_json(evaluation / "figures.json"), evaluation / "figures.json")
    files += [path for path in (evaluation / "metrics.json", evaluation / "claims.json") if path.exists()]
    system = paper.system
    headline = headlines.measure(system.headline, judged, metrics or {}, str(parameters["profile"]), str(files[0]))
    return {
        "name": name,
        "title": system.title,
        "summary": system.summary,
        "paper": cast(PaperRecord, paper.paper.as_json()),
        "headline": cast(MeasuredHeadline, headline.as_json()),
        "verdicts": {verdict: sum(claim.verdict == verdict for claim in judged) for verdict in VERDICTS},
        "evaluated": metrics is not None,
        "tables": tables(paper, metrics or {}, str(files[0]), repeated),
        "statements": [cast(PaperStatement, statement.as_json()) for statement in paper.statements],
        "claims": [cast(JudgedClaim, verdict.as_json()) for verdict in judged],
        "figures": [cast(ReportFigure, figure.as_json()) for figure in figures],
        "corpora": system.corpora,
        "parameters": {section: parameters[section] for section in system.parameters if section in parameters},
        "files": [{"path": _inside(path, stages, data), "sha256": _sha256(path)} for path in files],
    }


def tables(
    paper: Published,
    metrics: Measures,
    where: str = "published",
    replicates: Replicates | None = None,
) -> list[PaperTable]:
    """The tables of a paper with what was measured; the arguments are those of `published.compare`."""
    groups = paper.unmeasured
    return [_table(table, published.compare(table, metrics, where, replicates, groups)) for table in paper.tables]


def _table(table: Table, rows: Sequence[ComparedRow]) -> PaperTable:
    return cast(PaperTable, table.as_json() | {"rows": [row.as_json() for row in rows]})


def _judged(stated: Sequence[Claim], judged: Any, evaluation: Path, parameters: Values) -> list[Verdict]:
    """The verdicts of claims.json in the order of claims.yaml; a claim without one is "not run" and says why."""
    path = evaluation / "claims.json"
    verdicts = {
        verdict.id: verdict for verdict in judgement.parse_verdicts([] if judged is None else judged, str(path))
    }
    reason = "not evaluated yet" if judged is None else "claims.json is older than this claim; evaluate again"
    profile = str(parameters.get("profile"))
    rows = []
    for unmeasured in judgement.check(stated, {}, profile):
        in_reach = judgement.PROFILES.index(profile) >= judgement.PROFILES.index(unmeasured.scale)
        absent = unmeasured.model_copy(update={"reason": reason}) if in_reach else unmeasured
        rows.append(verdicts.pop(unmeasured.id, absent))
    return rows + list(verdicts.values())


def _figures(figures: Any, path: Path) -> list[Figure]:
    if figures is None:
        return []
    if not isinstance(figures, list):
        raise InputError(f"{path}: expected a list of figures, found {type(figures).__name__}")
    checked = [parse_record(Figure, figure, f"{path}: figure {number}") for number, figure in enumerate(figures, 1)]
    for figure in checked:
        require_keys(figure.figure, f"{path}: figure {figure.id!r}", ("data", "layout"), ("frames",))
        figure.figure["layout"].pop("template", None)  # plotly's own colours, seven kilobytes in every figure
    return checked


def _word_vectors(path: Path) -> SuiteTable | None:
    table = _read_json(path)
    if table is None:
        return None
    require_keys(table, str(path), ("columns", "rows"), ("languages",))
    for part in (table, *table.get("languages", {}).values()):
        columns, rows = ("test", "task", "measure", "items"), ("vectors", "words", "dimensions", "cells")
        _check_table(part, path, columns, rows)
    return table


def _sentence_encoders(path: Path) -> SentenceTable | None:
    table = _read_json(path)
    if table is None:
        return None
    require_keys(table, str(path), ("columns", "rows"))
    columns, rows = ("task", "kind", "measure", "items"), ("encoder", "untrained", "dimensions", "cells")
    _check_table(table, path, columns, rows)
    return table


def _check_table(table: Any, path: Path, columns: Sequence[str], rows: Sequence[str]) -> None:
    for number, column in enumerate(table["columns"], 1):
        require_keys(column, f"{path}: column {number}", columns)
    for number, row in enumerate(table["rows"], 1):
        require_keys(row, f"{path}: row {number}", rows)
        if len(row["cells"]) != len(table["columns"]):
            raise InputError(
                f"{path}: row {number}: expected a cell for each of {len(table['columns'])} columns, found "
                f"{len(row['cells'])}"
            )


def _check_links(paper: Published, stated: Sequence[Claim], path: Path) -> None:
    identifiers = {claim.id for claim in stated}
    for statement in paper.statements:
        for name in statement.claims:
            if name not in identifiers:
                raise InputError(
                    f"{path}: a statement of {statement.where} names claim {shown(name)}, which is not there"
                )
    for name in headlines.claim_ids(paper.system.headline).values():
        if name not in identifiers:
            raise InputError(f"{path}: the headline names claim {shown(name)}, which is not there")


def _read_card(path: Path) -> Card | None:
    document = _read_json(path)
    return None if document is None else of_document(document)


def _read_json(path: Path) -> Any:
    """The content of a JSON file, or None if there is none; InputError if it is broken."""
    try:
        return json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError as error:
        raise InputError(
            f"{path}: expected JSON without NaN or infinity ({in_one_line(error)}); delete it and run again"
        ) from None


def _refuse(constant: str) -> None:
    raise ValueError(f"found {constant}")


def _sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _inside(path: Path, stages: str | Path, data: str | Path) -> str:
    """`path` as a checkout has it, wherever the two folders are on this machine."""
    for root, name in ((stages, "stages"), (data, "data")):
        if path.is_relative_to(root):
            return (Path(name) / path.relative_to(root)).as_posix()
    return path.name
