"""What holds of the records of every paper."""

from pathlib import Path

import pytest

import stages
from repline.evaluation.claims import judgement, published
from repline.report import content, reference
from repline.report.ledger import published_cells

FOLDERS = sorted(path.parent for path in Path(stages.__file__).parent.glob("*/published.yaml"))
REFERENCES = reference.read(Path(stages.__file__).parents[1] / "results")


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_every_statement_names_claims(folder):
    claim_ids = {claim.id for claim in judgement.read(folder / "claims.yaml")}
    statements = published.read(folder / "published.yaml").statements
    unknown = {claim for statement in statements for claim in statement.claims} - claim_ids
    assert claim_ids and not unknown


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_a_number_is_measured_or_a_reason_says_why_not(folder):
    paper = published.read(folder / "published.yaml")
    cells = published_cells.cells(content.tables(paper, {}), published_cells.of_references(REFERENCES, folder.name))
    measured = {(cell.table, cell.label) for cell in cells if cell.reach == "measured"}
    assert [(cell.table, cell.label) for cell in cells if cell.reach is None] == []
    assert all(cell.needs for cell in cells if cell.reach != "measured")
    explained = [
        (table.id, cell.label)
        for table in paper.tables
        for row, cell in zip(table.rows, [cell for cell in cells if cell.table == table.id], strict=True)
        if any(group.explains(row.keys(table.id), row.measured is not None) for group in paper.unmeasured)
    ]
    assert measured.isdisjoint(explained)
