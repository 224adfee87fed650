"""Whatever is proved of an expression holds: random expressions, on all small confusion matrices, without the library.

Rational expressions are evaluated in fractions, others with 40 digits.
"""

import warnings
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import mpmath
import pytest

import rankscape as rs
from rankscape._scores.expressions import Node
from rankscape._scores.score import TESTS, proved, proved_sound, ranking_proof
from rankscape._scores.sets import PerformanceSet, set_of
from rankscape.errors import UsageError
from rankscape.ordering import caution

EVERYTHING = PerformanceSet()
NEAR = mpmath.mpf(10) ** -25
DIGITS = 40

Value = Fraction | mpmath.mpf
MATRICES = [row for row in product(range(4), repeat=4) if 0 < sum(row) <= 3] + [
    (3, 1, 2, 5),
    (2, 7, 1, 3),
    (9, 1, 4, 6),
]
AT_PRIOR = [(3 * (4 - x), 3 * x, 2 * (4 - y), 2 * y) for x in range(5) for y in range(5)]
"""Performances of the prior 2/5."""


class UndefinedError(Exception):
    """There is no value: 0/0, an infinity, a root of a negative number."""


def value(node: Node, P: dict[str, Fraction]) -> Value:
    """Return the value of an expression; exact where all its operations are rational."""
    if node.kind == "number":
        return node.value
    if node.kind == "name":
        return P[node.value]
    if node.value == "**":
        return power(value(node.args[0], P), constant(node.args[1]))
    args = [value(arg, P) for arg in node.args]
    return OPERATIONS[node.value](*args)


def constant(node: Node) -> Fraction:
    exponent = value(node, {})
    assert isinstance(exponent, Fraction)
    return exponent


def power(base: Value, exponent: Fraction) -> Value:
    if exponent.denominator == 1:
        if base == 0 and exponent < 0:
            raise UndefinedError
        return base ** int(exponent)
    if base < 0 or (base == 0 and exponent < 0):
        raise UndefinedError
    return mp(base) ** (mpmath.mpf(exponent.numerator) / exponent.denominator)


def mp(x: Value) -> mpmath.mpf:
    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else x


def either(operation: Callable) -> Callable:
    def of(x: Value, y: Value) -> Value:
        both = isinstance(x, Fraction) and isinstance(y, Fraction)
        return operation(x, y) if both else operation(mp(x), mp(y))

    return of


def quotient(x: Value, y: Value) -> Value:
    if y == 0:
        raise UndefinedError
    return x / y


def logarithm(x: Value) -> Value:
    if x <= 0:
        raise UndefinedError
    return mpmath.log(mp(x))


OPERATIONS: dict[str, Callable] = {
    "+": either(lambda x, y: x + y),
    "-": either(lambda x, y: x - y),
    "*": either(lambda x, y: x * y),
    "/": either(quotient),
    "min": either(min),
    "max": either(max),
    "abs": abs,
    "sqrt": lambda x: power(x, Fraction(1, 2)),
    "exp": lambda x: mpmath.exp(mp(x)),
    "log": logarithm,
}


def normal(row: tuple) -> dict[str, Fraction]:
    return {name: Fraction(x) / sum(row) for name, x in zip(("tn", "fp", "fn", "tp"), row, strict=True)}


def values(node: Node, rows: list) -> list[Value | None]:
    out = []
    for row in rows:
        try:
            out.append(value(node, normal(row)))
        except UndefinedError:
            out.append(None)
    return out


def ranking_score(row: tuple, importance: tuple) -> Fraction | None:
    P = list(normal(row).values())
    due = sum(p * w for p, w in zip(P, importance, strict=True))
    return None if due == 0 else (P[0] * importance[0] + P[3] * importance[3]) / due


def sign(x: Value) -> int:
    close = abs(x) < NEAR if isinstance(x, mpmath.mpf) else x == 0
    return 0 if close else 1 if x > 0 else -1


BASES = ("f1", "acc", "ppv", "tpr", "jaccard", "tn/(tn+fp)", "tpr+tnr", "tp/(tp+2*fp)", "fpr", "kappa")
NUMBERS = ("0", "1", "2", "1/2", "3", "1/3", "-1", "-2")


def composed(random: Random, base: list[str], depth: int) -> str:
    """Return an expression of a few ranking scores: mostly of one, so that there is something to prove."""
    if depth == 0:
        return f"({random.choice(base) if random.random() < 0.75 else random.choice(NUMBERS)})"
    one = composed(random, base, depth - 1)
    kind = random.randrange(8)
    if kind == 0:
        return f"{random.choice(('sqrt', 'exp', 'log', 'abs'))}({one})"
    if kind == 1:
        return f"({one})**{random.choice(('2', '3', '(1/2)', '(-1)', '(-2)', '4', '(3/2)'))}"
    other = composed(random, base, random.randrange(depth))
    if kind == 2:
        return f"{random.choice(('min', 'max'))}({one}, {other})"
    return f"({one} {random.choice('++--**/')} {other})"


def checked(score: rs.Score, among: PerformanceSet, rows: list) -> tuple[bool, str | None]:
    """Return whether it is proved, and what is wrong with that."""
    holds, proof = proved(score, among), ranking_proof(score, among)
    assert score.node is not None
    X = values(score.node, rows)
    if "domain" in holds:
        for i, j in product(range(0, len(rows), 3), range(0, len(rows), 5)):
            if X[i] is not None and X[j] is not None:
                P, Q = normal(rows[i]), normal(rows[j])
                for weight in (Fraction(1, 2), Fraction(1, 5)):
                    mixed = tuple(weight * p + (1 - weight) * q for p, q in zip(P.values(), Q.values(), strict=True))
                    if values(score.node, [mixed])[0] is None:
                        return True, f"the mixture of {rows[i]} and {rows[j]} has no value"
    if proof is None:
        return False, None
    if proof.sign == 0:
        return True, None if len({x for x in X if x is not None}) < 2 else "it is not constant"
    R = [ranking_score(row, proof.importance) for row in rows]
    both = [(x, r, row) for x, r, row in zip(X, R, rows, strict=True) if x is not None]
    for x, r, row in both:
        if r is None:
            return True, f"{row} has a value, and no ranking score"
        for y, s, other in both:
            if s is not None and sign(x - y) != proof.sign * ((r > s) - (r < s)):
                return True, f"{row} and {other} are ordered otherwise"
    return True, None


SEEDS = [*range(3), *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(3, 12))]


@pytest.mark.some(3)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("among", [EVERYTHING, PerformanceSet("prior", Fraction(2, 5))], ids=["all", "one prior"])
def test_what_is_proved_of_random_expressions_holds(seed: int, among: PerformanceSet) -> None:
    random, n_proved = Random(seed), 0
    mpmath.mp.dps = DIGITS
    for _ in range(40):
        base = random.choices(BASES, k=random.choice((1, 1, 1, 2)))
        text = composed(random, base, random.choice((1, 2, 3)))
        try:
            score = rs.score(text)
        except UsageError:  # too large
            continue
        is_proved, wrong = checked(score, among, MATRICES if among.fixed is None else AT_PRIOR)
        assert wrong is None, f"{text}: {wrong}"
        n_proved += is_proved
    assert n_proved >= 8


def test_the_check_of_proofs_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    mpmath.mp.dps = DIGITS
    falling = rs.score("acc*(1 - acc)")
    assert checked(falling, EVERYTHING, MATRICES) == (False, None)
    wrong = replace(falling, orders_as=(Fraction(1),) * 4)
    assert "are ordered otherwise" in str(checked(wrong, EVERYTHING, MATRICES)[1])
    hole = rs.score("tp*(tp-2*fp)/((tp+fn)*(tp-2*fp))")
    monkeypatch.setitem(globals(), "proved", lambda score, among: {"domain": "it is claimed"})
    assert "has no value" in str(
        checked(hole, EVERYTHING, [(0, 1, 0, 1), (0, 0, 0, 1), (0, 1, 0, 3), (1, 0, 1, 2)] * 4)[1]
    )


# ---- rankings and audits say the same


MONOTONE = (
    "sqrt(acc)", "ppv/(1-ppv)", "exp(f1)", "log(tpr)", "f1/(1 + f1)", "log(ppv/(1-ppv))", "1/(2 - f1)", "f1/(3 - f1)",
    "2*tp/(2*tp + fp + fn)", "2*ppv*tpr/(ppv + tpr)", "1/(1 + (fp + fn)/tp)", "1 - fp/(tn + fp)", "tp/(1 - tn)",
    "5*ppv*tpr/(4*ppv + tpr)", "tpr*tpr/tpr", "(tp + 4*tn)/(tp + fp + fn + 4*tn)", "1 - (fp + fn)", "log(exp(acc))",
)  # fmt: skip
COMPOSED = (
    "acc*acc", "f1*f1", "f1**2", "3*acc - acc**2", "f1*jaccard", "sqrt(2*acc - 1)", "min(f1, f1**2)", "f1*(3 - f1)",
    "2*acc - 3*acc**2 + 2*acc**3", "exp(f1)*f1", "(acc - 1/2)**3", "acc**(1/2) + acc", "tnr**32",
)  # fmt: skip
"""Monotone functions of one ranking score that are not looked into: nothing is refuted, and nothing is proved."""
NOT_MONOTONE = (
    "acc*(1 - acc)", "(acc - 1/2)**2", "1/(1/2 - acc)", "f1*tpr", "f1 + tpr", "tpr*tnr", "tpr + tnr", "f1**2 - f1",
    "abs(acc - 1/2)", "acc - acc**3", "min(f1, tpr)", "acc/(2*acc - 1)", "acc*exp(-3*acc)", "min(f1, 1/2)",
)  # fmt: skip


@pytest.mark.parametrize("text", MONOTONE)
def test_monotone_functions_of_a_ranking_score_are_proved_and_ranked_without_a_warning(text: str) -> None:
    mpmath.mp.dps = DIGITS
    score = rs.score(text)
    assert checked(score, EVERYTHING, MATRICES) == (True, None)
    assert set(proved(score, EVERYTHING)) == set(TESTS)
    assert rs.audit(text, statistic=None).status == "proved"
    assert score.sound == "always"
    assert rs.locate(text) == tuple(map(float, score.exact_place()))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rs.rank(MIXED, by=text).caution is None


@pytest.mark.some(3)
@pytest.mark.parametrize("text", COMPOSED)
def test_what_is_composed_of_ranking_scores_is_not_refuted(text: str) -> None:
    verdict = rs.audit(text, statistic=None)
    assert (verdict.status, verdict.sound) == ("not refuted", True)
    with pytest.warns(rs.UnsoundScoreWarning, match="is not known to be sound"):
        rs.rank(MIXED, by=text)


@pytest.mark.some(2)
@pytest.mark.parametrize("text", NOT_MONOTONE)
def test_what_is_not_monotone_is_neither_proved_nor_ranked_without_a_warning(text: str) -> None:
    score = rs.score(text)
    assert len(proved(score, EVERYTHING)) < len(TESTS)
    assert rs.audit(text, statistic=None).status != "proved"
    assert score.sound == "unknown"
    with pytest.warns(rs.UnsoundScoreWarning, match="is not known to be sound"):
        rs.rank(MIXED, by=text)
    with pytest.raises(rs.NoPlaceError, match="has no place|only for fixed priors"):
        rs.locate(text)


MIXED = rs.Performances.from_counts([[50, 10, 5, 35], [60, 5, 9, 26], [20, 40, 1, 139]])
ALIKE = rs.Performances.from_counts([[50, 10, 5, 35], [58, 2, 9, 31], [20, 40, 1, 39]])


@pytest.mark.parametrize("text", ["tpr + tnr", "(tpr + tnr)/(3 - tpr - tnr)", "exp(tpr - fpr)", "kappa + 1", "2*kappa"])
def test_what_is_proved_at_one_prior_is_ranked_there_without_a_warning(text: str) -> None:
    score = rs.score(text)
    assert rs.audit(text, priors=0.4, statistic=None).status == "proved"
    assert caution(ALIKE, score) == (None, False)
    assert score.place(0.4) == pytest.approx(rs.locate("kappa" if "kappa" in text else "balanced accuracy", prior=0.4))
    assert rs.regions.flips(ALIKE, by=text).first == rs.rank(ALIKE, by=text).best
    assert rs.audit(text, statistic=None).status == "refuted"
    assert "not known to be sound" in str(caution(MIXED, score)[0])
    with pytest.raises(rs.NoPlaceError, match="has a place on the Tile only where priors are equal"):
        rs.regions.flips(MIXED, by=text)


def test_a_decreasing_function_is_not_sound_and_its_negative_is() -> None:
    for text in ("1 - f1", "1/f1", "2 - acc", "(fp + fn)/(tn + tp)"):
        with pytest.warns(
            rs.UnsoundScoreWarning, match="is not sound for ranking: it is largest for the worst; rank by -"
        ):
            rs.rank(MIXED, by=text)
        assert rs.audit(text, statistic=None).sound_if == "smaller"
        assert rs.audit(text, direction="smaller", statistic=None).status == "proved"
        assert proved_sound(rs.score(f"-({text})"), EVERYTHING)


def test_constants_are_sound_and_rank_nobody() -> None:
    for text in ("5", "tp/tp", "acc - acc"):
        assert rs.audit(text, statistic=None).status == "proved"
        assert rs.score(text).sound == "always"
        with pytest.warns(rs.UnsoundScoreWarning, match="has the same value for every model"):
            rs.rank(MIXED, by=text)
    with pytest.warns(rs.UnsoundScoreWarning, match="has the same value for every model"):
        rs.rank(ALIKE, by="tp + fn")


def test_a_domain_that_is_smaller_is_named() -> None:
    for text, gap in (
        ("ppv/(1-ppv)", "where fp = 0"), ("log(tpr)", "where tp = 0"), ("tp/(fp+fn)", "where fp = fn = 0"),
        ("log(ppv/(1-ppv))", "where fp = 0 or tp = 0"),
    ):  # fmt: skip
        how = rs.audit(text, statistic=None).domain.how
        assert f"it has no value {gap}, though R_I has one: these are incomparable to the others" in how
    assert "no value" not in rs.audit("exp(f1)", statistic=None).domain.how


def test_a_domain_that_mixtures_leave_is_not_sound_for_rankings_either() -> None:
    text = "tp*(tp-2*fp)/((tp+fn)*(tp-2*fp))"  # recall, but undefined where tp = 2·fp
    assert rs.audit(text, statistic=None).status == "refuted"
    assert rs.score(text).sound == "unknown"
    with pytest.warns(rs.UnsoundScoreWarning, match="not known to be sound"):
        rs.rank(MIXED, by=text)


def test_the_set_of_performances_is_the_smallest_with_a_proof() -> None:
    assert set_of(MIXED) == EVERYTHING
    assert set_of(ALIKE) == PerformanceSet("prior", Fraction(2, 5))
    shifted = rs.Performances.from_probabilities([[0.3, 0.3, 0.1, 0.3], [0.5, 0.1, 0.3, 0.1 + 1e-17]])
    assert set_of(shifted).share == Fraction(2, 5)
    assert set_of(rs.Performances.from_counts([[3, 1, 0, 0], [2, 2, 0, 0]])) == EVERYTHING


@pytest.mark.parametrize("rare", [1, 10**10 - 1])
def test_a_class_may_be_rarer_than_the_tolerance_of_priors(rare: int) -> None:
    """A common prior of 1e-10 is no prior of 0, at which the sum of TPR and TNR would have no place on the Tile."""
    negative, positive = 10**10 - rare, rare
    P = rs.Performances.from_counts([[negative, 0, 0, positive], [negative - 1, 1, 0, positive]])
    assert set_of(P).share == Fraction(rare, 10**10)
    assert rs.rank(P, by="tpr + tnr").best == {"P1"}
