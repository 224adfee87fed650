"""The catalogue of named two-class scores: data only. A new score costs one row, here or in a file joined here."""

from math import inf

from .combined import BEYOND_CHANCE, OF_BOTH_CLASSES
from .rates import CONDITIONAL, UNCONDITIONAL
from .spec import Parameter, ScoreSpec

FAMILIES = (
    ScoreSpec(
        key="fbeta",
        name="F_β score",
        symbol="F_β",
        formula="(1 + beta**2)*tp / ((1 + beta**2)*tp + beta**2*fn + fp)",
        aliases=("F-beta score", "F-beta measure", "F"),
        importance=(0, 1, "beta**2", "1 + beta**2"),
        domain="tn < 1 (and tp + fp > 0 for beta = 0)",
        parameters=(Parameter("beta", "β", 0, inf),),
        source="Tile, Lemma 7 (the second form)",
        note="For β = 0 the domain is that of PPV.",
    ),
    ScoreSpec(
        key="bennett",
        name="Bennett's S",
        symbol="S",
        formula="tn + tp - fp - fn",
        low=-1,
        aliases=("Bennett S", "Hamann", "Hamann coefficient"),
        orders_as=(1, 1, 1, 1),
        source="Tile, 2.2: 2A − 1",
    ),
    ScoreSpec(
        key="stheta",
        name="Gower-Legendre S_θ",
        symbol="S_θ",
        formula="(tn + tp) / (tn + tp + theta*(fp + fn))",
        aliases=("Gower-Legendre S",),
        importance=(1, "theta", "theta", 1),
        domain="not (theta = 0 and tn + tp = 0)",
        parameters=(Parameter("theta", "θ", 0, inf),),
        source="Gower and Legendre 1986; Tile, 4.2",
    ),
    ScoreSpec(
        key="ttheta",
        name="Gower-Legendre T_θ",
        symbol="T_θ",
        formula="tp / (tp + theta*(fp + fn))",
        aliases=("Gower-Legendre T",),
        importance=(0, "theta", "theta", 1),
        domain="tn < 1 (and tp > 0 for theta = 0)",
        parameters=(Parameter("theta", "θ", 0, inf),),
        source="Gower and Legendre 1986; Tile, 4.2",
    ),
    ScoreSpec(
        key="batyrshin",
        name="Batyrshin similarity (δ, θ)",
        symbol="B_δ,θ",
        formula="(tp + delta*tn) / (tp + delta*tn + theta*(fp + fn))",
        importance=("delta", "theta", "theta", 1),
        domain="not all of tp, delta·tn, theta·(fp + fn) are 0",
        parameters=(Parameter("delta", "δ", 0, 1), Parameter("theta", "θ", 0, inf, default="1")),
        source="Batyrshin et al. 2016; Tile, 4.2: on the segment from F₁ (δ = 0) to A (δ = 1)",
    ),
)

PRESETS: dict[str, tuple[str, dict[str, str]]] = {
    "F1": ("fbeta", {"beta": "1"}),
    "F1 score": ("fbeta", {"beta": "1"}),
    "F measure": ("fbeta", {"beta": "1"}),
    "F score": ("fbeta", {"beta": "1"}),
    "F₁": ("fbeta", {"beta": "1"}),
    "Dice": ("fbeta", {"beta": "1"}),
    "DSC": ("fbeta", {"beta": "1"}),
    "Dice coefficient": ("fbeta", {"beta": "1"}),
    "Sørensen-Dice": ("fbeta", {"beta": "1"}),
    "Sorensen-Dice": ("fbeta", {"beta": "1"}),
    "Dice-Sorensen": ("fbeta", {"beta": "1"}),
    "Dice-Sørensen": ("fbeta", {"beta": "1"}),
    "Czekanowski": ("fbeta", {"beta": "1"}),
    "F2": ("fbeta", {"beta": "2"}),
    "Rogers-Tanimoto": ("stheta", {"theta": "2"}),
    "Sokal-Sneath 1": ("ttheta", {"theta": "2"}),
    "Sokal-Sneath 2": ("stheta", {"theta": "1/2"}),
}
"""Names of members of the families: the key of the row and the values of its parameters."""

ROWS: tuple[ScoreSpec, ...] = (*UNCONDITIONAL, *CONDITIONAL, *OF_BOTH_CLASSES, *FAMILIES, *BEYOND_CHANCE)
