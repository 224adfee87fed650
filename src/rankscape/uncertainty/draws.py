"""Draws: what the performances might be, given the counts, or the cases, that were seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import checked_rng, checked_size, one_line, rows_of
from ..data import as_performances
from ..data.cells import missing as is_missing
from ..domains import summarize
from ..domains.grid import arranged
from ..errors import DataError, UsageError
from ..kernels.exact import integers_of_fractions
from ..labels import labeled
from ..outcomes import SampleSpace
from ..performances import Performances
from .trust import about_prior

PRIORS = {"jeffreys": 0.5, "uniform": 1.0}
DRAWS = 2000
OPTIONS = ("prior", "weights", "missing", "groups")
LARGEST = 2**62
CHUNK = 20_000_000
"""How many numbers of cases are drawn at once."""


@dataclass(frozen=True, eq=False, repr=False)
class Draws:
    """Draws of the performances of n entities: ``values`` (draws, n, k) for k outcomes; the same draw for all.

    ``values`` are probabilities, or integers proportional to them, of which ties are exact. ``point`` are the
    performances that were seen, ``method`` says in words what was drawn, ``paired`` whether the entities share cases,
    ``notes`` what a reader should know of them. ``draws["a"]`` are those of one entity.

    >>> P = Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38]], names=["a", "b"])
    >>> posterior(P, draws=3).values.shape
    (3, 2, 4)
    """

    values: NDArray[Any]
    point: Performances
    method: str
    paired: bool
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entities."""
        return self.point.names

    @property
    def space(self) -> SampleSpace:
        """The sample space."""
        return self.point.space

    @property
    def exact(self) -> bool:
        """Whether the draws are integers, so that ties are exact."""
        return self.values.dtype.kind != "f"

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, name: str) -> "Draws":
        """Return the draws of one entity. Raises UsageError for an unknown name."""
        row = rows_of(self.names, name, "entity")[0]
        return replace(self, values=self.values[:, row : row + 1], point=self.point[name])

    def __repr__(self) -> str:
        return f"<Draws: {len(self)} of {len(self.names)} entities; {self.method}>"


def posterior(
    performances: Any,
    draws: int = DRAWS,
    rng: Any = 0,
    *,
    prior: str | float = "jeffreys",
    weights: Any = "equal",
    missing: str = "error",
    groups: Mapping[str, str] | None = None,
) -> Draws:
    """Draw from the posterior Dirichlet(counts + α) of every entity on every domain, all independent.

    ``prior`` is "jeffreys" (α = ½), "uniform" (α = 1) or α ≥ 0. Counts do not say which cases two entities share, so
    nothing is paired: differences between entities that were tried on the same cases look less certain than they are
    (see :func:`bootstrap`). The prior counts k·α cases on every domain: on many small ones it pulls, and ``notes`` of
    the draws say so. Draws on several domains are summarized as by :func:`rankscape.summarize`. ``rng`` is a seed or a
    generator.
    Raises DataError for performances without counts.

    >>> P = Performances.from_counts([[500, 100, 50, 350]])
    >>> posterior(P, draws=4000).values.mean(axis=(0, 1)).round(2).tolist()
    [0.5, 0.1, 0.05, 0.35]
    """
    performances = as_performances(performances)
    if performances.counts is None:
        raise DataError(
            "uncertainty needs counts, and these are probabilities, which do not say how many cases they come from: "
            "give counts, or draws, as those of uncertainty.bootstrap"
        )
    alpha, name = _concentration(prior)
    count = checked_size("draws", draws)
    generator = checked_rng(rng)
    grid = arranged(performances, weights, missing, groups)
    n, k = len(grid.entities), len(performances.space)
    values = np.zeros((count, n, k))
    for e, row in enumerate(grid.rows.tolist()):
        for r, weight in zip(row, grid.weights, strict=True):
            if r >= 0 and weight:
                drawn = generator.standard_gamma(performances.counts[r] + alpha, size=(count, k))
                values[:, e] += float(weight) * drawn / drawn.sum(axis=1, keepdims=True)
    values /= values.sum(axis=2, keepdims=True)
    each = "entity" if len(grid.domains) == 1 else "entity and domain"
    here = (grid.rows >= 0) & (np.array([float(weight) for weight in grid.weights]) > 0)
    cases = np.array([performances.counts[row[used]].sum() for row, used in zip(grid.rows, here, strict=True)])
    notes = about_prior(alpha, k, here.sum(axis=1), cases)
    return Draws(values, grid.summary(), f"posterior of each {each}, {name}, independent", False, notes)


def _concentration(prior: str | float) -> tuple[float, str]:
    """Return α and how the prior is called."""
    if isinstance(prior, str) and prior.lower() in PRIORS:
        alpha = PRIORS[prior.lower()]
        title = {"jeffreys": "Jeffreys' prior", "uniform": "uniform prior"}[prior.lower()]
        return alpha, f"{title} Dirichlet({'½' if alpha == 0.5 else '1'})"
    if isinstance(prior, (int, float)) and not isinstance(prior, bool) and isfinite(prior) and prior >= 0:
        return float(prior), f"prior Dirichlet({float(prior):g})"
    raise UsageError(f'prior={prior!r}: expected "jeffreys", "uniform", or a finite number ≥ 0')


def bootstrap(
    y_true: ArrayLike,
    y_pred: Any,
    draws: int = DRAWS,
    rng: Any = 0,
    *,
    pos_label: Any = None,
    clusters: ArrayLike | None = None,
    domains: ArrayLike | None = None,
    weights: Any = "equal",
    names: Sequence[Any] | None = None,
) -> Draws:
    """Resample cases with replacement, the same for all entities: a paired bootstrap of their performances.

    ``y_true`` (m,) and ``y_pred`` (m,), (n, m) or a mapping of names to (m,), as in ``Performances.from_labels``.
    ``clusters`` (m,) says which cases belong together (patients, videos): these are then resampled as wholes.
    ``domains`` (m,) says where a case is from: cases are then resampled within each domain, and the draws summarized
    with ``weights`` as by :func:`rankscape.summarize`. The draws are integers, so that ties are exact. What a
    sample has no case of, such as a rare class, no draw has.
    Raises DataError for labels that cannot be paired, or are missing.

    >>> found = bootstrap([0, 0, 1, 1], {"a": [0, 1, 1, 1], "b": [0, 1, 1, 1]}, draws=5)
    >>> found.values.sum(axis=2).tolist()[0], bool((found.values[:, 0] == found.values[:, 1]).all())
    ([4, 4], True)
    """
    columns, truth, predicted = labeled(y_true, y_pred, pos_label)
    found = columns if names is None else names
    called = tuple(map(str, [f"P{i + 1}" for i in range(len(predicted))] if found is None else found))
    codes = 2 * truth.astype(np.int64) + predicted
    count, generator = checked_size("draws", draws), checked_rng(rng)
    places = _labels_of(domains, len(truth), "domains")
    units = _labels_of(clusters, len(truth), "clusters")
    parts, cells = [], []
    for place in dict.fromkeys(places):
        here = np.array([other == place for other in places])
        group = [unit for unit, inside in zip(units, here, strict=True) if inside] if clusters is not None else None
        parts.append(_resampled(codes[:, here], group, count, generator))
        cells += [np.bincount(row, minlength=4) for row in codes[:, here]]
    kinds = list(dict.fromkeys(places))
    seen = Performances.from_counts(
        np.array(cells), names=list(called) * len(kinds), domains=[kind for kind in kinds for _ in called]
    )
    lambdas = arranged(seen, weights).weights
    what = "cases" if clusters is None else "clusters of cases"
    within = "" if len(kinds) == 1 else " within each domain"
    method = f"paired bootstrap over {what}{within}"
    return Draws(_mixed(parts, lambdas), summarize(seen, weights), method, True)


def _labels_of(labels: ArrayLike | None, m: int, what: str) -> list[str]:
    if labels is None:
        return ["all"] * m
    values = np.asarray(labels, dtype=object).ravel().tolist()
    if len(values) != m:
        raise DataError(f"{what}: expected {m} labels, one per case; got {len(values)}")
    texts: dict[Any, str] = {}
    for case, value in enumerate(values):
        if is_missing(value):
            raise DataError(f"{what}: case {case + 1} has no label (NaN or None): drop it, or say what it belongs to")
        texts.setdefault(value, str(value))
    kinds: dict[str, Any] = {}
    for value, text in texts.items():
        if text in kinds:
            raise DataError(
                f'{what}: {kinds[text]!r} and {value!r} are both called "{one_line(text)}": give all labels as texts, '
                "or all as numbers"
            )
        kinds[text] = value
    return [texts[value] for value in values]


def _resampled(
    codes: NDArray[np.int64], clusters: list[str] | None, draws: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return counts (draws, n, 4) of resampled cases (n, m), or of resampled clusters of them."""
    n, m = codes.shape
    if clusters is None:  # cases on which all entities do the same are exchangeable: how many of each kind are drawn
        kinds, size = _kinds(codes)
        units = (kinds.T[:, :, None] == np.arange(4)).reshape(-1, 4 * n)
    else:
        number = {name: i for i, name in enumerate(dict.fromkeys(clusters))}
        index = np.array([number[name] for name in clusters])
        units = np.zeros((len(number), 4 * n))
        for e in range(n):
            np.add.at(units, (index, 4 * e + codes[e]), 1)
        m, size = len(number), np.ones(len(number), dtype=np.int64)
    out = np.empty((draws, 4 * n), dtype=np.int64)
    chunk = max(1, CHUNK // len(units))
    for start in range(0, draws, chunk):
        stop = min(start + chunk, draws)
        drawn = rng.multinomial(m, size / size.sum(), size=stop - start)
        out[start:stop] = np.rint(drawn.astype(np.float64) @ units.astype(np.float64))
    return out.reshape(draws, n, 4)


def _kinds(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the different columns of an array of codes below 4, in their order, and how often each occurs.

    >>> [part.tolist() for part in _kinds(np.array([[3, 0, 3], [1, 2, 1]]))]
    [[[0, 3], [2, 1]], [1, 2]]
    """
    key, largest = np.zeros(codes.shape[1], dtype=np.int64), 1
    for row in codes:
        if largest > LARGEST // 4:
            key = np.unique(key, return_inverse=True)[1].ravel()
            largest = int(key.max()) + 1
        key, largest = 4 * key + row, 4 * largest
    _, first, size = np.unique(key, return_index=True, return_counts=True)
    return codes[:, first], size


def _mixed(parts: list[NDArray[np.int64]], lambdas: tuple[Fraction, ...]) -> NDArray[Any]:
    """Return Σ λ_d·counts_d/total_d up to a factor per draw and entity, in integers."""
    if len(parts) == 1:
        return parts[0]
    totals = np.stack([part[:, 0].sum(axis=1) for part in parts], axis=1)  # (draws, domains), the same for all entities
    distinct, same = np.unique(totals, axis=0, return_inverse=True)  # of cases one row, for their number is fixed
    shares = np.array([[w / t for w, t in zip(lambdas, row, strict=True)] for row in distinct.tolist()], dtype=object)
    factors = integers_of_fractions(shares)
    kind = np.int64 if (factors * distinct.astype(object)).sum(axis=1).max() < LARGEST else object
    each = factors.astype(kind)[same.ravel()]
    return np.asarray(sum(each[:, d, None, None] * part.astype(kind, copy=False) for d, part in enumerate(parts)))


def bootstrap_domains(
    performances: Any,
    draws: int = DRAWS,
    rng: Any = 0,
    *,
    weights: Any = "equal",
    groups: Mapping[str, str] | None = None,
) -> Draws:
    """Resample domains with replacement, the same for all entities: what another choice of domains might have said.

    Draws are Σ k_d·λ_d·P_d, k_d how often a domain was drawn. Says nothing of the cases within a domain.
    Raises DataError for missing cells, UsageError for a single domain.

    >>> P = Performances.from_counts([[5, 1, 1, 3], [2, 2, 2, 4]], names=["m", "m"], domains=["x", "y"])
    >>> len(bootstrap_domains(P, draws=10))
    10
    """
    grid = arranged(performances, weights, "error", groups)
    chosen = [d for d, weight in enumerate(grid.weights) if weight]
    if len(chosen) < 2:
        raise UsageError("resampling domains needs two of them, with positive weights; got one")
    count, size = checked_size("draws", draws), len(chosen)
    drawn = checked_rng(rng).multinomial(size, np.full(size, 1 / size), size=count)
    parts = grid.parts[:, chosen]
    if grid.exact and int(parts.sum(axis=(1, 2)).max()) * size < LARGEST:
        parts = parts.astype(np.int64)
    values = np.stack([drawn.astype(own.dtype) @ own for own in parts], axis=1)
    return Draws(values, grid.summary(), "paired bootstrap over domains", True)


def draws_of(performances: Any, draws: int | None, rng: Any, options: Mapping[str, Any], default: int = DRAWS) -> Draws:
    """Return draws as they are, or those of the posterior; refuse what would change nothing about given draws."""
    unknown = [name for name in options if name not in OPTIONS]
    if unknown:
        raise UsageError(f"{unknown[0]}= is no option of draws; expected one of {', '.join(OPTIONS)}")
    if not isinstance(performances, Draws):
        return posterior(performances, default if draws is None else draws, 0 if rng is None else rng, **options)
    idle = [*(name for name, value in (("draws", draws), ("rng", rng)) if value is not None), *options]
    if idle:
        names = ", ".join(f"{name}=" for name in idle)
        raise UsageError(f"{names} would change nothing: these are draws already; leave out {names}, or pass counts")
    return performances
