"""What holds of the records of every paper."""

from pathlib import Path

import pytest

import stages
from repline.evaluation.claims import judgement, published

FOLDERS = sorted(path.parent for path in Path(stages.__file__).parent.glob("*/published.yaml"))


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_every_statement_names_claims(folder):
    claim_ids = {claim.id for claim in judgement.read(folder / "claims.yaml")}
    statements = published.read(folder / "published.yaml").statements
    unknown = {claim for statement in statements for claim in statement.claims} - claim_ids
    assert claim_ids and not unknown
