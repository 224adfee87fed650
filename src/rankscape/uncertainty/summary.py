"""Probabilities and intervals in words."""

from ..texts import counted, label, some
from .diagnostics import FEW
from .intervals import RankIntervals

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


def likely(p: float) -> str:
    """Return a probability in words, with two digits.

    >>> likely(0.523), likely(0.999), likely(1.0), likely(0.02)
    ('about one half (0.52)', 'almost 1 (> 0.99)', '1 (in all draws)', 'about 0.02')
    """
    if p in (0, 1):
        return "1 (in all draws)" if p else "0 (in no draw)"
    if p > SURE:
        return "almost 1 (> 0.99)"
    if p < 1 - SURE:
        return "almost 0 (< 0.01)"
    name, share = min(SHARES.items(), key=lambda item: abs(item[1] - p))
    return f"about {name} ({p:.2f})" if abs(share - p) < 0.035 else f"about {p:.2f}"


def said(found: RankIntervals, longest: int = 6) -> list[str]:
    """Return the lines that a reader of a leaderboard must know."""
    best = [found.names[i] for i in found.order if found.ranks[i] == 1]
    chance = dict(zip(found.names, found.p_first.tolist(), strict=True))
    lines = []
    for name in best[:longest]:
        lines.append(f"{label(name)} is first with probability {likely(chance[name])}")
    surest = max(chance.values(), default=0.0)
    surer = [name for name in found.names if chance[name] == surest and name not in best]
    if surer and surest > max((chance[name] for name in best), default=0.0):
        lines.append(f"More probably first is {label(surer[0])}: {likely(surest)}")
    tied = found.tied_for_first
    if len(tied) > 1:
        lines.append(
            f"One of these is first with probability {found.level:.0%} or more: {some(tied, longest, quote='')}"
        )
    sizes = [len(tier) for tier in found.tiers]
    if len(sizes) > 1:
        shown = ", ".join(map(str, sizes[:longest])) + (", …" if len(sizes) > longest else "")
        lines.append(
            f"{len(sizes)} tiers, of {shown} entities from the top: the first of each beats the first of the next, "
            f"{found.level:.0%}"
        )
    kind = "simultaneous intervals" if found.simultaneous else "intervals, each by itself"
    lines.append(f"Ranks: {found.level:.0%} {kind}; {counted(found.draws, 'draw')}, {found.method}")
    if found.draws < FEW:
        lines.append(
            f"Caution: intervals and P(first) of {counted(found.draws, 'draw')} are rough; {FEW} or more are better"
        )
    lines += [f"Caution: {note}" for note in found.notes]
    if not found.paired:
        lines.append(
            "If all were tried on the same cases, the differences are usually surer than this; predictions would tell"
        )
    return lines
