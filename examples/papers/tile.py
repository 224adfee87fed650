"""Figures 1-9 and Tables 1-2 of the Tile paper, regenerated with rankscape, and its printed numbers checked.

    python examples/papers/tile.py [--output DIR] [--only fig5 table1 ...] [--format png|pdf|svg]

Every checked number is printed as a row "what, printed, ours, status". The status is "exact" (equal in exact
arithmetic), "printed" (equal to the printed digits, or, for numbers estimated from draws, within their error), or
"differs", with the reason. (Piérard, Halin, Cioppa, Deliège, Van Droogenbroeck: The Tile, CVPR 2025.)
"""

import os
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from checking import Check, asked, check, saved, told, yes
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

import rankscape as rs
from rankscape.geometry.roc import Line, Pencil
from rankscape.look import HUES, colors_of, tint
from rankscape.plots import draw_tile
from rankscape.results import Table

PRIOR = 0.3  # of the positive class where the paper chooses π₋ = 0.7 (Figures 3, 6 and 7)
DRAWS = 10_000
THREADS = os.cpu_count() or 1
INK, QUIET, FAINT = "#1a1a1a", "#4d4d4d", "#b3b3b3"
BLUE, ORANGE, GREEN, PINK = HUES[6], HUES[5], HUES[2], HUES[3]
HALO = [withStroke(linewidth=3, foreground="white")]
NINE = {  # as laid out in Figure 4 and listed in Table 2: the paper's name, its writing here, Table 2's row
    "NPV": ("npv", "P(tn | tn, fn)", (1, 0, 1, 0), "yes", "(0, 1)"),
    "X{tn,tp}|{tn,fn,tp}": ("P(tn, tp | tn, fn, tp)", "P(tn, tp | tn, fn, tp)", (1, 0, 1, 1), "no", "(1/2, 1)"),
    "TPR": ("tpr", "P(tp | fn, tp)", (0, 0, 1, 1), "yes", "(1, 1)"),
    "J₋": ("jminus", "P(tn | tn, fp, fn)", (1, 1, 1, 0), "no", "(0, 1/2)"),
    "A": ("accuracy", "P(tn, tp)", ("1/2",) * 4, "yes", "(1/2, 1/2)"),
    "J₊": ("jplus", "P(tp | fp, fn, tp)", (0, 1, 1, 1), "no", "(1, 1/2)"),
    "TNR": ("tnr", "P(tn | tn, fp)", (1, 1, 0, 0), "yes", "(0, 0)"),
    "X{tn,tp}|{tn,fp,tp}": ("P(tn, tp | tn, fp, tp)", "P(tn, tp | tn, fp, tp)", (1, 1, 0, 1), "no", "(1/2, 0)"),
    "PPV": ("ppv", "P(tp | fp, tp)", (0, 1, 0, 1), "yes", "(1, 0)"),
}


# ---- tables


def exactly(measure: rs.Performances) -> list[Fraction]:
    """Return one performance as fractions."""
    whole = [int(number) for number in measure.integers[0]]
    return [Fraction(number, sum(whole)) for number in whole]


PRINTED_MOVES = {  # Table 1: where the ordering that was at (a, b) is moved, and whether the preorder is inverted
    "change_prediction": ("b", "a", "inverted"),
    "change_truth": ("1 - b", "1 - a", "inverted"),
    "swap_truth_and_prediction": ("a", "1 - b", "unchanged"),
    "swap_classes": ("1 - a", "1 - b", "unchanged"),
}


def table1(trials: int = 60) -> tuple[Table, list[Check]]:
    """Return Table 1 and its checks: orders before and after five operations, on random performances with ties."""
    rng = np.random.default_rng(1)
    rows, checks = [], []
    for operation, (new_a, new_b, note) in PRINTED_MOVES.items():
        good = 0
        for _ in range(trials):
            performances = rs.Performances.from_counts(rng.integers(1, 9, (12, 4)))
            a, b = rng.integers(0, 17, 2) / 16  # places that are exact, so that ties stay ties
            named = {"a": a, "b": b, "1 - a": 1 - a, "1 - b": 1 - b}
            changed = getattr(performances, operation)()
            good += _same_order(performances, (a, b), changed, (named[new_a], named[new_b]), note == "inverted")
        rows.append((operation, new_a, new_b, f"the preorder is {note}", f"{good} of {trials}"))
        what = f"Table 1: {operation} moves (a, b) to ({new_a}, {new_b}), the preorder {note}"
        checks.append(check(what, "yes", yes(good == trials)))
    good = 0
    for trial in range(2 * trials):
        if trial % 2:  # with ties, at places that the shift from 1/2 to 3/4 moves to exact ones
            cases, prior, new = (12, 12), 0.5, Fraction(3, 4)
            adapted = rng.choice([0, 0.25, 0.5, 1], 2)
        else:  # anywhere, many cases: without ties
            cases, prior, new = (700_000, 300_000), PRIOR, Fraction(4, 5)
            adapted = rng.random(2)
        origin = rs.tile.place_at_prior(adapted, prior, float(new))
        inverse = rs.tile.place_at_prior(origin, float(new), prior)  # f⁻¹ is the shift back
        tn, tp = (rng.integers(0, n + 1, 12) for n in cases)
        performances = rs.Performances.from_counts(tn=tn, fp=cases[0] - tn, fn=cases[1] - tp, tp=tp)
        shifted = performances.shift_priors(np.array(new, dtype=object))
        good += np.allclose(inverse, adapted, atol=1e-14) and _same_order(performances, origin, shifted, adapted)
    rows.append(("shift_priors", "f⁻¹(a)", "f⁻¹(b)", "the preorder is unchanged", f"{good} of {2 * trials}"))
    what = "Table 1: shift_priors moves (a, b) to (f⁻¹(a), f⁻¹(b)), the preorder unchanged"
    checks.append(check(what, "yes", yes(good == 2 * trials)))
    columns = ("operation", "a adapted", "b adapted", "note", "orders agree on")
    return Table(dict(zip(columns, zip(*rows, strict=True), strict=True))), checks


def _same_order(
    before: rs.Performances, origin: Any, after: rs.Performances, adapted: Any, inverted: bool = False
) -> bool:
    """Tell whether what was ordered at ``origin`` is ordered at ``adapted`` after an operation, ties and all."""
    old = rs.rank(before, by=rs.at(*origin), ties="average").ranks
    new = rs.rank(after, by=rs.at(*adapted), ties="average").ranks
    if inverted:
        new = len(after) + 1 - new
    return bool(np.array_equal(old, new, equal_nan=True))


def subsets(outcomes: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the events that are not empty."""
    return [event for size in range(1, len(outcomes) + 1) for event in combinations(outcomes, size)]


def table2() -> tuple[Table, list[Check]]:
    """Return Table 2 and its checks: the probabilistic scores that are ranking scores."""
    outcomes = rs.TWO_CLASS.outcomes
    writings = [
        f"P({', '.join(event)}{' | ' + ', '.join(given) if len(given) < len(outcomes) else ''})"
        for given in subsets(outcomes)
        for event in subsets(given)
        if len(event) < len(given)
    ]
    every = {writing: rs.score(writing) for writing in writings}
    ranking = {writing: score for writing, score in every.items() if score.importance is not None}
    unconditional = [writing for writing in every if "|" not in writing]
    checks = [
        check("2.2: conditional probabilistic scores", "50", Fraction(len(every))),
        check("2.2: unconditional ones", "14", Fraction(len(unconditional))),
        check("A.3.1: those that are ranking scores", "9", Fraction(len(ranking))),
    ]
    rows = []
    for name, (_, writing, importance, canonical, location) in NINE.items():
        score = ranking[writing]
        place = score.exact_place()
        unit = [Fraction(x) for x in rs.canonical_importance(*map(float, place))]
        ours = _proportional(score.importance, unit)
        shown = unit if ours else list(score.importance)
        located = f"({place[0]}, {place[1]})"
        rows.append((name, writing, *map(str, shown), yes(ours), located))
        what = f"Table 2: {name},"
        printed = " ".join(map(str, importance))
        checks += [
            check(f"{what} importance of tn fp fn tp", printed, " ".join(map(str, shown))),
            check(f"{what} canonical", canonical, yes(ours)),
            check(f"{what} location", location, located),
        ]
        if tuple(map(float, place)) != rs.locate(writing):
            checks.append(check(f"{what} rs.locate", location, str(rs.locate(writing))))
    importance = rs.importance(tn=1, fp=2, fn=3, tp=4)
    reason = "we believe 4.2 should read b = I(fn)/(I(fp)+I(fn)), as in A.3.1 and Table 2"
    checks.append(check("4.2: b of the importance (1, 2, 3, 4)", "2/5", rs.locate(importance)[1], 0, reason))
    columns = ("ranking score", "probabilistic writing", "I(tn)", "I(fp)", "I(fn)", "I(tp)", "canonical", "location")
    return Table(dict(zip(columns, zip(*rows, strict=True), strict=True))), checks


def _proportional(first: Any, second: Any) -> bool:
    return all(x * sum(second) == y * sum(first) for x, y in zip(first, second, strict=True))


# ---- drawing helpers


def canvas(rows: int, columns: int, side: float, extra: float = 0.0) -> tuple[Figure, Any]:
    figure, axes = plt.subplots(rows, columns, figsize=(columns * side, rows * side + extra), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.08, h_pad=0.08)
    return figure, axes


def put(tile_map: rs.TileMap | None, ax: Axes, size: float = 10, **options: Any) -> Axes:
    """Draw a Tile, of None an empty one, into a subplot, with type for a font size."""
    with mpl.rc_context({"font.size": size}):
        return draw_tile(tile_map, ax, **options)


def moved_grid(ax: Axes, prior: float) -> None:
    """Draw the regular grid of uniform priors, moved to a prior."""
    for x in rs.tile.prior_grid(prior)[1:-1]:
        ax.axvline(x, color=FAINT, lw=0.6, zorder=1.5)
        ax.axhline(x, color=FAINT, lw=0.6, zorder=1.5)


def say(figure: Figure, title: str) -> None:
    figure.suptitle(title, x=0.01, ha="left", fontsize=15, fontweight="bold", color=INK)


def write(ax: Axes, x: float, y: float, text: str, **style: Any) -> None:
    options: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 11, "color": INK, "path_effects": HALO}
    ax.text(x, y, text, **options | {"zorder": 9} | style)


# ---- figures: each returns the figure and the checks of what it shows

VALUES = mpl.colors.ListedColormap(mpl.colormaps["viridis"](np.linspace(0, 0.88, 256)))
NAMED = {  # on the border of the Tile: what to locate
    "TNR": "tnr", "J₋": "jminus", "NPV": "npv", "PPV = F₀": "ppv", "F½": "f0.5", "F₁, J₊": "f1", "F₂": "f2",
    "TPR = F∞": "tpr", "P(S=1 | not fp)": "P(tn, tp | tn, fn, tp)", "P(S=1 | not fn)": "P(tn, tp | tn, fp, tp)",
}  # fmt: skip


def lines_of(lines: Pencil) -> Callable[[float], Line]:
    """Return what gives the line of a pencil on which the score has a value."""
    return lines.line


def in_box(line: Line, low: Any, high: Any) -> Any:
    """Return the ends of a line in a box, None where it is outside."""
    (x, y), (width, height) = low, np.subtract(high, low)
    ends = Line(line.u * width, line.v * height, line.w + line.u * x + line.v * y).clip()
    return None if ends is None else ends * (width, height) + low


def iso_lines(
    ax: Axes, line_at: Callable[[float], Line], levels: Any, low: Any = (0, 0), high: Any = (1, 1), **style: Any
) -> Any:
    """Draw iso-performance lines in ROC space, colored by their value."""
    clipped = [(level, in_box(line_at(float(level)), low, high)) for level in levels]
    inside = [(level, ends) for level, ends in clipped if ends is not None]
    drawn = LineCollection([ends for _, ends in inside], cmap=VALUES, norm=mpl.colors.Normalize(0, 1), **style)
    drawn.set_array(np.array([level for level, _ in inside]))
    ax.add_collection(drawn)
    return drawn


def fig1() -> tuple[Figure, list[Check]]:
    """Draw the Tile and, around it, the iso-performance lines in ROC space of scores on its border and of accuracy."""
    names = {rs.locate(key): label for label, key in NAMED.items()}
    steps = (0.0, 0.2, 0.5, 0.8, 1.0)
    figure = plt.figure(figsize=(12.8, 13.4), layout="constrained")
    grid = figure.add_gridspec(6, 5, height_ratios=[1, 1, 1, 1, 1, 0.08])
    middle = figure.add_subplot(grid[1:4, 1:4])
    put(None, middle, markers=False, exchange=False)
    center = middle.inset_axes((0.35, 0.35, 0.3, 0.3))
    small = [(center, rs.locate("accuracy"))]
    for i, b in enumerate(reversed(steps)):
        for j, a in enumerate(steps):
            if i in (0, 4) or j in (0, 4):
                small.append((figure.add_subplot(grid[i, j]), (a, b)))
    seen, drawn = set(), None
    for ax, (a, b) in small:
        lines = Pencil(a, b, PRIOR)
        seen.add(lines.vertex or ("parallel", a))
        drawn = iso_lines(ax, lines_of(lines), np.arange(1, 10) / 10, lw=1.7)
        ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xticks=[0, 1], yticks=[0, 1])
        ax.tick_params(labelsize=9, length=2.5)
        label = "A  (0.5, 0.5)" if ax is center else f"{names.get((a, b), '')}  ({a:g}, {b:g})".strip()
        ax.set_title(label, fontsize=11, fontweight="bold" if len(label) > 10 else "normal", pad=5)
        if ax is not center:
            middle.plot(a, b, "o", ms=8, mfc=PINK, mec=INK, mew=1.2, clip_on=False, zorder=8)
    bar = figure.colorbar(drawn, cax=figure.add_subplot(grid[5, 1:4]), orientation="horizontal")
    bar.set_label("value of the ranking score R(a, b) on the line", fontsize=11)
    say(
        figure, f"The Tile, and lines of equal performance in ROC space (FPR to the right, TPR upwards), π₊ = {PRIOR:g}"
    )
    return figure, [check("3.3: different pencils among those of Figure 1", "17", Fraction(len(seen)))]


def fig2() -> tuple[Figure, list[Check]]:
    """Draw the geometry of R_{a,b} in ROC space: three pencils of lines, and the scales on which to read them."""
    prior, a, b = 0.2, 0.95, 0.7
    lines, tenths = Pencil(a, b, prior), np.arange(11) / 10
    line_at = lines_of(lines)
    zero, one = line_at(0), line_at(1)
    low, high = (-1.15, -0.85), (2.0, 2.3)
    figure, axes = canvas(1, 3, 5.6, 1.1)
    shown = (
        ("The pencil of R(0.95, 0.7): lines of equal value", [line_at(t) for t in tenths], (0.5, 0.5), "R"),
        ("The line “score = 0” depends on a alone", [Pencil(t, b, prior).line(0) for t in tenths], (1.25, 0.55), "a"),
        ("The line “score = 1” depends on b alone", [Pencil(a, t, prior).line(1) for t in tenths], (0.2, 1.35), "b"),
    )
    for ax, (title, every, (x, y), letter) in zip(axes, shown, strict=True):
        for corner in (low, high):  # where the vertex may lie
            near = (0, 0) if corner is low else (1, 1)
            ax.fill_between([corner[0], near[0]], corner[1], near[1], color="#e3e3e3", zorder=0)
        ax.add_patch(mpl.patches.Rectangle((0, 0), 1, 1, fill=False, ec=INK, lw=1.4, zorder=4))
        scale = line_through(x, y, -(1 - prior) / prior)
        ax.plot(*in_box(scale, low, high).T, color="#7b3fa0", lw=1.6, zorder=5)
        for value, line in zip(tenths, every, strict=True):
            ax.plot(*in_box(line, low, high).T, color=QUIET, lw=0.8, zorder=2)
            at = meeting(line, scale)
            ax.plot(*at, "o", ms=4, color="#7b3fa0", zorder=6)
            if round(value * 10) % 2 == 0:
                write(ax, at[0] + 0.05, at[1] + 0.03, f"{value:g}", fontsize=11, color="#5c2d79", ha="left")
        ax.plot(*in_box(zero, low, high).T, color=GREEN, lw=3, zorder=5)
        ax.plot(*in_box(one, low, high).T, color=ORANGE, lw=3, zorder=5)
        ax.plot(*lines.vertex, "o", ms=10, color="#c00000", mec="white", zorder=7)
        ax.plot([0, 1], [1, 0], "o", ms=5, color=INK, zorder=7)
        ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal", xlabel="FPR", ylabel="TPR")
        ax.set_title(f"{title}\n(purple: slope −π₋/π₊, {letter} in equal steps)", loc="left", fontsize=12)
    say(figure, "Geometry of the ranking score at (a, b) = (0.95, 0.7) in the ROC plane, π₊ = 0.2")
    keys = {GREEN: "score = 0", ORANGE: "score = 1", "#7b3fa0": "where values are read"}
    handles = [mpl.lines.Line2D([], [], color=color, lw=3, label=label) for color, label in keys.items()]
    handles.append(mpl.lines.Line2D([], [], color="#c00000", marker="o", ms=9, lw=0, label="vertex"))
    handles.append(mpl.patches.Patch(color="#e3e3e3", label="where a vertex may lie"))
    figure.legend(handles=handles, loc="outside lower center", ncols=5, fontsize=11, frameon=False)
    apart = float(np.hypot(*np.subtract(meeting(zero, one), lines.vertex)))
    steps = np.diff([meeting(line_at(t), line_through(0.5, 0.5, -4.0)) for t in tenths], axis=0)
    ends = [Pencil(t, b, prior).line(0) for t in (0, 1)], [Pencil(a, t, prior).line(1) for t in (0, 1)]
    kinds = [", ".join("vertical" if not x.v else "slanted" if x.u else "horizontal" for x in two) for two in ends]
    where = "left, below" if max(lines.vertex) <= 0 else "elsewhere"
    even = float(np.ptp(steps, axis=0).max())
    return figure, [
        check("Figure 2: score 0 and score 1 meet at the vertex, distance", "0", apart, within=1e-12),
        check("Figure 2: a > b, where the vertex is from ROC", "left, below", where),
        check("Figure 2: deviation from even spacing on a line of slope −π₋/π₊", "0", even, within=1e-12),
        check("3.3: the line score = 0 for a = 0 and a = 1", "vertical, horizontal", kinds[0]),
        check("3.3: the line score = 1 for b = 0 and b = 1", "vertical, horizontal", kinds[1]),
    ]


def line_through(x: float, y: float, slope: float) -> Line:
    return Line(-slope, 1, slope * x - y)


def meeting(first: Line, second: Line) -> tuple[float, float]:
    """Return where two lines meet."""
    x, y = np.linalg.solve([[first.u, first.v], [second.u, second.v]], [-first.w, -second.w])
    return float(x), float(y)


PLACED = (  # Figure 3: scores with one ordering, how the paper writes it, and where its text goes
    (("tnr", "ptn", "pfp"), "≲TNR\n≲PTN†   ≳PFP†", (0.11, 0.015), "left", "bottom"),
    (("npv", "snpv", "nlr"), "≲NPV\n≲SNPV†\n≳NLR†", (0.03, 0.93), "left", "top"),
    (("ppv", "f0", "plr", "sppv"), "≲PPV   ≲F₀\n≲PLR†   ≲SPPV†", (0.93, 0.015), "right", "bottom"),
    (("tpr", "ptp", "pfn"), "≲TPR   ≲F∞\n≲PTP†   ≳PFN†", (0.97, 0.93), "right", "top"),
    (("accuracy",), "≲A", (0.47, 0.54), "center", "center"),
    (("jminus",), "≲J₋", (0.03, 0.54), "left", "center"),
    (("f1", "jplus"), "≲F₁\n≲J₊", (0.975, 0.57), "right", "center"),
    (("ba", "youden", "determinant"), "≲BA†   ≲$J_Y$†\n≲|C|†", (0.74, 0.68), "left", "bottom"),
    (("kappa",), "≲κ†", (0.815, 0.54), "right", "center"),
    (("P(tn, tp | tn, fn, tp)",), "≲P(S=1 | not fp)", (0.5, 0.955), "center", "center"),
    (("P(tn, tp | tn, fp, tp)",), "≲P(S=1 | not fn)", (0.5, 0.045), "center", "center"),
)


def fig3() -> tuple[Figure, list[Check]]:
    """Show where canonical ranking scores are (left) and where orderings are (right), π₋ = 0.7."""
    figure, (left, right) = canvas(1, 2, 7.2, -0.1)
    scores = {"TNR": "tnr", "NPV": "npv", "PPV = F₀": "ppv", "TPR = F∞": "tpr", "A": "accuracy", "F₁": "f1"}
    scores |= {"F½": "f0.5", "F₂": "f2"}
    put(
        None,
        left,
        title="Canonical ranking scores",
        markers={k: rs.locate(v) for k, v in scores.items()},
        exchange=False,
    )
    put(None, right, title="Performance orderings († at π₋ = 0.7)", markers=False, exchange=False)
    probabilistic = {key for key, *_ in NINE.values()}
    nine = {rs.locate(key) for key in probabilistic}
    drawn = {rs.locate(key) for key in scores.values() if key in probabilistic}  # at the place of F₁ only J₊ is one
    checks = []
    for keys, text, (x, y), ha, va in PLACED:
        places = {tuple(np.round(rs.locate(key, PRIOR), 14)) for key in keys}
        checks.append(check(f"Figure 3: at one place, {' '.join(keys)}", "yes", yes(len(places) == 1)))
        place = places.pop()
        right.plot(*place, "o", ms=9, mfc="white", mec=INK, mew=1.3, clip_on=False, zorder=8)
        write(right, x, y, text, ha=ha, va=va, linespacing=1.5)
        for ax in (left, right):
            if place in (nine if ax is right else drawn):
                ax.plot(*place, "o", ms=9, mfc=ORANGE, mec=INK, mew=1.3, clip_on=False, zorder=8)
    diagonal = np.array([rs.locate(f"wa({weight:g})", PRIOR) for weight in (0, 0.5, 1)])
    right.plot(*diagonal.T, color=BLUE, lw=1, zorder=2)
    _arrow(right, rs.locate("wa(0.12)", PRIOR), rs.locate("wa(0.25)", PRIOR), BLUE)
    write(right, 0.37, 0.32, "≲WA† moves with its weights", ha="left", color=BLUE)
    a = np.linspace(0, 1, 401)
    right.plot(a, rs.tile.gamma_pi(PRIOR, a), color=PINK, lw=2, zorder=2)
    for b in (0.3, 0.85):
        _arrow(right, *((float(rs.tile.gamma_pi(prior, b)), b) for prior in (0.4, 0.22)), "#8a3a66")
    write(right, 0.56, 0.765, "moves with the priors", ha="right", color="#8a3a66")
    right.plot([0, 1], [0.5, 0.5], ":", color=QUIET, lw=1, zorder=2)
    legend = {"probabilistic": ORANGE, "not probabilistic": "white"}
    handles = [
        mpl.lines.Line2D([], [], marker="o", ms=9, mfc=color, mec=INK, lw=0, label=label)
        for label, color in legend.items()
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=2, fontsize=11, frameon=False)
    kappa = rs.locate("kappa", PRIOR)
    for axis, value in zip("ab", rs.locate("ba", PRIOR), strict=True):
        checks.append(check(f"4.2: BA at π₋ = 0.7, {axis}", "0.7", value))
    checks.append(check("4.2: κ at π₋ = 0.7, a", "49/58", kappa[0], within=1e-14))
    checks.append(check("4.2: κ at π₋ = 0.7, b", "1/2", Fraction(kappa[1])))
    return figure, checks


def _arrow(ax: Axes, start: Any, end: Any, color: str) -> None:
    ax.annotate(
        "", end, start, arrowprops={"arrowstyle": "<->", "color": color, "lw": 2.2, "mutation_scale": 16}, zorder=6
    )


def fig4(draws: int = DRAWS, resolution: int = 71) -> tuple[Figure, list[Check]]:
    """Map the rank correlations of nine probabilistic scores with all ranking scores, over a uniform distribution."""
    figure, axes = canvas(3, 3, 4.6)
    distribution, maps = rs.distributions.Uniform(), {}
    for ax, (name, (key, *_)) in zip(axes.flat, NINE.items(), strict=True):
        tile = rs.tile.correlation(key, distribution, n=draws, resolution=resolution, rng=0, threads=THREADS)
        maps[name] = tile
        named = "P(S=1 | not fp)" if name == "X{tn,tp}|{tn,fn,tp}" else "P(S=1 | not fn)" if "X" in name else name
        put(tile, ax, size=11.5, title=named, markers={named: rs.locate(key)}, exchange=False)
        bars(ax)
    bar = figure.colorbar(axes[0, 0].images[0], ax=axes, shrink=0.6, aspect=32)
    bar.set_label("Kendall's τ", fontsize=12)
    say(figure, f"How alike nine probabilistic scores and all ranking scores order {draws:,} uniform performances")
    return figure, correlation_checks(maps, draws)


def correlation_checks(maps: dict[str, rs.TileMap], draws: int) -> list[Check]:
    noise = 3 / draws**0.5  # more than four standard errors of τ
    checks = []
    for name, tile in maps.items():
        own = tile.at(*rs.locate(NINE[name][0]))
        checks.append(check(f"Figure 4: τ of {name} at its own place", "1", Fraction(own)))
        checks.append(check(f"Figure 4: places where {name} has τ = 1", "1", Fraction(int((tile.values == 1).sum()))))
    for name, other in (("NPV", "PPV"), ("TNR", "TPR")):
        value = maps[name].at(*rs.locate(other.lower()))
        checks.append(check(f"4.2: τ of {name} and {other} is null", "0", value, within=noise))
    least = min(float(np.nanmin(tile.values)) for tile in maps.values())
    checks.append(check("4.2: no correlation is negative", "yes", yes(least > -noise)))
    volume = rs.tile.correlation(rs.vut, rs.distributions.Uniform(), statistic="spearman", n=draws, resolution=3, rng=0)
    checks.append(check("A.6.3: Spearman's ρ of VUT and A, about", "0.996", volume.at(0.5, 0.5)))
    return checks


def fig7(draws: int = DRAWS, fine: int = 2) -> tuple[Figure, list[Check]]:
    """Map the rank correlations of BA and κ with all ranking scores, π₋ = 0.7."""
    figure, axes = canvas(1, 2, 7.4, -0.9)
    distribution, checks = rs.distributions.FixedPriors(PRIOR), []
    shown = (("BA", "ba", 50 * fine + 1, "0.7", "0.7"), ("κ", "kappa", 58 * fine + 1, "49/58", "1/2"))  # on its grid
    for ax, (name, key, resolution, a, b) in zip(axes, shown, strict=True):
        tile = rs.tile.correlation(key, distribution, n=draws, resolution=resolution, rng=0, threads=THREADS)
        title = f"Kendall's τ of {name} and every ranking score, π₋ = 0.7"
        put(tile, ax, title=title, markers={name: rs.locate(key, PRIOR)}, exchange=False)
        moved_grid(ax, PRIOR)
        line = ([0, 1], [0, 1]) if key == "ba" else ([0, 1], [0.5, 0.5])
        ax.plot(*line, ":", color="white", lw=2, zorder=4, path_effects=[withStroke(linewidth=3.4, foreground=INK)])
        place = rs.locate(key, PRIOR)
        i, j = np.unravel_index(np.nanargmax(tile.values), tile.values.shape)
        off = abs(float(rs.tile.gamma_pi(PRIOR, place[0])) - place[1])
        checks += [
            check(f"Figure 7: τ of {name} at {tuple(round(x, 4) for x in place)}", "1", Fraction(tile.at(*place))),
            check(f"Figure 7: {name}, the largest τ is at a", a, float(tile.a[j]), within=1e-12),
            check(f"Figure 7: {name}, the largest τ is at b", b, float(tile.b[i]), within=1e-12),
            check(f"Figure 7: {name}, distance from γ_π", "0", off, within=1e-12),
        ]
    return figure, checks


def bars(ax: Axes) -> None:
    """Remove the color bar of one Tile, where the figure has one for all."""
    for child in list(ax.child_axes):
        child.remove()


def fig5() -> tuple[Figure, list[Check]]:
    """Map who is first among four performances, at three priors; below, the performances."""
    printed = {
        0.2: "0.80 0.56 0.40 0.00 0.00 0.24 0.40 0.80 0.20 0.06 0.04 0.00 0.00 0.14 0.16 0.20",
        0.5: "0.50 0.35 0.25 0.00 0.00 0.15 0.25 0.50 0.50 0.15 0.10 0.00 0.00 0.35 0.40 0.50",
        0.8: "0.20 0.14 0.10 0.00 0.00 0.06 0.10 0.20 0.80 0.24 0.16 0.00 0.00 0.56 0.64 0.80",
    }
    rates = {"P₁": ("0.7", "0.7"), "P₂": ("0.5", "0.8")}
    colors = colors_of(rs.datasets.toy().names)
    figure = plt.figure(figsize=(17.5, 8), layout="constrained")
    upper, lower = figure.subfigures(2, 1, height_ratios=[5.4, 1.5])
    tiles, numbers_below = upper.subplots(1, 3), lower.subplots(1, 3)
    checks = []
    for column, (prior, numbers) in enumerate(printed.items()):
        performances = rs.datasets.toy(prior)
        tile = rs.tile.entity(performances)
        title = f"Who is first when π₊ = {prior:g}"
        put(tile, tiles[column], title=title)
        moved_grid(tiles[column], prior)
        below = numbers_below[column]
        below.axis("off")
        cells = [[f"{value:.2f}" for value in row] for row in performances.mass.T]
        table = below.table(
            cells, rowLabels=["PTN", "PFP", "PFN", "PTP"], colLabels=list(colors), cellLoc="center",
            colColours=[tint(color) for color in colors.values()], bbox=(0.08, 0, 0.84, 1),
        )  # fmt: skip
        table.auto_set_font_size(False)
        table.set_fontsize(11)
        for cell in table.get_celld().values():
            cell.set(edgecolor=FAINT)
        ours = [exactly(measure) for measure in performances]
        for k, text in enumerate(numbers.split()):
            row, who = divmod(k, 4)
            what = f"Figure 5, π₊ = {prior:g}: {('PTN', 'PFP', 'PFN', 'PTP')[row]} of {performances.names[who]}"
            checks.append(check(what, text, ours[who][row]))
        for name, (tnr, tpr) in rates.items():
            for rate, text in (("tnr", tnr), ("tpr", tpr)):
                value = float(rs.score(rate)(performances[name])[0])
                checks.append(check(f"Figure 5, π₊ = {prior:g}: {rate.upper()} of {name}", text, value))
        straight = all(_straight(arc) for region in tile.regions for arc in region.borders)
        curved = "convex polygons" if straight else "curved borders"
        checks.append(
            check(f"4.3: regions at π₊ = {prior:g}", "convex polygons" if prior == 0.5 else "curved borders", curved)
        )
    return figure, checks


def _straight(arc: Any) -> bool:
    """Tell whether a border is a straight line: h has no term in a·b, or it is a horizontal or a vertical."""
    c00, c01, c10, c11 = arc.corners
    return arc.kind != "arc" or c00 + c11 == c01 + c10


def fig6() -> tuple[Figure, list[Check]]:
    """Draw the curves on which all no-skill performances are equal."""
    figure, axes = canvas(1, 2, 6.6, -0.2)
    a = np.linspace(0, 1, 401)
    shown = (
        (axes[0], rs.tile.gamma_pi, "Fixed class priors (pink: π₋ = 0.7)"),
        (axes[1], rs.tile.gamma_tau, "Fixed rates of predictions (pink: τ₋ = 0.7)"),
    )
    for ax, curve, title in shown:
        put(None, ax, title=title, markers={"accuracy": rs.locate("accuracy")}, exchange=False)
        for negative in np.arange(1, 10) / 10:
            line, ink = (3.2, "#8a3a66") if negative == 0.7 else (0.9, INK)
            ax.plot(a, curve(1 - negative, a), color=PINK if line > 1 else QUIET, lw=line, zorder=2 + line)
            if negative != 0.5:
                size, weight = (13, "bold") if line > 1 else (10.5, "normal")
                at = float(curve(1 - negative, negative))
                write(ax, negative, at, f"{negative:g}", fontsize=size, fontweight=weight, color=ink)
    say(
        figure,
        r"Scores that put all classifiers without skill on an equal footing: $\gamma_\pi$ (left) and $\gamma_\tau$",
    )
    checks = [
        check("4.4: γ_π starts at NPV, b at a = 0", "1", Fraction(float(rs.tile.gamma_pi(PRIOR, 0)))),
        check("4.4: γ_π ends at PPV, b at a = 1", "0", Fraction(float(rs.tile.gamma_pi(PRIOR, 1)))),
        check("4.4: γ_τ starts at TNR, b at a = 0", "0", Fraction(float(rs.tile.gamma_tau(PRIOR, 0)))),
        check("4.4: γ_τ ends at TPR, b at a = 1", "1", Fraction(float(rs.tile.gamma_tau(PRIOR, 1)))),
    ]
    without = rs.Performances.from_counts(tn=7 * np.arange(10, -1, -1), fp=7 * np.arange(11),
                                          fn=3 * np.arange(10, -1, -1), tp=3 * np.arange(11))  # fmt: skip
    swapped = without.swap_truth_and_prediction()
    for name, curve, some in (("γ_π", rs.tile.gamma_pi, without), ("γ_τ", rs.tile.gamma_tau, swapped)):
        inside = np.linspace(0.05, 0.95, 19)
        values = rs.ranking_score(some.mass[:, None], rs.canonical_importance(inside, curve(PRIOR, inside)))
        spread = float(np.ptp(values, axis=0).max())
        checks.append(check(f"4.4: spread of no-skill performances along {name}", "0", spread, within=1e-14))
    return figure, checks


def fig8() -> tuple[Figure, list[Check]]:
    """Draw how the Tile deforms with a prior shift."""
    figure, panels = canvas(2, 3, 5.4, 0.5)
    axes = dict(zip(("0.1", "0.5", "0.9", "0.3", "note", "0.7"), panels.flat, strict=True))
    checks = []
    even = np.linspace(0, 1, 11)
    for key, ax in axes.items():
        if key == "note":
            continue
        prior = float(key)
        title = f"π₊ = {prior:g}" + (": the initial Tile" if prior == 0.5 else "")
        put(None, ax, title=title, markers=False, exchange=False)
        lines = rs.tile.prior_grid(prior)
        for x in lines:
            ax.plot([x, x], [0, 1], [0, 1], [x, x], color=QUIET, lw=0.9, zorder=3)
        t = np.linspace(0, 1, 301)  # the descending diagonal, moved point by point
        moved = rs.tile.place_at_prior(t, prior, 0.5), rs.tile.place_at_prior(1 - t, prior, 0.5)
        ax.plot(*moved, color=PINK, lw=3.2, zorder=5)
        error = np.abs(moved[1] - rs.tile.gamma_pi(prior, moved[0])).max()
        checks.append(
            check(
                f"Figure 8, π₊ = {prior:g}: the moved diagonal is γ_π, largest distance",
                "0",
                float(error),
                within=1e-14,
            )
        )
        back = np.abs(rs.tile.place_at_prior(lines, 0.5, prior) - even).max()
        checks.append(
            check(f"Figure 8, π₊ = {prior:g}: shifted back, the grid is regular", "0", float(back), within=1e-14)
        )
    axes["note"].axis("off")
    text = (
        "Where the orderings of the regular grid\nat uniform priors go when the share of\npositives is another one.\n\n"
        "Pink: the descending diagonal. Moved,\nit is the curve $\\gamma_\\pi$, on which classifiers\n"
        "without skill are equal."
    )
    axes["note"].text(0.06, 0.5, text, fontsize=14, color=INK, va="center", linespacing=1.5)
    return figure, checks


def fig9() -> tuple[Figure, list[Check]]:
    """Map the best value without skill, at three priors."""
    figure, axes = canvas(1, 3, 6, -0.35)
    checks = []
    for ax, prior in zip(axes, (0.2, 0.5, 0.8), strict=True):
        put(rs.tile.no_skill(prior), ax, size=12, title=f"π₊ = {prior:g}", markers=False, exchange=False)
        for name, x in (("always\nnegative", 0.0), ("always\npositive", 1.0)):
            towards = (1 - prior + x) / 2  # half-way from γ_π, which crosses the diagonal at π₋
            write(ax, *(_inside(towards),) * 2, name, fontsize=10, fontweight="bold")
        constants = constant_answers(prior)
        regions = rs.regions.first(constants)
        border = rs.regions.border(constants[0], constants[1])
        a = np.linspace(0.01, 0.99, 99)
        error = float(np.abs(border.b(a) - rs.tile.gamma_pi(prior, a)).max())
        checks += [
            check(f"Figure 9, π₊ = {prior:g}: best at the bottom left", "always negative", regions.at(0.01, 0.01)[0]),
            check(f"Figure 9, π₊ = {prior:g}: best at the upper right", "always positive", regions.at(0.99, 0.99)[0]),
            check(f"Figure 9, π₊ = {prior:g}: the limit is γ_π, largest distance", "0", error, within=1e-14),
        ]
    say(figure, "The best that is achieved without skill: always negative or always positive")
    return figure, checks


def constant_answers(prior: float) -> rs.Performances:
    """Return the two constant answers, exactly."""
    share = Fraction(str(prior))
    n, d = share.numerator, share.denominator
    return rs.Performances.from_counts(
        [[d - n, 0, n, 0], [0, d - n, 0, n]], names=["always negative", "always positive"]
    )


def _inside(x: float) -> float:
    return min(max(x, 0.11), 0.89)


# ---- the command

TABLES: dict[str, Callable[[], tuple[Table, list[Check]]]] = {"table1": table1, "table2": table2}
FIGURES: dict[str, Callable[[], tuple[Figure, list[Check]]]] = {
    "fig1": fig1, "fig2": fig2, "fig3": fig3, "fig4": fig4, "fig5": fig5, "fig6": fig6, "fig7": fig7, "fig8": fig8,
    "fig9": fig9,
}  # fmt: skip


def main(arguments: list[str] | None = None) -> list[Check]:
    """Regenerate what is asked for, print tables and checks, and return the checks."""
    options = asked("Regenerate Figures 1-9 and Tables 1-2 of the Tile paper.", [*TABLES, *FIGURES], arguments)
    checks: list[Check] = []
    for name in options.only:
        if name in TABLES:
            table, found = TABLES[name]()
            print(f"Table {name[-1]}\n{table}\n")
        else:
            figure, found = FIGURES[name]()
            saved(figure, options, name)
        checks += found
    return told(checks)


if __name__ == "__main__":
    mpl.use("Agg")
    main()
