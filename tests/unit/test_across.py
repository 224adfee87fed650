"""Families across priors: the numbers are those of the family at each prior."""

import numpy as np
import pytest

import rankscape as rs
from rankscape._tradeoff.segments import coordinate
from rankscape.distributions import CloseToOracle, FixedPriors, across_priors


@pytest.mark.parametrize("family", [FixedPriors, CloseToOracle])
def test_a_family_across_priors_has_the_numbers_of_each(family: type) -> None:
    found = across_priors(family, [0.1, 0.381, 0.9], variance_at=(0.1, 0.9))
    assert found.tau_f1.tolist() == [list(family(prior).tau(1)) for prior in found.priors]
    sivf = [list(family(prior).tau(family(prior).sivf_beta)) for prior in found.priors]
    assert found.tau_sivf.tolist() == sivf
    assert np.allclose(found.optimal_b, [coordinate(family(prior).optimal_beta()) for prior in found.priors])
    tau = np.array(family(0.9).tau(1.0))
    assert found.variance[0.9][100] == pytest.approx((((1 - tau) / 2) ** 2).sum())
    assert len(found.table()) == 3


def test_a_family_without_a_prior_and_no_prior_are_refused() -> None:
    for family in (rs.distributions.FixedTrueNegatives, rs.distributions.Uniform):
        with pytest.raises(rs.UsageError, match="holds performances of all priors: choose a family with a prior"):
            across_priors(family)
    with pytest.raises(rs.UsageError, match="prior"):
        across_priors(FixedPriors, [0.0])
