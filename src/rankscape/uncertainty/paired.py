"""Draws of entities that were tried on the same cases, clusters or domains, and share what is drawn."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Literal

from numpy.typing import ArrayLike

from ..cases import joint
from ..checks import checked_names, one_line
from ..checks.labels import as_given, refuse_other_order, stacked_predictions
from ..checks.numbers import checked_flag
from ..errors import DataError, Option, UsageError, no_effect
from ..typing import PerformancesLike, PosteriorMethod, RandomLike, Resample, TableLike, WeightsLike
from .defaults import DRAWS
from .draws import Draws, drawn_from
from .evidence import evidence_of_counts


def paired(
    y_true: ArrayLike,
    y_pred: ArrayLike | Mapping[str, ArrayLike],
    draws: int = DRAWS,
    rng: RandomLike = 0,
    *,
    pos_label: Hashable = None,
    labels: Sequence[object] | None = None,
    clusters: ArrayLike | None = None,
    domains: ArrayLike | None = None,
    random_domains: bool = False,
    weights: WeightsLike | None = None,
    names: Sequence[object] | None = None,
    method: PosteriorMethod = "exchangeable",
) -> Draws:
    """Draw the performances that entities tried on the same cases might have on all cases of this kind.

    Each draw weighs the cases (or clusters, or domains) anew, with the same weights for all entities, so differences
    between entities are as sure as the cases that they share allow.

    Parameters
    ----------
    y_true : (m,)
        The true label of each case.
    y_pred : (m,), (n, m) or a mapping of names to (m,)
        The predicted labels of n entities, as in ``Performances.from_labels``.
    draws, rng
        The number of draws, at least 1; a seed or a generator.
    pos_label, labels
        The positive class, against all others; or the classes. Without ``pos_label``, more than two classes make Ω all
        pairs (truth, prediction), as in ``tasks.multi_class.evaluate``.
    clusters : (m,), optional
        The cluster of each case, such as a patient or a video: other clusters are drawn instead of other cases. A
        cluster lies within one domain.
    domains : (m,), optional
        The domain of each case. The domains stay the same in all draws.
    random_domains
        Draw other domains of this kind instead, as :func:`resampled_domains` does.
    weights
        The weights of the domains, as in :func:`rankscape.summarize`.
    names
        The names of the entities, where ``y_pred`` has none.
    method
        The prior distribution, as in :func:`posterior`.

    Returns
    -------
    Draws
        Draws that all entities share.

    Raises
    ------
    DataError
        For labels that are missing or cannot be paired, and for a cluster that spans domains.
    UsageError
        For both ``labels`` and ``pos_label``, or both ``clusters`` and ``random_domains``.

    See Also
    --------
    rankscape.uncertainty.paired_table : the same of a table of predictions
    rankscape.uncertainty.posterior : without pairs

    Examples
    --------
    >>> import rankscape as rs
    >>> drawn = rs.uncertainty.paired([0, 0, 1, 1], {"a": [0, 1, 1, 1], "b": [0, 0, 1, 0]}, draws=5)
    >>> drawn.values.shape, drawn.paired
    ((5, 2, 4), True)
    """
    unit = _unit("clusters", clusters, random_domains)
    if labels is not None and pos_label is not None:
        raise UsageError("labels= lists several classes, and pos_label= sets one against all others: leave out one")
    refuse_other_order(y_true, y_pred)
    columns, rows = stacked_predictions(y_pred)
    called, _ = checked_names(len(rows), columns if names is None else names, None)
    table, roles = dict(zip(called, rows, strict=True)), dict[str, str]()
    given = {"truth": ("y_true", y_true), "domain": ("domains", domains), "cluster": ("clusters", clusters)}
    for role, (name, values) in given.items():
        if values is not None:
            roles[role] = name + "_" * max((len(other) for other in called if other.startswith(name)), default=0)
            table[roles[role]] = as_given(values, name).ravel()
    for role in roles.keys() - {"truth"}:
        texts: dict[str, object] = {}
        for value in dict.fromkeys(table[roles[role]].tolist()):
            if texts.setdefault(str(value), value) != value == value:
                raise DataError(
                    f'{roles[role]}: {texts[str(value)]!r} and {value!r} are both called "{one_line(str(value))}": '
                    "give all labels as texts, or all as numbers"
                )
    cases = joint(table, prediction=list(called), pos_label=pos_label, labels=labels, **roles)
    known = cases.performances.with_pairing(cases)
    return drawn_from(evidence_of_counts(known, weights, resample=unit).only(called), draws, rng, method)


def paired_table(
    source: TableLike,
    draws: int = DRAWS,
    rng: RandomLike = 0,
    *,
    truth: str,
    prediction: str | Sequence[str],
    entity: str | None = None,
    domain: str | Sequence[str] | None = None,
    case: str | None = None,
    cluster: str | None = None,
    repeat: str | None = None,
    pos_label: Hashable = None,
    labels: Sequence[object] | str | None = None,
    unanswered: str | None = None,
    random_domains: bool = False,
    weights: WeightsLike | None = None,
    method: PosteriorMethod = "exchangeable",
) -> Draws:
    """Draw as :func:`paired` does, from a table of predictions, which the engine that holds it counts.

    Only numbers of cases leave the engine: how many there are of each kind (the truth, and the prediction of each
    entity), per cluster where clusters are named.

    Parameters
    ----------
    source, truth, prediction, entity, domain, case, cluster, repeat, pos_label, labels, unanswered
        As in :func:`rankscape.cases`. Each case is drawn with all of its repeats.
    draws, rng, random_domains, weights, method
        As in :func:`paired`.

    Returns
    -------
    Draws
        Draws that all entities share.

    Raises
    ------
    DataError
        For rows that cannot be counted or paired; the message gives their number. For a cluster that spans domains.
    UsageError
        For both ``labels`` and ``pos_label``, or both ``cluster`` and ``random_domains``.

    See Also
    --------
    rankscape.uncertainty.paired : the same of arrays

    Examples
    --------
    >>> import rankscape as rs
    >>> import pyarrow as pa
    >>> rows = {
    ...     "case": [1, 2, 3, 1, 2, 3],
    ...     "model": list("aaabbb"),
    ...     "y": [0, 1, 1] * 2,
    ...     "yhat": [0, 1, 0, 1, 1, 1],
    ... }
    >>> drawn = rs.uncertainty.paired_table(
    ...     pa.table(rows), 100, truth="y", prediction="yhat", entity="model", case="case"
    ... )
    >>> len(drawn), drawn.names
    (100, ('a', 'b'))
    """
    unit = _unit("cluster", cluster, random_domains)
    cases = joint(
        source, truth=truth, prediction=prediction, entity=entity, domain=domain, case=case, cluster=cluster,
        repeat=repeat, pos_label=pos_label, labels=labels, unanswered=unanswered,
    )  # fmt: skip
    known = cases.performances.with_pairing(cases)
    return drawn_from(evidence_of_counts(known, weights, resample=unit), draws, rng, method)


def _unit(name: str, clusters: object, random_domains: bool) -> Resample | None:
    """Return the unit that is drawn where others than those of the cases are asked for."""
    if checked_flag("random_domains", random_domains) and clusters is not None:
        raise no_effect(name, Option("random_domains"), " draws domains")
    return "domains" if random_domains else None


def resampled_domains(
    performances: PerformancesLike,
    draws: int = DRAWS,
    rng: RandomLike = 0,
    *,
    weights: WeightsLike | None = None,
    missing: Literal["error", "complete"] = "error",
    method: PosteriorMethod = "exchangeable",
) -> Draws:
    """Draw the performances on other domains of this kind: would the ranking hold there?

    The domains count as a random sample of their kind. Each draw weighs them by Dirichlet(1, …, 1), the same for all
    entities, and spreads the draws the more the fewer domains there are.

    Parameters
    ----------
    performances
        Performances of n entities on two domains or more. They may be probabilities.
    draws, rng
        The number of draws, at least 1; a seed or a generator.
    weights
        How domains are averaged, as in :func:`rankscape.summarize`.
    missing
        "error", or "complete" to use only the domains that all entities share.
    method
        As in :func:`paired`.

    Returns
    -------
    Draws
        Draws that all entities share.

    Raises
    ------
    DataError
        For missing cells.
    UsageError
        For a single domain.

    See Also
    --------
    rankscape.uncertainty.posterior : other cases instead of other domains
    rankscape.domains.leave_one_out

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts(
    ...     [[5, 1, 1, 3], [2, 2, 2, 4]], names=["m", "m"], domains=["x", "y"]
    ... )
    >>> len(rs.uncertainty.resampled_domains(P, draws=10))
    10
    """
    evidence = evidence_of_counts(performances, weights, missing, resample="domains")
    return drawn_from(evidence, draws, rng, method)
