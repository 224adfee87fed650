"""The script that regenerates the figures and tables of the Tile paper, and facts that its figures show."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")

import matplotlib.pyplot as plt

import rankscape as rs

SCRIPT = "tile"
MISPRINTED = "4.2: b of the importance (1, 2, 3, 4)"
FEW = 400


@pytest.fixture(autouse=True)
def no_figure_is_left() -> Iterator[None]:
    yield
    plt.close("all")


def differing(checks: Any) -> list[str]:
    return [f"{one.what}: {one.printed}, {one.ours}" for one in checks if one.status not in ("exact", "printed")]


# ---- the checks themselves can fail


def test_a_check_is_exact_printed_or_differs(script: ModuleType) -> None:
    status = {
        "exact": script.check("", "0.56", Fraction(14, 25)),
        "printed": script.check("", "0.56", 0.5649),
        "differs (why)": script.check("", "0.56", 0.5651, reason="why"),
    }
    assert [one.status for one in status.values()] == list(status)
    assert script.check("", "0", 2e-12, within=1e-12).status.startswith("differs")
    assert script.check("", "yes", "no").status.startswith("differs")


def test_an_order_that_is_not_moved_rightly_is_found(script: ModuleType) -> None:
    P = rs.Performances.from_counts(np.random.default_rng(0).integers(1, 9, (12, 4)))
    swapped = P.swap_classes()
    assert script._same_order(P, (0.25, 0.875), swapped, (0.75, 0.125))
    assert not script._same_order(P, (0.25, 0.875), swapped, (0.25, 0.875))
    assert not script._same_order(P, (0.25, 0.875), swapped, (0.75, 0.125), True)


# ---- tables and figures


@pytest.mark.nightly
def test_tables_and_cheap_figures(script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["table1", "table2", "fig2", "fig3", "fig5", "fig6", "fig8", "fig9"]
    checks = script.main(["--output", str(tmp_path), "--only", *asked])
    assert [one.what for one in checks if one.what == MISPRINTED or one.status.startswith("differs")] == [MISPRINTED]
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{name}.png" for name in asked[2:]]
    printed = capsys.readouterr().out
    assert "orders agree on" in printed
    assert '"Table 2: PPV, location","(1, 0)","(1, 0)",exact' in printed
    counts = {item: sum(item in one.what for one in checks) for item in ("Table 1", "Table 2", "Figure 5", "Figure 9")}
    assert counts == {"Table 1": 5, "Table 2": 27, "Figure 5": 60, "Figure 9": 9}


def test_figure_1_as_pdf(script: ModuleType, tmp_path: Path) -> None:
    checks = script.main(["--output", str(tmp_path), "--only", "fig1", "--format", "pdf"])
    assert (tmp_path / "fig1.pdf").read_bytes().startswith(b"%PDF")
    assert not differing(checks)


def test_correlation_figures_with_few_draws(script: ModuleType) -> None:
    _, checks = script.fig4(draws=FEW, resolution=5)
    assert not differing(one for one in checks if "A.6.3" not in one.what)
    _, checks = script.fig7(draws=FEW, fine=1)
    assert not differing(checks)


# ---- facts


def areas_by_fractions(performances: rs.Performances, columns: int) -> dict[str, float]:
    """Return who is first on which share: in rational columns, the exact intervals of b; the midpoint rule along a."""
    rows = [[Fraction(int(x), int(sum(row))) for x in row] for row in performances.integers]
    total = dict.fromkeys(performances.names, Fraction(0))
    for k in range(columns):
        a = Fraction(2 * k + 1, 2 * columns)

        def odds(row: list[Fraction], b: Fraction, a: Fraction = a) -> Fraction:  # (1 − R)/R: the smaller the better
            tn, fp, fn, tp = row
            return ((1 - b) * fp + b * fn) / ((1 - a) * tn + a * tp)

        cuts = {Fraction(0), Fraction(1)}
        for one, two in combinations(rows, 2):  # odds are linear in b
            at0, at1 = (odds(one, Fraction(b)) - odds(two, Fraction(b)) for b in (0, 1))
            if at0 != at1 and 0 < at0 / (at0 - at1) < 1:
                cuts.add(at0 / (at0 - at1))
        ordered = sorted(cuts)
        for low, high in pairwise(ordered):
            best = min(range(len(rows)), key=lambda i: odds(rows[i], (low + high) / 2))
            total[performances.names[best]] += (high - low) / columns
    return {name: float(share) for name, share in total.items()}


@pytest.mark.parametrize("prior", [0.2, 0.5, 0.8])
def test_areas_of_figure_5_twice(prior: float) -> None:  # Tile, Fig. 5
    performances = rs.datasets.toy(prior)
    exact = rs.regions.first(performances).areas
    assert exact == pytest.approx(areas_by_fractions(performances, 200), abs=2e-5)
    assert sum(exact.values()) == pytest.approx(1, abs=1e-12)


def test_areas_of_figure_5() -> None:  # Tile, Fig. 5: not printed there
    areas = {prior: rs.regions.first(rs.datasets.toy(prior)).areas for prior in (0.2, 0.5, 0.8)}
    assert areas[0.5] == pytest.approx({"P₋": 3 / 14, "P₁": 11 / 21, "P₂": 13 / 210, "P₊": 1 / 5}, abs=1e-12)
    assert {name: round(share, 3) for name, share in areas[0.2].items()} == {
        "P₋": 0.613, "P₁": 0.335, "P₊": 0.034, "P₂": 0.018,
    }  # fmt: skip
    assert {name: round(share, 3) for name, share in areas[0.8].items()} == {
        "P₊": 0.592, "P₁": 0.296, "P₂": 0.075, "P₋": 0.037,
    }  # fmt: skip


def test_colors_of_figure_5_are_those_of_the_performances(script: ModuleType) -> None:
    figure, _ = script.fig5()
    colors: dict[str, set[Any]] = {}
    for ax in figure.axes:
        for patch in ax.patches:
            if patch.get_gid() == "region":
                colors.setdefault(str(patch.get_label()), set()).add(patch.get_facecolor())
    assert sorted(colors) == ["_P₁", "_P₂", "_P₊", "_P₋"]
    assert all(len(own) == 1 for own in colors.values())
    assert len(set.union(*colors.values())) == 4


@pytest.mark.parametrize(
    "name", ["NPV", "X{tn,tp}|{tn,fn,tp}", "TPR", "J₋", "A", "J₊", "TNR", "X{tn,tp}|{tn,fp,tp}", "PPV"]
)
def test_figure_4_each_score_is_at_one_place(script: ModuleType, name: str) -> None:
    key = script.NINE[name][0]
    values = rs.tile.correlation(key, rs.distributions.Uniform(), n=FEW, resolution=9, rng=3).values
    a, b = rs.locate(key)
    assert values[round(8 * b), round(8 * a)] == 1
    assert (values == 1).sum() == 1
    assert np.sort(values.ravel())[-2] < 0.99


def test_figure_7_ba_and_kappa_are_at_their_places() -> None:  # Tile, 4.4
    D = rs.distributions.FixedPriors(0.3)
    ba = rs.tile.correlation("ba", D, n=FEW, resolution=11, rng=3).values
    assert [tuple(place) for place in np.argwhere(ba == 1)] == [(7, 7)]
    kappa = rs.tile.correlation("kappa", D, n=FEW, resolution=59, rng=3).values  # 49/58 is a column
    assert kappa[29, 49] == 1
    assert {tuple(place) for place in np.argwhere(kappa > 0.999)} <= {(29, 49), (28, 49), (30, 49), (29, 48), (29, 50)}
    assert rs.locate("kappa", 0.3) == pytest.approx((0.49 / 0.58, 0.5), abs=1e-15)


@pytest.mark.parametrize("prior", [0.2, 0.5, 0.8])
def test_figure_9_border_is_gamma_pi(script: ModuleType, prior: float) -> None:
    found = rs.regions.first(script.constant_answers(prior))
    (border,) = {arc for region in found for arc in region.borders}
    share = Fraction(str(prior))
    for a in (Fraction(1, 7), Fraction(1, 2), Fraction(5, 6)):
        b = border.exact_b(a)
        assert share**2 * a * b == (1 - share) ** 2 * (1 - a) * (1 - b)  # exactly
        assert rs.tile.gamma_pi(prior, float(a)) == pytest.approx(float(b), abs=1e-14)
    area = sum(region.area for region in found if region.names == ("always negative",))
    odds = ((1 - share) / share) ** 2
    closed = 0.5 if odds == 1 else float(odds) * (float(odds) - 1 - np.log(float(odds))) / (float(odds) - 1) ** 2
    assert area == pytest.approx(closed, abs=1e-12)


@pytest.mark.parametrize("prior", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_figure_8_maps_of_the_grid(prior: float) -> None:  # Tile, eqs (4)-(5)
    share, lines = Fraction(str(prior)), rs.tile.prior_grid(prior)
    for k, line in enumerate(lines):
        x, half = Fraction(k, 10), Fraction(1, 2)
        exact = x * half / share / ((1 - x) * half / (1 - share) + x * half / share)
        assert line == pytest.approx(float(exact), abs=1e-15)
    assert rs.tile.place_at_prior(lines, 0.5, prior) == pytest.approx(np.arange(11) / 10, abs=1e-15)
    assert rs.tile.gamma_pi(prior, lines) == pytest.approx(lines[::-1], abs=1e-14)  # the diagonal meets crossings
