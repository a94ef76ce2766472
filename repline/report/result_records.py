"""The records that the report, the reference results and the generated pages share, as JSON holds them."""

from typing import Any, NamedTuple, NotRequired, TypedDict

from repline.cards import Card
from repline.evaluation.claims.judgement import Decision, Scale


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


class SystemReport(TypedDict):
    """One system in report.json, see `repline.report.content.describe_system`.

    The inner mappings are JSON of the models that check them: `Paper`, `Headline`, `Table` with its `ComparedRow`,
    `Statement`, `Verdict` and `Figure`.
    """

    name: str
    title: str
    summary: str
    paper: dict[str, Any]
    headline: dict[str, Any]
    verdicts: dict[Decision, int]
    evaluated: bool
    tables: list[dict[str, Any]]
    statements: list[dict[str, Any]]
    claims: list[dict[str, Any]]
    figures: list[dict[str, Any]]
    corpora: list[str]
    parameters: dict[str, Any]
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
    segmentation: Any
    word_vectors: dict[str, Any] | None
    sentence_encoders: dict[str, Any] | None


class MeasuredClaim(TypedDict):
    """A claim in the reference results; what is not there was empty in its `Verdict`."""

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


class MeasuredRow(TypedDict):
    """A row of a published table with what was measured; `row` is its key, see `repline.report.reference.row_of`."""

    table: NotRequired[str]
    row: list[str]
    published: float
    measured: float | None
    interval: list[float] | None
    replicates: int


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


class SystemResults(TypedDict):
    """One system in the reference results.

    `quoted` holds the metrics that the prose of its page quotes, by their address.
    """

    machine: str
    date: str
    headline: MeasuredHeadline
    claims: dict[str, MeasuredClaim]
    numbers: list[MeasuredRow]
    core_seconds: NotRequired[float]
    quoted: NotRequired[dict[str, float]]


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

    `of_page`: it is the profile of the page; `here`: it was measured on this machine and is not the reference.
    """

    profile: str
    of_page: bool
    here: bool
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
