"""How results look, in figures and on the page: colors of entities, palettes, symbols, and the words of axes."""

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

HUES = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#d55e00", "#0072b2", "#882255")
"""Okabe and Ito's hues and a wine red, ordered so that neighbors in the order differ."""

PATTERNS = ("", "\\\\\\", "|||", "---")
"""Hatches of the first eight entities, the next eight, and so on; lines have dashes in their place."""

GRAY_PATTERNS = ("", "\\\\", "||", "--", "xx", "++", "oo", "**")
"""Hatches of the hues, by which a paper printed in gray tells regions apart; denser for the next eight, and so on."""

DASHES = ("-", (0, (6, 1.5)), (0, (3, 1.5)), (0, (1, 1)))
REST, PAPER, INK, QUIET, FAINT = "#8c8c8c", "#ffffff", "#1a1a1a", "#4d4d4d", "#b3b3b3"
TINT, FAINT_TINT = 0.45, 0.35
"""The share of a hue, and of the gray of the rest, in a tint; the rest is paper."""

PALETTES: Mapping[str, tuple[str, ...]] = {
    "sequential": (
        "#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725",
    ),
    "signed": ("#8a3800", "#d9822b", "#f5c98b", "#f2f2f2", "#a3cbe8", "#3d8cc4", "#08457e"),
}  # fmt: skip
"""Colors from the smallest value to the largest; in a signed map blue is where what is selected is better."""

ENDS = {"first": "#0072b2", "second": "#d55e00"}
BAND = "#e3e3e3"
"""A band of places below curves: light, so that all of them stay visible on it."""

AXES = {
    "tile": (
        "a:  correct rejections  ←  what counts as success  →  detections",
        "b:  false alarms  ←  what counts as failure  →  misses",
    ),
    "roc": ("false positive rate  (1 − specificity)", "true positive rate  (recall)"),
    "pr": ("recall  (true positive rate)", "precision"),
    "cost": ("probability-cost PC", "normalized expected cost"),
    "decision": ("threshold probability", "net benefit"),
}
"""The words of the horizontal and the vertical axis of each plane."""

EXCHANGE = "false alarms per miss, at a = 1"
"""The words of the right side of the Tile."""

NARROW = {
    EXCHANGE: "false alarms per miss",
    AXES["tile"][0]: "a:  correct rejections  ←  success  →  detections",
    AXES["tile"][1]: "b:  false alarms  ←  failure  →  misses",
    "a:  correct rejections  ←  success  →  detections": "a:  TN  ←  success  →  TP",
    "b:  false alarms  ←  failure  →  misses": "b:  FP  ←  failure  →  FN",
    "negative predictive value": "NPV",
    AXES["roc"][0]: "false positive rate",
    AXES["roc"][1]: "true positive rate",
    AXES["pr"][0]: "recall",
}
"""What stands in the place of the words of an axis, or of a corner, where these have no room; perhaps in steps."""

CORNERS = {
    (0, 0): "specificity (TNR)",
    (1, 0): "precision (PPV)",
    (0, 1): "negative predictive value",
    (1, 1): "recall (TPR)",
}
RATES = {0.0: "0", 0.25: "1/3", 0.5: "1", 0.75: "3", 1.0: "∞"}
"""Ticks of the Tile, and the exchange rates there."""

CALLED = {"PPV": "precision", "TPR": "recall"}
_SYMBOLS = {"A": "accuracy", "F_0.5": "F½"}
_SMALL = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def colors_of(names: Sequence[str]) -> dict[str, str]:
    """Return the color of each entity, by its place in the data: the same in every figure.

    >>> colors_of(["a", "b"])
    {'a': '#56b4e9', 'b': '#e69f00'}
    """
    return dict(zip(dict.fromkeys(names), cycle(HUES), strict=False))


def rounds_of(names: Sequence[str]) -> dict[str, int]:
    """Return which pattern or dash each entity has: entities that share a hue differ in it.

    >>> rounds_of([str(i) for i in range(9)])["8"]
    1
    """
    return {name: i // len(HUES) % len(PATTERNS) for i, name in enumerate(dict.fromkeys(names))}


def gray_patterns_of(names: Sequence[str]) -> dict[str, str]:
    """Return the pattern of each entity in a figure for a paper, by its place in the data.

    >>> gray_patterns_of(["a", "b", "c"])["c"]
    '||'
    """
    bases = [GRAY_PATTERNS[i % len(HUES)] for i in range(len(names))]
    return {
        name: (bases[i] or "O" * bool(rounds)) * (1 + rounds)
        for i, (name, rounds) in enumerate(rounds_of(names).items())
    }


def highlighted(names: Sequence[str], order: Sequence[str]) -> dict[str, str]:
    """Return the colors of entities; of more than eight only the first eight of an order have one, the rest are gray.

    >>> list(highlighted([str(i) for i in range(9)], ["8", "0"]).values())[::4]
    ['#56b4e9', '#8c8c8c', '#56b4e9']
    """
    colors, bright = colors_of(names), set(order[: len(HUES)])
    return {name: color if len(colors) <= len(HUES) or name in bright else REST for name, color in colors.items()}


def tint(color: str) -> str:
    """Mix a color with paper, so that dark text on it stays readable; the gray of the rest even more.

    >>> tint("#000000"), tint(REST)
    ('#8c8c8c', '#d7d7d7')
    """
    strength = FAINT_TINT if color == REST else TINT
    return "#" + "".join(f"{round(strength * int(color[k : k + 2], 16) + (1 - strength) * 255):02x}" for k in (1, 3, 5))


def pretty(symbol: str) -> str:
    """Return a symbol as it is printed: with small digits, and accuracy in full.

    >>> pretty("F_1"), pretty("F_0.5"), pretty("F_0.779"), pretty("R(1, 0.5)")
    ('F₁', 'F½', 'F₀.₇₇₉', 'R(1, 0.5)')
    """
    letter, _, below = symbol.partition("_")
    small = below.translate(_SMALL) if below.replace(".", "", 1).isdecimal() else ""
    return _SYMBOLS.get(symbol) or (letter + small if small else symbol)


def exchange_rate(rate: float) -> str:
    """Return an exchange rate with two digits.

    >>> [exchange_rate(x) for x in (0.0312, 0.19, 2.14, 31.2, 5e4)]
    ['0.03', '0.19', '2.1', '31', '> 999']
    """
    digits = 0 if rate >= 9.95 else 1 if rate >= 0.995 else 2
    return "> 999" if rate > 999 else f"{rate:.{digits}f}"


def as_data() -> dict[str, Any]:
    """Return what the page can take over: colors, palettes and words as plain data."""
    inks = {"rest": REST, "paper": PAPER, "ink": INK, "quiet": QUIET, "faint": FAINT}
    labels = {"axes": AXES, "narrow": NARROW, "corners": list(CORNERS.values()), "rates": list(RATES.items())}
    return {"hues": HUES, "tint": TINT, "inks": inks, "palettes": PALETTES} | labels
