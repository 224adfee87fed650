"""From a name, an expression, an importance or a function to a score."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._costs import Costs, no_costs
from ..checks import fraction_of
from ..errors import NoPlaceError, Option, UnknownOptionError, UnknownScoreError, UsageError, refuse_unknown
from ..outcomes import TWO_CLASS, SampleSpace, lacks_tn
from ..performances import Performances
from ..results import Table
from ..tasks.pairs import Pairs
from ..tasks.table import default_score
from ..typing import Number, ScoreLike
from .catalogue import PRESETS, ROWS, Expression, ScoreSpec
from .expressions import INCREASING, Node, checked_degrees, number, number_of, parse, weighted_sum
from .names import AMBIGUOUS, macro, normalized, possible_names, refusal, refuse_ambiguous
from .proofs import importance_of, ratio_of_means
from .ranking_scores import vut
from .score import Score, formula_of, place_of_importance, proved_sound, ranking_proof, score_of_importance
from .sets import PerformanceSet
from .tasks import score_of_task

EVERYTHING = PerformanceSet()
_FUNCTIONS: dict[str, Callable[[Performances], ArrayLike]] = {"vut": vut}


@cache
def _known() -> dict[str, tuple[ScoreSpec, dict[str, Fraction]]]:
    """Return the row, and the parameters of a preset, of every normalized key, name, symbol and alias."""
    rows = {row.key: row for row in ROWS}
    named: list[tuple[str, ScoreSpec, dict[str, Fraction]]]
    named = [(name, row, {}) for row in ROWS for name in (row.key, row.name, row.symbol, *row.aliases)]
    named += [(name, rows[key], preset) for name, (key, preset) in PRESETS.items()]
    known: dict[str, tuple[ScoreSpec, dict[str, Fraction]]] = {}
    for name, row, preset in named:
        known.setdefault(normalized(name), (row, preset))
        known.setdefault(normalized(name.replace("'s", "")), (row, preset))
    return known


def _called(name: str) -> tuple[ScoreSpec | None, dict[str, Fraction]]:
    """Return the row that a name stands for, and the parameters of a preset; raise UsageError for several rows."""
    known = _known()
    plain = next((form for form in possible_names(name) if form in known or form in AMBIGUOUS), "")
    refuse_ambiguous(name, plain)
    return known.get(plain, (None, {}))


def score(name: str | Mapping[str, float], space: SampleSpace = TWO_CLASS, **parameters: Number | str) -> Score:
    """Return a score by its name, an alias, an event notation or an expression.

    Names are matched without case, spaces and hyphens: "F1", "fbeta(2)", "Cohen's kappa", "threat score", "P(tp | fp,
    tp)". A name that means several things, such as "FAR", is refused, with a name for each. Anything else is read as an
    expression.

    Parameters
    ----------
    name
        A name, an alias, an event notation, or an expression of tn, fp, fn, tp (probabilities), the short names of
        other scores, and sqrt, log, exp, abs, min, max; or an importance, {outcome: number}.
    space
        The sample space: with that of another task, its names (``space.scores``) and event notation; without true
        negatives, all scores that do not need them.
    parameters
        The parameters of a family of scores, such as ``beta=2`` for "fbeta".

    Returns
    -------
    Score
        The score; call it with performances to get its values.

    Raises
    ------
    UnknownScoreError
        For an unknown name, with the nearest ones.
    UsageError
        For a score that needs true negatives where there are none, and for a parameter that a family lacks.

    See Also
    --------
    rankscape.scores : the table of all names
    rankscape.locate : the place of a score on the Tile
    rankscape.audit : whether a score may be used to rank

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.score("recall").symbol, rs.score("fbeta", beta=2).symbol, rs.score("sqrt(tpr*tnr)").formula
    ('TPR', 'F_2', 'sqrt(tpr*tnr)')
    """
    given = tuple((key, _fraction(value, key)) for key, value in parameters.items())
    by: Score | None = None
    if isinstance(name, Mapping):
        by = as_score(name, space)
    elif not isinstance(name, str) or not name.strip():
        raise UsageError(f"expected the name of a score or an expression; got {name!r}")
    elif space.outcomes == TWO_CLASS.outcomes:
        by = _compiled(name, given)
    elif lacks_tn(space):
        by = _event(name, space) or _compiled(name, given).without_tn(space)
    else:
        by = _event(name, space) or (score_of_task(name, space, score) if space.scores else None)
        by = by or _compiled(name, given)
    if parameters:
        refuse_unknown(parameters, by.parameters, by.name)
    return by


@lru_cache(1024)
def _compiled(name: str, given: tuple[tuple[str, Fraction], ...]) -> Score:
    """Return the score, which is parsed and proved once."""
    return _named(name, dict(given)) or _event(name) or _expression(name, dict(given))


def score_called(name: str) -> Score | None:
    """Return the score of a name or an expression, None where there is none: quick, for names by the thousand.

    >>> score_called("recall").symbol, score_called("dataset")
    ('TPR', None)
    """
    try:
        by = _named(name, {}) or _event(name)
        if by is None and all(one in TWO_CLASS.outcomes or _called(one)[0] for one in parse(name).names()):
            by = _expression(name, {})
        return by
    except UsageError:
        return None


def _named(name: str, given: dict[str, Fraction]) -> Score | None:
    if name.lstrip()[:1] in "+-−":  # a sign, not a hyphen: an expression
        return None
    row, preset = _called(name)
    if row is not None and not (preset and given):
        return _from_row(row, given | preset, [])
    f_score = re.fullmatch(r"\s*f[\s_-]?(\d+\.?\d*|\.\d+|\d+/\d+)([\s_-]*(score|measure))?\s*", name.lower())
    family = "fbeta" if row is None else row.key
    if given and (f_score or preset):
        raise UnknownOptionError(
            f"{name.strip()!r} takes no {' or '.join(given)}", way_out=f"name the family, {family!r}"
        )
    if f_score:
        return score("fbeta", beta=f_score[1])
    of_both = None if given else macro(name)
    if of_both:
        return replace(_expression(of_both, given), key=name.strip(), name=name.strip(), symbol=name.strip())
    call = re.fullmatch(r"(.+?)\((.*)\)\s*", name, re.DOTALL)
    row = _called(call[1])[0] if call else None
    if call and row is not None and row.parameters:
        values = [part for part in call[2].split(",") if part.strip()]
        named = {k.strip().lower(): _fraction(v, k) for k, _, v in (part.partition("=") for part in values) if v}
        if values and given:
            twice = f"{name.strip()!r} has its parameters, and {next(iter(given))}= is given, too"
            raise UsageError(twice, way_out="leave one of them out")
        return _from_row(row, given | named, [_fraction(part, row.key) for part in values if "=" not in part])
    return None


def _fraction(value: Any, name: str) -> Fraction:
    try:
        return fraction_of(value)
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from None
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise UsageError(f"{name}: expected a finite number; got {value!r}") from None


def _from_row(row: ScoreSpec, given: dict[str, Fraction], positional: list[Fraction]) -> Score:
    expected = [parameter.name for parameter in row.parameters]
    if len(positional) > len(expected):
        raise UsageError(f"{row.key} takes {len(expected)} parameters ({', '.join(expected)}); got {len(positional)}")
    given = dict(zip(expected, positional, strict=False)) | given
    unknown = set(given) - set(expected)
    if unknown:
        wrong, right = ", ".join(sorted(unknown)), ", ".join(expected) or "none"
        raise UnknownOptionError(f"{row.name} has no parameter {wrong}; it takes {right}")
    for parameter in row.parameters:
        if parameter.name not in given:
            if parameter.default is None:
                example = f"write, for example, {row.key}(1/2)"
                raise UsageError(f"{row.name} needs a value for {parameter.name}: {example}")
            given[parameter.name] = Fraction(parameter.default)
        value = given[parameter.name]
        if not parameter.low <= value <= parameter.high or (parameter.below and value == parameter.high):
            interval = f"[{parameter.low:g}, {parameter.high:g}{')' if parameter.below else ']'}"
            raise UsageError(f"{row.key}: {parameter.name} must lie in {interval}; got {float(value):g}")
    values = {name: given[name] for name in expected}
    importance = _constants(row.importance, values)
    formula = formula_of(importance) if importance and values else row.formula
    presets = (name for name, (key, preset) in PRESETS.items() if key == row.key and preset == values)
    letters = {parameter.letter: given[parameter.name] for parameter in row.parameters}
    alike = {name: getattr(row, name) for name in ("key", "domain", "low", "high", "direction", "source", "note")}
    return Score(
        **alike,
        name=_filled(row.name, letters),
        symbol=_filled(row.symbol, letters),
        formula=formula,
        aliases=(*row.aliases, *presets),
        importance=importance,
        parameters=values,
        node=_node(row.formula, values) if row.formula else None,
        order_node=_node(row.order, values) if row.order else None,
        function=_FUNCTIONS.get(row.key),
        orders_as=importance or _constants(row.orders_as, values),
        known=True,
    )


def _node(text: Expression, values: Mapping[str, Fraction], seen: tuple[str, ...] = ()) -> Node:
    return _resolved(parse(str(text)), values, seen)


def _filled(text: str, letters: dict[str, Fraction]) -> str:
    """Write parameters into a name or symbol: F_β with β = 2 becomes F_2."""
    for letter, value in letters.items():
        text = text.replace(letter, f"{float(value):g}")
    return text


def _constants(texts: Any, values: Mapping[str, Fraction]) -> tuple[Fraction, ...] | None:
    if texts is None:
        return None
    numbers = [number_of(_node(text, values)) for text in texts]
    return tuple(number for number in numbers if number is not None)


def _resolved(node: Node, values: Mapping[str, Fraction], seen: tuple[str, ...]) -> Node:
    """Replace parameters by their numbers, and the names of other scores by their formulas."""
    if node.kind != "name" or node.value in TWO_CLASS.outcomes:
        return Node(node.kind, node.value, tuple(_resolved(arg, values, seen) for arg in node.args))
    if node.value in values:
        return number(values[node.value])
    row, preset = _called(node.value)
    if row is None or (row.parameters and not preset) or not row.formula or row.key in seen:
        known_names = f"tn, fp, fn, tp and short names such as {_nearest(node.value)}"
        raise UnknownScoreError(f"unknown name {node.value!r} in an expression; it may use {known_names}")
    return _node(row.formula, preset, (*seen, row.key))


def _event(name: str, space: SampleSpace = TWO_CLASS) -> Score | None:
    """Return the probabilistic score P(E₁ | E₂) that a name such as "P(tp | fp, tp)" stands for. (Tile, (1)-(2).)"""
    # Defined where P(E₂) ≠ 0. E₁ is intersected with E₂, and must be neither impossible nor sure given E₂.
    match = re.fullmatch(r"\s*[Pp]\s*\(([^()|]+)(?:\|([^()|]+))?\)\s*", name)
    if match is None:
        return None
    event, given = match.groups()
    alone = {"tn": "ptn", "fp": "pfp", "fn": "pfn", "tp": "ptp"}.get(event.strip())
    if alone and given is None and space.outcomes == TWO_CLASS.outcomes:
        return score(alone)
    outer = np.ones(len(space), dtype=bool) if given is None else space.event(given)
    inner = space.event(event) & outer
    if not inner.any() or (inner == outer).all():
        raise UsageError(f"P({event.strip()} | {given or 'Ω'}) is constant: the event must be possible and not sure")
    first, second = (dict.fromkeys(np.array(space.outcomes)[mask].tolist(), 1) for mask in (inner, outer))
    text = f"P({', '.join(first)} | {', '.join(second)})" if given else f"P({', '.join(first)})"
    importance = tuple(Fraction(int(inside)) for inside in outer)
    satisfying = None if space.satisfaction is None else np.array(space.satisfaction) == 1
    ranking = satisfying is not None and bool((inner == (outer & satisfying)).all())
    dual = satisfying is not None and bool((inner == (outer & ~satisfying)).all())
    return Score(
        key=text,
        name=text,
        symbol=text,
        formula=f"({' + '.join(first)}) / ({' + '.join(second)})",
        domain=f"{' + '.join(second)} > 0",
        low=0.0,
        high=1.0,
        direction="smaller" if dual else "larger" if ranking else None,
        importance=importance if ranking else None,
        orders_as=importance if ranking or dual else None,
        source="Tile, eqs (1)-(2) and Lemma 6",
        space=space,
        node=Node("call", "/", (weighted_sum(first), weighted_sum(second))),
        known=True,
    )


def _expression(text: str, given: dict[str, Fraction]) -> Score:
    try:
        parsed = parse(text)
        names = set(parsed.names())
        given = {name: value for name, value in given.items() if name in names}
        node = _resolved(parsed, given, ())
    except UsageError:
        if (known := refusal(text)) is not None:
            raise known from None
        if "," in text and all(normalized(part) in _known() for part in text.split(",")):
            raise UsageError(
                f"{text.strip()[:80]!r} names several scores; expected one: rank by each in turn"
            ) from None
        if re.fullmatch(r"[\w\s'’\-‐-―&.]*", text):
            raise UnknownScoreError(
                f"no score is called {text.strip()[:80]!r}; the nearest names are {_nearest(text)} "
                "(`rankscape scores` lists them all; an expression such as sqrt(tpr*tnr) is fine too)"
            ) from None
        raise
    checked_degrees(node)
    forms = None if node.value in INCREASING else ratio_of_means(node, EVERYTHING)
    text = text.strip()
    by = Score(text, text, text, text, importance=forms and importance_of(forms), parameters=given, node=node)
    proof = ranking_proof(by, EVERYTHING)
    orders_as = proof.importance if proof is not None and proof.sign > 0 else None
    return replace(by, orders_as=orders_as, proved=proved_sound(by, EVERYTHING))


def _nearest(text: str) -> str:
    text = text[:80]  # longer ones are near no name
    names = {normalized(name): name for row in ROWS for name in (row.key, row.name, *row.aliases)}
    names |= {normalized(name): name for name in PRESETS}
    near = get_close_matches(normalized(text), names, n=3, cutoff=0.5)
    return ", ".join(repr(names[name]) for name in near) if near else "'f1', 'accuracy', 'recall'"


def as_score(by: Any, space: SampleSpace = TWO_CLASS) -> Score:
    """Return a score from whatever names one: a score, text, an importance (one number per outcome), or a function.

    A mapping of outcomes to numbers is an importance, too; what it does not name has importance 0. None stands for the
    score by which performances on this space are ranked if nobody names one: F₁, or accuracy for several classes.

    >>> as_score({"fp": 1, "tp": 1}).importance == score("precision").importance
    True
    """
    if isinstance(by, Score):
        return by.without_tn(space) if lacks_tn(space) else by
    if by is None:
        return score(_default(space), space)
    if isinstance(by, (Performances, Pairs)):
        raise UsageError("expected a score, such as 'f1', an importance or a function; got performances")
    if isinstance(by, Mapping):
        return score_of_importance(_by_outcome(by, space), space)
    if isinstance(by, Costs) and space.outcomes == TWO_CLASS.outcomes:
        return replace(score_of_importance(by, space, name=by.name), costs=by)
    if isinstance(by, Costs) and lacks_tn(space):
        raise no_costs(by)
    if isinstance(by, str):
        return score(by, space)
    if callable(by):
        name = getattr(by, "__name__", type(by).__name__)
        return Score(key=name, name=name, symbol=name, formula="", domain="a finite value", function=by, space=space)
    return score_of_importance(by, space)


def _default(space: SampleSpace) -> str:
    name = default_score(space)
    if name is None:
        named = "".join(f'"{name}", ' for name in space.scores)
        known = f"{named}{'or ' * bool(named)}an importance, one number per outcome"
        raise UsageError([Option("by"), f" is needed to rank {space.name} performances"], way_out=known)
    return name


def _by_outcome(weights: Mapping[Any, Any], space: SampleSpace) -> Any:
    if lacks_tn(space) and set(weights) <= set(TWO_CLASS.outcomes):
        return TWO_CLASS.importance(**weights)
    foreign = [key for key in weights if key not in space.outcomes]
    if foreign:
        classes = f"rs.tasks.multi_class.importance(P, {dict(weights)!r:.80}) takes classes"
        raise UsageError(
            f"{str(foreign[0])[:80]!r} is no outcome of {space.name} performances",
            expected=f"some of {', '.join(space.outcomes[:8])}",
            way_out=Option("classes", python=classes),
        )
    return space.importance(**{str(key): weight for key, weight in weights.items()})


def locate(
    what: ScoreLike, prior: float | Fraction | None = None, *, prediction_rate: float | Fraction | None = None
) -> tuple[float, float]:
    """Return the place (a, b) on the Tile of the ordering of a score, or of an importance (tn, fp, fn, tp).

    a = I(tp)/(I(tn)+I(tp)) is the horizontal axis, b = I(fn)/(I(fp)+I(fn)) the vertical one. The ordering is that of
    the score's direction. What is at (a, b) at a prior is, with truth and prediction exchanged, at (a, 1 − b) at that
    prediction rate. (Tile, Lemma 3; 4.2 and A.3. Where these differ, we follow A.3.1: see the errata.)

    Parameters
    ----------
    what
        A score, or an importance (tn, fp, fn, tp).
    prior
        The prior π₊ in (0, 1), for scores that have a place only where all that is compared has the same prior.
    prediction_rate
        The prediction rate τ₊ in (0, 1), for scores, such as markedness, that have a place only where all predict
        positive equally often.

    Returns
    -------
    tuple of float
        The place (a, b), each in [0, 1].

    Raises
    ------
    NoPlaceError
        Where the ordering has no place; the message says why.
    UsageError
        Where both ``prior`` and ``prediction_rate`` are given.

    See Also
    --------
    rankscape.at : the preference at a place
    rankscape.score
    rankscape.audit : proves whether there is a place

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.locate("kappa", prior=0.5), rs.locate([2, 3, 1, 6])
    ((0.5, 0.5), (0.75, 0.25))
    >>> rs.locate("informedness", prior=0.25), rs.locate("markedness", prediction_rate=0.25)
    ((0.75, 0.75), (0.75, 0.25))

    A place says how a score orders where it has a value. The ranking score at the place may have one where the score
    has none: the positive likelihood ratio is at the place of the PPV, but has no value without false positives.

    >>> rs.locate("plr", prior=0.5) == rs.locate("ppv")
    True
    """
    return as_score(what).place(prior, prediction_rate=prediction_rate)


def named_at(place: tuple[Fraction, Fraction]) -> Score | None:
    """Return the ranking score of the catalogue at a place, None where it has none."""
    fixed = (row for row in ROWS if row.importance and not row.parameters)
    return next((score(row.key) for row in fixed if place_of_importance(row.importance) == place), None)


def orders_alike(by: Score, performances: Performances) -> tuple[Score, str] | None:
    """Return another score that orders these performances alike, and where that holds; None where none is known.

    >>> P = Performances.from_counts([[50, 0, 5, 45], [40, 10, 10, 40]])
    >>> other, where = orders_alike(score("plr"), P)
    >>> other.key, where
    ('ppv', ' at equal priors')
    """
    if by.key == "or":
        return score("yuleq"), ""
    try:
        other = named_at(by.place_among(performances))
    except (NoPlaceError, UsageError):
        return None
    if other is None or other.key == by.key:
        return None
    kinds = {
        "prior": " at equal priors",
        "rate": " at equal prediction rates",
    }
    where = "" if by.orders_as is not None else kinds["prior" if by.needs("prior") else "rate"]
    return as_score(other, performances.space), where


def scores() -> Table:
    """Return the table of all named scores.

    Returns
    -------
    Table
        The columns key, name, symbol, aliases, formula, domain, low and high (the range), better (the direction),
        importance, sound, place (on all performances, or at the priors p = π₊ and q = π₋), rate_place (at the
        prediction rate t = τ₊), source and note.

    See Also
    --------
    rankscape.score : one of them
    rankscape.audit : whether it may be used to rank

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.scores()["symbol"][rs.scores()["key"].index("tpr")]
    'TPR'
    """
    rows = [_described(row) for row in ROWS]
    return Table({name: [row[name] for row in rows] for name in rows[0]})


def _described(row: ScoreSpec) -> dict[str, Any]:
    presets = [name for name, (key, _) in PRESETS.items() if key == row.key]
    shares = "fixed priors" if row.place else "fixed prediction rates" if row.rate_place else "never"
    orders_as = row.importance or row.orders_as
    sound = "always" if orders_as else shares
    at_place = row.place if orders_as is None or row.parameters else place_of_importance(orders_as)
    place, rate_place = (at and f"a = {at[0]}, b = {at[1]}" for at in (at_place, row.rate_place))
    return {
        "key": "(".join([row.key, ", ".join(p.name for p in row.parameters) + ")"]) if row.parameters else row.key,
        "name": row.name,
        "symbol": row.symbol,
        "aliases": ", ".join((*row.aliases, *presets)),
        "formula": row.formula or row.note,
        "domain": row.domain,
        "low": row.low,
        "high": row.high,
        "better": row.direction or "neither",
        "importance": None if row.importance is None else ", ".join(map(str, row.importance)),
        "sound": sound,
        "place": "depends on the parameter" if orders_as and row.parameters else place,
        "rate_place": rate_place,
        "source": row.source,
        "note": row.note if row.formula else "",
    }
