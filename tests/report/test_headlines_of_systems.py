"""Every system's headline is a claim that is judged under the default profile and under the real one."""

from pathlib import Path

import pytest

from repline.evaluation.claims import headlines, judgement, published

STAGES = Path(__file__).parents[2] / "stages"
SYSTEMS = sorted(path.parent.name for path in STAGES.glob("*/published.yaml"))


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_headline_compares_and_is_judged_under_both_profiles(system):
    headline = published.read(STAGES / system / "published.yaml").system.headline
    assert headline.comparator, "a headline names what it is compared with"
    claims = {claim.id: claim for claim in judgement.read(STAGES / system / "claims.yaml")}
    by_profile = headlines.claim_ids(headline)
    assert set(by_profile) <= set(judgement.SCALES) and "small" in by_profile
    for profile in ("small", "real"):
        claim = claims[by_profile.get(profile, by_profile["small"])]
        rank = judgement.SCALES.index
        assert rank(claim.scale) <= rank(profile), f"{claim.id} is not judged under {profile}"
        assert claim.up_to is None or rank(claim.up_to) >= rank(profile), f"{claim.id} does not speak of {profile}"
        assert claim.needs is None, f"{claim.id} needs data that small, real and paper lack"
