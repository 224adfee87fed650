"""Probabilities and intervals of ranks in sentences."""

from dataclasses import replace

import numpy as np

from .._scores import Score
from ..domains.roles import FEWEST
from ..texts import counted, estimated, joined, label, level_text, of_draws, some
from ..typing import PriorLike
from .defaults import FEW
from .draws import Draws, drawn_from
from .intervals import RankIntervals, rank_intervals

SHARES = {
    "one in ten": 0.1,
    "one in five": 0.2,
    "one quarter": 0.25,
    "one third": 1 / 3,
    "two in five": 0.4,
    "one half": 0.5,
    "three in five": 0.6,
    "two thirds": 2 / 3,
    "three quarters": 0.75,
    "four in five": 0.8,
    "nine in ten": 0.9,
}
SURE = 0.995
POOLED = "pooled"
"""The word in the phrase of a method that pools the entities."""


def likely(p: float) -> str:
    """Return a probability in words, with two digits.

    >>> likely(0.523), likely(0.999), likely(1.0), likely(0.02)
    ('about one half (0.52)', 'almost 1 (> 0.99)', 'almost 1 (> 0.99)', 'about 0.02')
    """
    text = estimated(p)
    if p > SURE or p < 1 - SURE:
        return f"almost {round(p)} ({text})"
    name, share = min(SHARES.items(), key=lambda item: abs(item[1] - p))
    return f"about {name} ({text})" if abs(share - p) < 0.035 else f"about {text}"


def chance(intervals: RankIntervals, name: str) -> str:
    """Return P(first) of an entity in words, with the assumption behind it: "with probability about 0.6, assuming …".

    Of fewer draws than ``FEW`` it says in how many the entity is first. It is empty where P(first) is unknown.
    """
    p = float(intervals.p_first[intervals.names.index(name)])
    if p != p:
        return ""
    if intervals.draws < FEW:
        return f"in {p * intervals.draws:.3g} of {counted(intervals.draws, 'draw')}"
    leaning = POOLED in intervals.method and len(intervals.names) > 1 and 1 - SURE <= p <= SURE
    return f"with probability {likely(p)}" + (", assuming the models are all of one kind" if leaning else "")


def sentences(intervals: RankIntervals, longest: int = 6) -> list[str]:
    """Return the sentences on uncertainty below a leaderboard."""
    best = [intervals.names[i] for i in intervals.order if intervals.ranks[i] == 1]
    if best and not intervals.places.any():
        return ["No draw is defined, so P(first) is unknown", *about_draws(intervals)]
    lines = [f"{label(name)} is first {chance(intervals, name)}" for name in best[:longest] if chance(intervals, name)]
    lines += [*_surer(intervals, best), *_tops(intervals, longest), *_tiers(intervals, longest)]
    return [*lines, *about_draws(intervals)]


def on_differences(intervals: RankIntervals, most: int = 6) -> str:
    """Return in one or two sentences how many pairs are decided, what may be best, and what is worse than the best.

    ``most`` names stand in a list at most.
    """
    decided, pairs, level = int(intervals.sure.sum()), intervals.pairs, level_text(intervals.level)
    if not pairs:
        return "There is no pair of models to compare."
    if not decided:
        none = "do not settle the only pair" if pairs == 1 else f"settle none of the {pairs} pairs"
        return f"At a level of {level}, the draws {none}: no model is surely better than another."
    names = [intervals.names[row] for row in intervals.together]
    best = int(intervals.best_first[0])
    worse = [names[i] for i in intervals.best_first if intervals.sure[best, i]]
    share = f"all {pairs} pairs" if decided == pairs else f"{decided} of the {pairs} pairs"
    held = of_draws(intervals.differences_held, intervals.draws)
    first = (
        f"The draws settle {'the only pair' if pairs == 1 else share} (level {level}): "
        f"{'it holds' if decided == 1 else 'together they hold'} in {held}."
    )
    if len(worse) == len(names) - 1:
        return f"{first} {label(names[best])} is surely better than every other model."
    behind = f"{joined(worse, most, 'and')} {'are' if len(worse) > 1 else 'is'}" if worse else "none is"
    return (
        f"{first} No model is surely better than {joined(intervals.tied_for_first, most, 'or')}; {behind} surely worse "
        f"than {label(names[best])}, which is first on these data."
    )


def on_other_domains(drawn: Draws, score: Score, level: float, shift_prior: PriorLike | None = None) -> list[str]:
    """Return the sentence on who is first on other domains of their kind; none for few domains, or with gaps."""
    evidence = drawn.evidence
    if evidence.prepared.lacking or len(evidence.used) < FEWEST or len(drawn.names) < 2:
        return []
    seed = 0 if drawn.seed is None else drawn.seed
    others = drawn_from(replace(evidence, unit="domains", units=()), len(drawn), seed)
    intervals = rank_intervals(others, score, level=level, shift_prior=shift_prior)
    best = [intervals.names[i] for i in intervals.order if intervals.ranks[i] == 1]
    if not best:
        return []
    cautions = [f"Caution: {note}" for note in intervals.notes[:1]]
    if not intervals.places.any():
        return ["Nothing can be said of other domains of the same kind: no draw is defined", *cautions]
    sure, n = int(intervals.sure.sum()), len(intervals.together)
    first = f"{label(best[0])} is first {chance(intervals, best[0])}"
    pairs = counted(n * (n - 1) // 2, "difference")
    return [f"On other domains of the same kind, {first}; {sure} of {pairs} are sure", *cautions]


def about_draws(drawn: RankIntervals | Draws) -> list[str]:
    """Return the sentences on what was drawn and how, and the cautions; draws alone have no sets of ranks yet."""
    draws = len(drawn) if isinstance(drawn, Draws) else drawn.draws
    text = counted(draws, "draw")
    if not isinstance(drawn, Draws):
        level = level_text(drawn.level)
        intervals = f"{level} credible intervals, each on its own"
        if not drawn.simultaneous:
            text = f"Ranks and values: {intervals}; {text}"
        elif np.count_nonzero(~np.isnan(drawn.ranks)) < 2:
            text = f"Values: {intervals}; {text}"
        else:
            held = of_draws(drawn.held, draws)
            text = f"All sets of ranks are right at once in {held} (level: at least {level}); values: {intervals}"
    seed = "" if drawn.seed is None else f"; seed {drawn.seed}"
    how = drawn.method.split("; ", 1)[-1]  # what comes before is what the unit says
    lines = [*([drawn.unit] if drawn.unit else []), f"{text}{seed}; {how}"]
    return lines + [f"Caution: {caution}" for caution in cautions_of(drawn)]


def cautions_of(drawn: RankIntervals | Draws) -> list[str]:
    """Return of what to beware: few draws, and what their notes say."""
    draws = len(drawn) if isinstance(drawn, Draws) else drawn.draws
    rough = f"intervals and P(first) of {counted(draws, 'draw')} are rough; {FEW} or more are better"
    return [*([rough] if draws < FEW else []), *drawn.notes]


def _surer(intervals: RankIntervals, best: list[str]) -> list[str]:
    """Name the entity with the largest P(first), where the performances seen put another one first."""
    p = dict(zip(intervals.names, intervals.p_first.tolist(), strict=True))
    surest = max((x for x in p.values() if x == x), default=None)
    if not best or surest is None or surest <= max(p[name] for name in best):
        return []
    name = next(name for name in intervals.names if p[name] == surest)
    if intervals.draws < FEW:
        return [f"{label(name)} is first more often: {chance(intervals, name)}"]
    return [f"{label(name)} is more likely to be first: with probability {likely(surest)}"]


def _tops(intervals: RankIntervals, longest: int) -> list[str]:
    """List the entities that no other one is surely better than."""
    tied = intervals.tied_for_first
    if intervals.draws < FEW:
        return [f"No difference is sure: {counted(intervals.draws, 'draw')} cannot tell"] if intervals.pairs else []
    if len(tied) < 2:
        return [f"{label(name)} is surely better than all others" for name in tied if intervals.pairs]
    if not intervals.sure.any():
        return ["No difference is sure: the models may all be equally good, and P(first) says little"]
    return [f"Any of these may be the best: {some(tied, longest, quote='')}"]


def _tiers(intervals: RankIntervals, longest: int) -> list[str]:
    sizes = [len(tier) for tier in intervals.tiers]
    if len(sizes) < 2:
        return []
    numbers = (
        f"{', '.join(map(str, sizes[:longest]))}, …"
        if len(sizes) > longest
        else f"{', '.join(map(str, sizes[:-1]))} and {sizes[-1]}"
    )
    return [
        f"{len(sizes)} tiers of {numbers} models, best first: the leader of each is surely better than the leader of "
        "the next"
    ]
