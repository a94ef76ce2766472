"""The records that the report, the reference results and the generated pages share, as JSON holds them."""

from typing import NamedTuple, NotRequired, TypedDict

from repline.cards import Card
from repline.evaluation.claims.judgement import Decision, Scale
from repline.evaluation.claims.published import Direction
from repline.evaluation.claims.row_groups import Reach
from repline.evaluation.sentences.sentence_records import SentenceTable
from repline.evaluation.word_vectors.suite_records import SuiteTable
from repline.parameters import Json, Values
from repline.report.figures import Chart


class Machine(TypedDict):
    """The machine of a run, as a run record describes it."""

    cores: int
    platform: str
    python: str


class RunRecord(TypedDict):
    """One run of a stage: `started` in seconds since 1970, `ended` as "2026-11-21 19:44 UTC"."""

    stage: str
    started: float
    seconds: float
    core_seconds: float
    peak_bytes: int
    threads: int
    machine: Machine
    ended: str


class MeasuredHeadline(TypedDict):
    """The headline of a system in the reference results, see `repline.evaluation.claims.headlines.Headline`."""

    label: str
    value: float | None
    shown: str
    interval: list[float] | None
    replicates: int
    shown_interval: NotRequired[list[str]]
    shown_sides: NotRequired[str]
    comparator: NotRequired[str]
    claim: NotRequired[str]
    verdict: NotRequired[Decision]
    reason: NotRequired[str]


class PaperRecord(TypedDict):
    """Where a system was published: `repline.evaluation.claims.published.Paper` as JSON."""

    title: str
    authors: str
    venue: str
    year: int | str
    url: str


class TableRow(TypedDict):
    """A published number next to the measured one: `repline.evaluation.claims.published.ComparedRow` as JSON."""

    dataset: str
    variant: str
    item: str
    value: float
    column: NotRequired[str]
    bound: bool
    reach: NotRequired[Reach]
    needs: NotRequired[str]
    measured: float | None
    difference: float | None
    interval: list[float] | None
    replicates: int
    n: NotRequired[float]
    related: NotRequired[float]
    related_data: NotRequired[str]


class PaperTable(TypedDict):
    """A table of a paper: `repline.evaluation.claims.published.Table` as JSON, with the numbers measured here."""

    id: str
    caption: str
    metric: str
    better: Direction
    rows: list[TableRow]
    note: NotRequired[str]


class PaperStatement(TypedDict):
    """A statement of a paper: `repline.evaluation.claims.published.Statement` as JSON."""

    where: str | int
    text: str
    claims: list[str]


class JudgedClaim(TypedDict):
    """A claim with its verdict: `repline.evaluation.claims.judgement.Verdict` as JSON."""

    id: str
    text: str
    scale: Scale
    verdict: Decision
    measured: float | None
    expected: str
    margin: float | None
    interval: list[float] | None
    measured_interval: list[float] | None
    replicates: int
    exact: bool
    expressions: dict[str, str] | None
    needs: NotRequired[str]
    reason: NotRequired[str]


class ReportFigure(TypedDict):
    """A chart with its words: `repline.report.figures.Figure` as JSON."""

    id: str
    title: str
    caption: str
    figure: Chart


class SegmenterTable(TypedDict):
    """The scores of every segmenter, a row each."""

    rows: list[dict[str, Json]]


class SystemReport(TypedDict):
    """One system in report.json, see `repline.report.content.describe_system`."""

    name: str
    title: str
    summary: str
    paper: PaperRecord
    headline: MeasuredHeadline
    verdicts: dict[Decision, int]
    evaluated: bool
    tables: list[PaperTable]
    statements: list[PaperStatement]
    claims: list[JudgedClaim]
    figures: list[ReportFigure]
    corpora: list[str]
    parameters: Values
    files: list[dict[str, str]]


class CorpusCard(TypedDict):
    """A corpus by name, with its card; None where the corpus was not built."""

    name: str
    card: Card | None


class Report(TypedDict):
    """The whole of report.json, see `repline.report.content.describe`."""

    repline: str
    profile: str
    verdicts: dict[Decision, int]
    systems: list[SystemReport]
    corpora: list[CorpusCard]
    segmentation: SegmenterTable | None
    word_vectors: SuiteTable | None
    sentence_encoders: SentenceTable | None


class MeasuredClaim(TypedDict):
    """A claim in the reference results; what is not there was empty in its `Verdict`.

    `asked` holds the expressions of the claim as it was judged.
    """

    measured: float | None
    verdict: Decision
    scale: Scale
    expected: str
    margin: NotRequired[float]
    interval: NotRequired[list[float]]
    measured_interval: NotRequired[list[float]]
    replicates: NotRequired[int]
    exact: NotRequired[bool]
    needs: NotRequired[str]
    reason: NotRequired[str]
    asked: NotRequired[str]


class MeasuredRow(TypedDict):
    """A row of a published table with what was measured; `row` is its key, see `repline.report.reference.row_of`."""

    table: NotRequired[str]
    row: list[str]
    published: float
    measured: float | None
    interval: list[float] | None
    replicates: int


class SystemResults(TypedDict):
    """One system in the reference results.

    `quoted` holds the metrics that the prose of its page quotes, by their address; `parameters` a digest of each
    parameter that the system was measured with, see `stages.reference_results`.
    """

    machine: str
    date: str
    headline: MeasuredHeadline
    claims: dict[str, MeasuredClaim]
    numbers: list[MeasuredRow]
    core_seconds: NotRequired[float]
    quoted: NotRequired[dict[str, float]]
    parameters: NotRequired[dict[str, str]]


class StageCost(TypedDict):
    """What one run of a stage took."""

    seconds: float
    core_seconds: float
    peak_bytes: int
    threads: int


class ReferenceResults(TypedDict):
    """What a profile measured, as `results/<profile>.json` holds it.

    `exact` has the outputs of stages whose outputs are exact, with their md5.
    """

    profile: str
    systems: dict[str, SystemResults]
    stages: dict[str, StageCost]
    exact: dict[str, dict[str, str]]


class Standing(TypedDict):
    """The results of one system under one profile.

    `of_page`: it is the profile of the page; `here`: it was measured on this machine and is not the reference;
    `changed`: the parameters that have changed since the reference was measured; of a run here, those that are not as
    in the reference results.
    """

    profile: str
    of_page: bool
    here: bool
    changed: list[str]
    machine: str
    date: str
    headline: MeasuredHeadline
    claims: dict[str, MeasuredClaim]
    numbers: dict[tuple[str, ...], MeasuredRow]
    cost: float | None


class ProfileRun(NamedTuple):
    """The report of a profile that was run on this machine, and its run records."""

    report: Report
    runs: list[RunRecord]
