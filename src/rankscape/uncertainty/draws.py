"""Draws: what the performances might be on other cases, clusters or domains, given those that were seen."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from inspect import signature
from math import nan
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from ..checks import checked_rng, checked_size, rows_of
from ..checks.numbers import is_number
from ..domains import Prepared
from ..domains.grid import checked_shift, moved_to
from ..errors import DataError, Option, UsageError, no_effect, refuse_unknown
from ..outcomes import SampleSpace
from ..performances import Performances
from ..results import Result, Table
from ..texts import counted
from ..typing import Integers, Missing, PerformancesLike, PosteriorMethod, PriorLike, RandomLike, Resample, WeightsLike
from .defaults import DRAWS, METHODS
from .engine import Engine
from .evidence import Evidence, about_evidence, evidence_of_counts

MOST_CASES = 1e15
"""Largest number of cases per outcome that a prior distribution may have."""

APART = 500
"""How often pooled entities are drawn apart, too, to tell which differences are clear without pooling."""


class DrawOptions(TypedDict, total=False):
    """The options of :func:`posterior`; given draws take ``shift_prior`` only."""

    method: PosteriorMethod
    weights: WeightsLike | None
    missing: Missing
    resample: Resample | None
    shift_prior: PriorLike | None


@dataclass(frozen=True, eq=False, repr=False)
class Draws(Result):
    """Draws of the performances of n entities, made block by block as they are needed.

    ``values`` (draws, n, k) for k outcomes are probabilities; ``blocks()`` yields them in parts. They are NaN for an
    entity that lacks a class that a shift needs, or that was seen on too few units. ``draws["a"]`` are the draws of one
    entity; ``unit`` is a sentence on what is drawn.

    Attributes
    ----------
    observed
        The performances that were seen.
    source
        A function that starts the draws anew: blocks (draws, n, k) of outcomes.
    evidence
        What the draws start from.
    count
        The number of draws.
    method
        A phrase on how they were drawn.
    paired
        Whether the entities share what is drawn.
    notes
        Cautions.
    prepared
        How domains were averaged and priors shifted.
    seed
        The seed, None for a generator.
    apart
        Some draws in which entities are not pooled.
    same : (n,)
        Numbers that are equal for entities of which exactly the same was seen; None where the evidence tells.

    See Also
    --------
    rankscape.uncertainty.posterior
    rankscape.uncertainty.paired

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38]], names=["a", "b"])
    >>> rs.uncertainty.posterior(P, draws=3).values.shape
    (3, 2, 4)
    """

    observed: Performances
    source: Callable[[], Iterator[NDArray[Any]]] = field(repr=False)
    evidence: Evidence
    count: int
    method: str
    paired: bool
    notes: tuple[str, ...] = ()
    prepared: Prepared | None = None
    seed: int | None = None
    apart: Draws | None = field(default=None, repr=False)
    same: Integers | None = field(default=None, repr=False)

    brief = True

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entities."""
        return self.observed.names

    @property
    def space(self) -> SampleSpace:
        """The sample space."""
        return self.observed.space

    @property
    def unit(self) -> str:
        """What was drawn, in a sentence without its stop."""
        return self.evidence.sentence

    @property
    def kinds(self) -> Integers:
        """The kind of each entity, (n,): of those of one kind exactly the same was seen."""
        if self.same is not None:
            return self.same
        return self.evidence.kinds if self.evidence.names == self.names else np.arange(len(self.names))

    @cached_property
    def values(self) -> NDArray[Any]:
        """All draws at once, (draws, n, k)."""
        return np.concatenate(list(self.blocks()))

    def blocks(self) -> Iterator[NDArray[Any]]:
        """Yield the draws in parts, (some draws, n, k).

        Yields
        ------
        (some draws, n, k)
            The next draws.
        """
        left = self.count
        for block in self.source():
            yield block[:left]
            left -= len(block[:left])

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, name: str) -> Draws:
        """Return the draws of one entity. Raises UsageError for an unknown name."""
        row = rows_of(self.names, name, "entity")[0]
        return self._changed(lambda block: block[:, row : row + 1], observed=self.observed[name], apart=None, same=None)

    def _changed(self, change: Callable[[NDArray[Any]], NDArray[Any]], **fields: Any) -> Draws:
        return replace(self, source=lambda: map(change, self.blocks()), **fields)

    def shift_priors(self, prior: PriorLike | None) -> Draws:
        """Return the draws, and the performances seen, each shifted by itself to another share of positives.

        The shift comes after the draw, so the rates keep their uncertainty. Where an entity lacks a class in a draw,
        its values are NaN.

        Parameters
        ----------
        prior
            The share of positives π₊; None leaves the draws as they are.

        Returns
        -------
        Draws
            The shifted draws.

        Raises
        ------
        DataError
            Where the performances seen lack a class that must appear.

        Examples
        --------
        >>> import rankscape as rs
        >>> shifted = rs.uncertainty.posterior(
        ...     rs.Performances.from_counts([[50, 10, 5, 35]]), draws=100
        ... ).shift_priors(0.2)
        >>> shifted.values[:, 0, 2:].sum(axis=1).round(12).tolist() == [0.2] * 100
        True
        """
        number = checked_shift(prior, self.space)
        if number is None:
            return self

        def shifted(values: NDArray[Any]) -> NDArray[Any]:
            values = moved_to(values, number)
            total = values.sum(axis=2, keepdims=True)
            return np.where(total > 0, values / np.where(total > 0, total, 1), nan)

        return self._changed(
            shifted, observed=self.observed.shift_priors(number), apart=self.apart and self.apart.shift_priors(prior),
            method=f"{self.method}, each shifted to the prior {float(number):.4g}",
            prepared=self.prepared and replace(self.prepared, shift_prior=number),
        )  # fmt: skip

    def table(self) -> Table:
        """Return one row per draw and entity: draw, entity, and the values of all outcomes.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        draw, entity = np.divmod(np.arange(len(self) * len(self.names)), len(self.names))
        columns = dict(zip(self.space.outcomes, self.values.reshape(len(draw), -1).T, strict=True))
        return Table({"draw": draw, "entity": [self.names[row] for row in entity], **columns})

    @property
    def heading(self) -> str:
        """The numbers of draws and entities, and what was drawn."""
        return f"Draws: {len(self)} of {counted(len(self.names), 'entity', 'entities')}; {self.method}"


def posterior(
    performances: PerformancesLike,
    draws: int = DRAWS,
    rng: RandomLike = 0,
    *,
    method: PosteriorMethod = "exchangeable",
    weights: WeightsLike | None = None,
    missing: Missing = "error",
    resample: Resample | None = None,
    shift_prior: PriorLike | None = None,
) -> Draws:
    """Draw the performances that entities might have on all cases of this kind, from their counts.

    Counts do not say which cases two entities share, so each entity is drawn by itself. Differences between entities
    that were tried on the same cases then look less certain than they are (see :func:`paired`). Each class is drawn by
    itself, and so is the share of positives, which entities with the same class totals have in common.

    Parameters
    ----------
    performances
        Counts of n entities, on one or several domains.
    draws, rng
        How many draws, at least 1; a seed or a generator.
    method
        The prior distribution of a rate. "exchangeable": the entities are of one kind, and the more alike they look,
        the more their rates are pooled, so that P(first) is not overstated. "jeffreys" (half a case per outcome),
        "uniform" (one) or a number of cases per outcome keep them apart; then P(first) is too large where entities are
        alike. One entity alone gets "jeffreys".
    weights, missing, shift_prior
        How domains are averaged, and priors shifted after that, as in :func:`rankscape.summarize`.
    resample
        The unit that is drawn: "cases", or "domains" for other domains of this kind, as in :func:`resampled_domains`.
        By default cases; but domains where there are at least five, with 10 000 cases or more each on average, because
        so many cases can hardly be independent.

    Returns
    -------
    Draws
        Draws that are made in blocks as they are needed, so that many draws of many entities fit into memory.

    Raises
    ------
    DataError
        For performances without counts, unless domains are drawn.
    UsageError
        For an unknown method or unit.

    See Also
    --------
    rankscape.uncertainty.paired : where the models were tried on the same cases
    rankscape.uncertainty.rank_intervals

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[500, 100, 50, 350]])
    >>> rs.uncertainty.posterior(P, draws=4000).values.mean(axis=(0, 1)).round(2).tolist()
    [0.5, 0.1, 0.05, 0.35]
    """
    evidence = evidence_of_counts(performances, weights, missing, resample)
    return drawn_from(evidence, draws, rng, method).shift_priors(shift_prior)


def drawn_from(
    evidence: Evidence, draws: int = DRAWS, rng: RandomLike = 0, method: PosteriorMethod = "exchangeable"
) -> Draws:
    """Return draws from some evidence: every command, the card, the page and the functions come here."""
    count, method = checked_size("draws", draws), checked_method(method)
    method = 0.0 if evidence.errors and method != "exchangeable" else method  # the errors show how much they vary
    if not evidence.known:
        ways: list[Any] = ["give counts", Option("paired", python="draws, as those of uncertainty.paired")]
        if evidence.prepared.given.n_domains > 1:
            ways.append(["draw other domains, with ", Option("resample", "domains")])
        raise DataError(
            "uncertainty needs counts, and these are probabilities, which do not say how many cases they come from",
            way_out=ways,
        )
    seed = given_seed(rng)
    entropy = int(checked_rng(rng).integers(2**63)) if seed is None else seed
    engine = Engine(evidence, method, entropy)
    notes = about_evidence(evidence, method) if evidence.times == 1 else ()
    drawn = Draws(
        evidence.prepared.averaged, lambda: _blocks(engine, count), evidence, count, phrase(evidence, method),
        evidence.paired, notes, evidence.prepared, seed,
    )  # fmt: skip
    if method != "exchangeable" or len(drawn.names) < 3:
        return drawn
    return replace(drawn, apart=replace(drawn, count=APART, source=lambda: _blocks(engine.apart(), APART)))


def checked_method(method: PosteriorMethod) -> PosteriorMethod:
    """Return the prior distribution of draws by its name, or as a number; raise UsageError for what is none."""
    for name in METHODS:
        if isinstance(method, str) and method.lower() == name:
            return name
    if is_number(method) and 0 <= float(method) <= MOST_CASES:
        return float(method)
    given = Option("method", option="posterior", python=f"method={method!r:.80}", shell=f"--posterior {method!s:.80}")
    raise UsageError(
        [given, " is no prior distribution"],
        expected='"exchangeable", "jeffreys", "uniform", or a number of cases per outcome, from 0 to 1e15',
    )


def phrase(evidence: Evidence, method: PosteriorMethod) -> str:
    """Return the phrase on what was drawn: other units, and with which prior distribution."""
    if not evidence.known:
        return "no counts, so no draws"
    units = {"cases": "cases", "clusters": "clusters of cases", "domains": "domains"}[evidence.unit]
    together = "the same for all models" if evidence.paired else "separately for each model"
    prior = {
        "exchangeable": "models pooled by how similar they are",
        "jeffreys": "Jeffreys' prior, half a case per outcome",
        "uniform": "uniform prior, one case per outcome",
    }.get(str(method), f"prior of {method:g} cases per outcome" if not isinstance(method, str) else "")
    if evidence.errors:
        prior = f"models {'pooled by how similar they are' if method == 'exchangeable' else 'kept separate'}"
    elif method == "exchangeable" and len(evidence.names) < 2:
        prior = "Jeffreys' prior, half a case per outcome"
    return f"other {units}, {together}; {prior}"


def given_seed(rng: RandomLike) -> int | None:
    """Return the seed that was given, or None for a generator.

    >>> given_seed(3), given_seed(np.random.default_rng(3))
    (3, None)
    """
    return int(rng) if isinstance(rng, (int, np.integer)) and not isinstance(rng, bool) and rng >= 0 else None


def seed_of(rng: RandomLike) -> int:
    """Return the seed of draws: the one given, or one that a generator draws."""
    seed = given_seed(rng)
    return int(checked_rng(rng).integers(2**53)) if seed is None else seed


def _blocks(engine: Engine, count: int) -> Iterator[NDArray[Any]]:
    """Yield blocks of draws, made by several threads; the numbers do not depend on how many there are."""
    _ = engine.pools  # computed before the threads start, for each would compute them
    numbers, together = range(-(-count // engine.size)), min(8, os.cpu_count() or 1)
    if len(numbers) == 1 or together == 1:
        yield from map(engine.block, numbers)
        return
    with ThreadPoolExecutor(together) as threads:
        waiting = deque(threads.submit(engine.block, number) for number in numbers[:together])
        for number in numbers[together:]:
            block = waiting.popleft().result()
            waiting.append(threads.submit(engine.block, number))  # made while the caller takes this one
            yield block
        while waiting:
            yield waiting.popleft().result()


def refuse_unknown_options(options: Mapping[str, Any], function: Callable[..., Any]) -> None:
    """Raise UnknownOptionError for a keyword that is neither an option of draws nor one of the function's own."""
    known = [*list(signature(function).parameters)[:-1], *DrawOptions.__annotations__]
    refuse_unknown(options, known, f"{function.__name__}()")


def refuse_for_draws(given: Mapping[str, Any]) -> None:
    """Raise UsageError for the first option that is given beside draws, which it would not change."""
    if idle := [name for name, value in given.items() if value is not None]:
        raise no_effect(idle[0], "these are draws already", way_out="pass counts")


def draws_of(
    performances: PerformancesLike | Draws,
    draws: int | None,
    rng: RandomLike,
    options: DrawOptions,
) -> Draws:
    """Return given draws, or those of the posterior; raise UsageError for options that cannot change given draws.

    Given draws are shifted where ``shift_prior`` asks for it.
    """
    if not isinstance(performances, Draws):
        return posterior(performances, DRAWS if draws is None else draws, 0 if rng is None else rng, **options)
    refuse_for_draws({"draws": draws, "rng": rng, **options, "shift_prior": None})
    return performances.shift_priors(options.get("shift_prior"))


# Draws of what is behind printed rates: chance, and what the rounding hides, together

CHOICES = 20
"""How many choices of tables of counts draws are made from, where several tables round to what is printed."""


def draws_of_tables(
    nearest: Performances, tables: Sequence[NDArray[Any]], draws: int, rng: RandomLike, method: PosteriorMethod
) -> Draws:
    """Return draws as of counts; of several tables that round to what is printed each draw takes one, all as likely.

    ``nearest`` are the performances nearest to what is printed, ``tables`` all counts that each may have, (m, 4).
    """
    count, seed = checked_size("draws", draws), given_seed(rng)
    names = nearest.names
    if all(len(counts) == 1 for counts in tables):
        return drawn_from(evidence_of_counts(nearest), count, rng, method)
    entropy = int(checked_rng(rng).integers(2**63)) if seed is None else seed
    order = {name: place for place, name in enumerate(sorted(names))}  # the order of the rows changes nothing
    choices = min(CHOICES, count)
    picks = [np.random.default_rng([entropy, order[name]]).integers(len(counts), size=choices)
             for name, counts in zip(names, tables, strict=True)]  # fmt: skip
    parts = []
    for i in range(choices):
        chosen = np.array([counts[rows[i]] for rows, counts in zip(picks, tables, strict=True)])
        generator = np.random.default_rng([entropy, len(names), i])
        evidence = evidence_of_counts(Performances.from_counts(chosen, names=list(names)))
        parts.append(drawn_from(evidence, -(-count // choices), generator, method))
    first = drawn_from(evidence_of_counts(nearest), count, entropy, method)
    phrase = f"{choices} choices of the tables of counts that round to what is printed, and of each {first.method}"
    notes = (*first.notes, "All tables of counts that round to the same rates are taken as equally likely")
    printed = [counts.tobytes() for counts in tables]
    same = np.array([printed.index(one) for one in printed])
    mixed = replace(first, method=phrase, notes=notes, seed=seed, source=lambda: _in_turn(parts), same=same)
    apart = [replace(part.apart, count=-(-APART // choices)) for part in parts if part.apart is not None]
    return replace(
        mixed, apart=replace(mixed, apart=None, count=APART, source=lambda: _in_turn(apart)) if apart else None
    )


def _in_turn(parts: Sequence[Draws]) -> Iterator[NDArray[Any]]:
    for part in parts:
        yield from part.blocks()
