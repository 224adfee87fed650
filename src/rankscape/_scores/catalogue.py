"""The catalogue of named two-class scores: data only. A new score costs one row."""

from dataclasses import dataclass
from fractions import Fraction
from math import inf

from ..typing import Direction

Expression = str | int
Importance = tuple[Expression, Expression, Expression, Expression]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a family of scores, with the interval of its values; ``below``: the upper end is left out.

    ``letter`` stands for it in the name and the symbol of the family.
    """

    name: str
    letter: str
    low: float
    high: float
    default: str | None = None
    below: bool = False


@dataclass(frozen=True, kw_only=True)
class ScoreSpec:
    """One row of the catalogue: plain data, all texts in the grammar of ``expressions.py``.

    ``also`` has its other names; those that ``possible_names`` reduces to one of these need not be among them.
    ``importance`` is given where the score *is* the ranking score R_I; ``orders_as`` where it is a strictly monotone
    function of one (increasing, or decreasing if ``direction`` is "smaller"); ``place`` where that is so only for fixed
    priors: (a, b) in terms of p = π₊ and q = π₋; ``rate_place`` where it is so for fixed prediction rates: (a, b) in
    terms of t = τ₊. ``order`` is a rational formula that orders as the score does.
    """

    key: str
    name: str
    symbol: str
    formula: str
    low: float = 0
    high: float = 1
    direction: Direction | None = "larger"
    also: str = ""
    importance: Importance | None = None
    orders_as: Importance | None = None
    place: tuple[Expression, Expression] | None = None
    rate_place: tuple[Expression, Expression] | None = None
    order: str | None = None
    domain: str = "all performances"
    source: str = ""
    parameters: tuple[Parameter, ...] = ()
    note: str = ""

    @property
    def aliases(self) -> tuple[str, ...]:
        """The other names of the score."""
        return tuple(self.also.split(", ")) if self.also else ()


BOTH_CLASSES = "both classes occur (tn + fp > 0 and tp + fn > 0)"
FOUR_MARGINS = "no class and no prediction is absent (all four margins > 0)"
KAPPA_PLACE = ("q**2 / (q**2 + p**2)", "1/2")  # Tile, Lemma 8
KAPPA_RATE_PLACE = ("(1 - t)**2 / ((1 - t)**2 + t**2)", "1/2")  # κ stays when truth and prediction are swapped

# fmt: off
ROWS: tuple[ScoreSpec, ...] = (
    # Probabilities of single events
    ScoreSpec(key="ptn", name="probability of true negatives", symbol="PTN", formula="tn",
              place=(0, 0), rate_place=(0, 1), source="Tile, 2.2 and 4.2",
              note="The papers call it the rejection rate."),
    ScoreSpec(key="pfp", name="probability of false positives", symbol="PFP", formula="fp",
              direction="smaller", place=(0, 0), rate_place=(1, 0), source="Tile, 2.2 and 4.2"),
    ScoreSpec(key="pfn", name="probability of false negatives", symbol="PFN", formula="fn", direction="smaller",
              place=(1, 1), rate_place=(0, 1), source="Tile, 2.2 and 4.2"),
    ScoreSpec(key="ptp", name="probability of true positives", symbol="PTP", formula="tp",
              also="Russell-Rao", place=(1, 1), rate_place=(1, 0), source="Tile, 2.2 and 4.2",
              note="The papers call it the detection rate; in other fields that is the TPR."),
    ScoreSpec(key="negativeprior", name="prior of the negative class", symbol="π₋", formula="tn + fp", direction=None,
              source="Tile, 2.2"),
    ScoreSpec(key="prior", name="prior of the positive class", symbol="π₊", formula="fn + tp", direction=None,
              also="positive prior, prevalence, base rate, BASER, true prevalence, prev",
              source="Tile, 2.2"),
    ScoreSpec(key="negativerate", name="rate of negative predictions", symbol="τ₋", formula="tn + fn", direction=None,
              also="negative prediction rate, predicted negative rate, RNP", source="Tile, 2.2"),
    ScoreSpec(key="predictionrate", name="rate of positive predictions", symbol="τ₊", formula="fp + tp", direction=None,
              also=("positive prediction rate, selection rate, alarm rate, detection prevalence, apparent prevalence, "
                    "predicted positive rate, forecast rate, FMEAN, RPP"), source="Tile, 2.2"),
    ScoreSpec(key="accuracy", name="accuracy", symbol="A", formula="tn + tp",
              also=("acc, matching coefficient, simple matching, SMC, proportion correct, fraction correct, percent "
                    "correct, percentage correct, overall accuracy, overall acc, OA, classification accuracy, binary "
                    "accuracy, diagnostic accuracy, correct classification rate, CCR, correctly classified instances, "
                    "Rand, Rand index, Sokal-Michener"),
              importance=(1, 1, 1, 1), source="Tile, 2.2 and Table 2"),
    ScoreSpec(key="er", name="error rate", symbol="ER", formula="fp + fn", direction="smaller",
              also=("error, err, misclassification, misclassification rate, misclassification error, classification "
                    "error, incorrectly classified instances, zero-one loss, Hamming loss, Hamming distance"),
              orders_as=(1, 1, 1, 1), source="Tile, 2.2"),

    # Conditional probabilities, and what forecasters and physicians call them
    ScoreSpec(key="tnr", name="true negative rate", symbol="TNR", formula="tn / (tn + fp)",
              also=("specificity, spec, Sp, selectivity, inverse recall, correct rejection rate, TN rate, true "
                    "negative fraction, TNF, PODN"),
              importance=(1, 1, 0, 0), domain="tn + fp > 0", source="Tile, 2.2 and Table 2"),
    ScoreSpec(key="fpr", name="false positive rate", symbol="FPR", formula="fp / (tn + fp)", direction="smaller",
              also=("fall-out, fall, FP rate, false positive fraction, FPF, probability of false detection, POFD, "
                    "false alarm rate, false acceptance rate, false accept rate, type I error rate"),
              orders_as=(1, 1, 0, 0), domain="tn + fp > 0", source="Tile, 2.2",
              note="Forecasters' false alarm rate; their false alarm ratio is the FDR. FAR may be either."),
    ScoreSpec(key="tpr", name="true positive rate", symbol="TPR", formula="tp / (fn + tp)",
              also=("recall, rec, sensitivity, sens, Se, hit rate, TP rate, true positive fraction, TPF, probability "
                    "of detection, POD, PODY, power, prefigurance, producer's accuracy, Re"),
              importance=(0, 0, 1, 1), domain="tp + fn > 0", source="Tile, 2.2 and Table 2"),
    ScoreSpec(key="fnr", name="false negative rate", symbol="FNR", formula="fn / (fn + tp)", direction="smaller",
              also=("miss rate, FN rate, false negative fraction, FNF, false rejection rate, false reject rate, FRR, "
                    "omission error, type II error rate"), orders_as=(0, 0, 1, 1), domain="tp + fn > 0",
              source="Tile, 2.2"),
    ScoreSpec(key="npv", name="negative predictive value", symbol="NPV", formula="tn / (tn + fn)",
              also="inverse precision, neg pred value, PV-", importance=(1, 0, 1, 0), domain="tn + fn > 0",
              source="Tile, 2.2 and Table 2"),
    ScoreSpec(key="for", name="false omission rate", symbol="FOR", formula="fn / (tn + fn)", direction="smaller",
              also="detection failure ratio, DFR, PCmiss", orders_as=(1, 0, 1, 0), domain="tn + fn > 0",
              source="Tile, 2.2"),
    ScoreSpec(key="ppv", name="positive predictive value", symbol="PPV", formula="tp / (fp + tp)",
              also=("precision, prec, pos pred value, PV+, success ratio, SR, Pr, post agreement, frequency of hits, "
                    "user's accuracy"),
              importance=(0, 1, 0, 1), domain="tp + fp > 0", source="Tile, 2.2 and Table 2"),
    ScoreSpec(key="fdr", name="false discovery rate", symbol="FDR", formula="fp / (fp + tp)", direction="smaller",
              also="false alarm ratio, PCfall, commission error", orders_as=(0, 1, 0, 1), domain="tp + fp > 0",
              source="Tile, 2.2",
              note="Forecasters' FAR; biometricians call the FPR so."),
    ScoreSpec(key="jminus", name="Jaccard index of the negative class", symbol="J₋", formula="tn / (tn + fp + fn)",
              also="negative Jaccard", importance=(1, 1, 1, 0), domain="tn + fp + fn > 0",
              source="Tile, 2.2 and Table 2"),
    ScoreSpec(key="jplus", name="Jaccard index of the positive class", symbol="J₊", formula="tp / (fp + fn + tp)",
              importance=(0, 1, 1, 1), domain="tp + fp + fn > 0", source="Tile, 2.2 and Table 2",
              also=("Jaccard, Jaccard index, IoU, intersection over union, critical success index, CSI, threat score, "
                    "TS, Tanimoto")),
    ScoreSpec(key="correctwithoutfp", name="P(S=1 | positive or predicted negative)", symbol="P(tn,tp|tn,fn,tp)",
              formula="(tn + tp) / (tn + fn + tp)", importance=(1, 0, 1, 1), domain="tn + fn + tp > 0",
              source="Tile, Table 2"),
    ScoreSpec(key="correctwithoutfn", name="P(S=1 | negative or predicted positive)", symbol="P(tn,tp|tn,fp,tp)",
              formula="(tn + tp) / (tn + fp + tp)", importance=(1, 1, 0, 1), domain="tn + fp + tp > 0",
              source="Tile, Table 2"),

    # Scores that combine the rates of both classes
    ScoreSpec(key="wa", name="weighted accuracy (λ₊)", symbol="WA_λ₊", formula="(1 - weight)*tnr + weight*tpr",
              also="weighted accuracy", place=("weight*q / (weight*q + (1 - weight)*p)",) * 2,
              domain=BOTH_CLASSES, parameters=(Parameter("weight", "λ₊", 0, 1),), source="Tile, 2.2 and Lemma 9",
              note="The weight is λ₊, that of the TPR."),
    ScoreSpec(key="ba", name="balanced accuracy", symbol="BA", formula="(tnr + tpr) / 2",
              also=("bacc, bal accuracy, bal acc, balanced acc, BAC, balanced classification rate, BCR, "
                    "macro-averaged recall, macro recall, recall macro, unweighted average recall, UAR, mean "
                    "per-class accuracy, average recall, mean recall"),
              place=("q", "q"), domain=BOTH_CLASSES, source="Tile, 2.2 and Lemma 9"),
    ScoreSpec(key="gmean", name="geometric mean of TNR and TPR", symbol="GM", formula="sqrt(tnr*tpr)",
              also="geometric mean", domain=BOTH_CLASSES, source="Tile, 2.2"),
    ScoreSpec(key="youden", name="Youden's index", symbol="J_Y", formula="tnr + tpr - 1", low=-1,
              also=("Youden's J, J index, J statistic, informedness, bookmaker informedness, BM, Peirce skill score, "
                    "PSS, true skill statistic, TSS, true skill score, Hanssen-Kuipers, Hanssen-Kuipers discriminant, "
                    "HK, Hanssen-Kuipers skill score, Kuipers skill score"), place=("q", "q"), domain=BOTH_CLASSES,
              source="Tile, 2.2 and Lemma 10"),
    ScoreSpec(key="determinant", name="determinant of the confusion matrix", symbol="|C|", formula="tn*tp - fp*fn",
              low=-0.25, high=0.25, place=("q", "q"), rate_place=("1 - t", "t"), source="Tile, 2.2 and 4.2"),
    ScoreSpec(key="snpv", name="standardized negative predictive value", symbol="SNPV", formula="tnr / (tnr + fnr)",
              place=(0, 1), domain=f"{BOTH_CLASSES} and tn + fn > 0", source="Tile, 2.2 and Lemma 10"),
    ScoreSpec(key="sppv", name="standardized positive predictive value", symbol="SPPV", formula="tpr / (fpr + tpr)",
              place=(1, 0), domain=f"{BOTH_CLASSES} and tp + fp > 0", source="Tile, 2.2 and Lemma 10"),
    ScoreSpec(key="nlr", name="negative likelihood ratio", symbol="NLR", formula="fnr / tnr", high=inf,
              direction="smaller", also="LR-, likelihood ratio negative, negative LR, neg LR, LR neg",
              place=(0, 1),
              domain="tn > 0 and tp + fn > 0", source="Tile, 2.2 and Lemma 10"),
    ScoreSpec(key="plr", name="positive likelihood ratio", symbol="PLR", formula="tpr / fpr", high=inf,
              also="LR+, likelihood ratio positive, positive LR, pos LR, LR pos", place=(1, 0),
              domain="fp > 0 and tp + fn > 0",
              source="Tile, 2.2 and Lemma 10"),
    ScoreSpec(key="or", name="odds ratio", symbol="OR", formula="tn*tp / (fp*fn)", high=inf,
              also="diagnostic odds ratio, DOR", domain="fp > 0 and fn > 0", source="Foundations, Table 1"),
    ScoreSpec(key="yuleq", name="Yule's Q", symbol="Q", formula="(tn*tp - fp*fn) / (tn*tp + fp*fn)", low=-1,
              also="odds ratio skill score, ORSS", domain="tn·tp + fp·fn > 0",
              source="Yule 1900; (OR − 1)/(OR + 1)"),
    ScoreSpec(key="yuley", name="Yule's Y", symbol="Y",
              formula="(sqrt(tn*tp) - sqrt(fp*fn)) / (sqrt(tn*tp) + sqrt(fp*fn))",
              order="(tn*tp - fp*fn) / (tn*tp + fp*fn)", low=-1, also="coefficient of colligation",
              domain="tn·tp + fp·fn > 0", source="Yule 1912"),
    ScoreSpec(key="dprime", name="d′ (sensitivity index)", symbol="d′", formula="probit(tpr) - probit(fpr)", low=-inf,
              high=inf, also="sensitivity index, discriminability", domain="all four outcomes occur",
              source="Foundations, Table 1"),
    ScoreSpec(key="sivf", name="skew-insensitive version of F₁", symbol="SIVF", formula="2*tpr / (tpr + fpr + 1)",
              place=(1, "q"), domain=BOTH_CLASSES, source="Optimal trade-off, eqs (28)-(32)"),
    ScoreSpec(key="netbenefit", name="net benefit (p_t)", symbol="NB_p_t", formula="tp - fp*threshold/(1 - threshold)",
              low=-inf, also="NB", place=("1 - threshold", "1 - threshold"),
              rate_place=(1, 0), domain="threshold < 1",
              parameters=(Parameter("threshold", "p_t", 0, 1, below=True),), source="Vickers and Elkin 2006",
              note="The threshold p_t is the probability above which one acts."),

    # Families of ranking scores with a parameter
    ScoreSpec(key="fbeta", name="F_β score", symbol="F_β",
              formula="(1 + beta**2)*tp / ((1 + beta**2)*tp + beta**2*fn + fp)",
              also="F", importance=(0, 1, "beta**2", "1 + beta**2"),
              domain="tn < 1 (and tp + fp > 0 for beta = 0)", parameters=(Parameter("beta", "β", 0, inf),),
              source="Tile, Lemma 7 (the second form)", note="For β = 0 the domain is that of PPV."),
    ScoreSpec(key="bennett", name="Bennett's S", symbol="S", formula="tn + tp - fp - fn", low=-1,
              also="Hamann", orders_as=(1, 1, 1, 1),
              source="Tile, 2.2: 2A − 1"),
    ScoreSpec(key="stheta", name="Gower-Legendre S_θ", symbol="S_θ", formula="(tn + tp) / (tn + tp + theta*(fp + fn))",
              also="Gower-Legendre S", importance=(1, "theta", "theta", 1),
              domain="not (theta = 0 and tn + tp = 0)", parameters=(Parameter("theta", "θ", 0, inf),),
              source="Gower and Legendre 1986; Tile, 4.2"),
    ScoreSpec(key="ttheta", name="Gower-Legendre T_θ", symbol="T_θ", formula="tp / (tp + theta*(fp + fn))",
              also="Gower-Legendre T", importance=(0, "theta", "theta", 1),
              domain="tn < 1 (and tp > 0 for theta = 0)", parameters=(Parameter("theta", "θ", 0, inf),),
              source="Gower and Legendre 1986; Tile, 4.2"),
    ScoreSpec(key="batyrshin", name="Batyrshin similarity (δ, θ)", symbol="B_δ,θ",
              formula="(tp + delta*tn) / (tp + delta*tn + theta*(fp + fn))", importance=("delta", "theta", "theta", 1),
              domain="not all of tp, delta·tn, theta·(fp + fn) are 0",
              parameters=(Parameter("delta", "δ", 0, 1), Parameter("theta", "θ", 0, inf, default="1")),
              source="Batyrshin et al. 2016; Tile, 4.2: on the segment from F₁ (δ = 0) to A (δ = 1)"),

    # Similarity coefficients outside these families; numbers of Sokal and Sneath are those of Choi, Cha, Tappert 2010
    ScoreSpec(key="kulczynski1", name="Kulczynski's first coefficient", symbol="K₁", formula="tp / (fp + fn)", high=inf,
              orders_as=(0, 1, 1, 1), domain="fp + fn > 0",
              source="Gower and Legendre 1986; J₊/(1 − J₊)"),
    ScoreSpec(key="sokalsneath3", name="Sokal and Sneath's third coefficient", symbol="SS₃",
              formula="(tn + tp) / (fp + fn)", high=inf, orders_as=(1, 1, 1, 1),
              domain="fp + fn > 0", source="Choi, Cha and Tappert 2010; A/(1 − A)"),
    ScoreSpec(key="lift", name="lift", symbol="lift", formula="tp / ((fp + tp)*(fn + tp))", high=inf,
              also="Forbes", place=(1, 0), rate_place=(1, 1),
              domain="tp + fp > 0 and tp + fn > 0", source="Forbes 1907; PPV/π₊ = TPR/τ₊"),
    ScoreSpec(key="kulczynski2", name="Kulczynski's second coefficient", symbol="K₂", formula="(ppv + tpr) / 2",
              domain="tp + fp > 0 and tp + fn > 0", source="Gower and Legendre 1986"),
    ScoreSpec(key="rogotgoldberg", name="Rogot-Goldberg coefficient", symbol="RG",
              formula="tp / (2*tp + fp + fn) + tn / (2*tn + fp + fn)", domain="neither tn = 1 nor tp = 1",
              source="Rogot and Goldberg 1966: the mean of both classes' F₁"),
    ScoreSpec(key="sokalsneath5", name="Sokal and Sneath's fifth coefficient", symbol="SS₅",
              formula="tn*tp / sqrt((tn + fp)*(fn + tp)*(tn + fn)*(fp + tp))",
              order="(tn*tp)**2 / ((tn + fp)*(fn + tp)*(tn + fn)*(fp + tp))", domain=FOUR_MARGINS,
              source="Gower and Legendre 1986; the square of a geometric mean"),
    ScoreSpec(key="simpson", name="Simpson's coefficient", symbol="Sim",
              formula="tp / min(fp + tp, fn + tp)", also="overlap coefficient",
              domain="tp + fp > 0 and tp + fn > 0", source="Choi, Cha and Tappert 2010; max(PPV, TPR)"),
    ScoreSpec(key="braunblanquet", name="Braun-Blanquet coefficient", symbol="BB",
              formula="tp / max(fp + tp, fn + tp)", domain="tp + fp + fn > 0",
              source="Choi, Cha and Tappert 2010; min(PPV, TPR) where both are defined"),
    ScoreSpec(key="baroniurbanibuser", name="Baroni-Urbani and Buser's coefficient", symbol="BUB",
              formula="(tp + sqrt(tn*tp)) / (tp + sqrt(tn*tp) + fp + fn)", domain="tp + fp + fn > 0",
              source="Choi, Cha and Tappert 2010"),

    # Agreement beyond chance
    ScoreSpec(key="kappa", name="Cohen's kappa", symbol="κ",
              formula="2*(tn*tp - fp*fn) / ((tn + fp)*(fp + tp) + (tn + fn)*(fn + tp))", low=-1,
              also="kap, Cohen's κ, simple kappa, adjusted Rand, ARI, Heidke skill score, HSS, Doolittle skill score",
              place=KAPPA_PLACE, rate_place=KAPPA_RATE_PLACE,
              domain="neither tn = 1 nor tp = 1", source="Tile, 2.2 and Lemma 8"),
    ScoreSpec(key="chance", name="chance in Cohen's kappa", symbol="A∘no-skill",
              formula="(tn + fp)*(tn + fn) + (fn + tp)*(fp + tp)", direction=None,
              also="expected accuracy, chance agreement", source="Foundations, Table 1; Tile, 2.2"),
    ScoreSpec(key="scottpi", name="Scott's pi", symbol="π",
              formula="(4*tn*tp - (fp + fn)**2) / ((2*tn + fp + fn)*(2*tp + fp + fn))", low=-1,
              also="Scott's π, Fleiss kappa, Fleiss's kappa", domain="neither tn = 1 nor tp = 1",
              source="Tile, 4.4", note="For two raters Fleiss's κ is the same formula."),
    ScoreSpec(key="gss", name="Gilbert skill score", symbol="GSS",
              formula="(tp - (fn + tp)*(fp + tp)) / (fp + fn + tp - (fn + tp)*(fp + tp))", low=-1 / 3,
              also="Gilbert's skill score, equitable threat score, ETS", place=KAPPA_PLACE,
              rate_place=KAPPA_RATE_PLACE,
              domain="neither tn = 1 nor tp = 1", source="Gilbert 1884; equal to κ/(2 − κ)"),
    ScoreSpec(key="mcc", name="Matthews correlation coefficient", symbol="MCC",
              formula="(tn*tp - fp*fn) / sqrt((tn + fp)*(fn + tp)*(tn + fn)*(fp + tp))",
              order="(tn*tp - fp*fn)*abs(tn*tp - fp*fn) / ((tn + fp)*(fn + tp)*(tn + fn)*(fp + tp))", low=-1,
              also="Matthews, matthews_corrcoef, Matthews correlation, mat, phi, φ, Yule phi, Pearson phi",
              domain=FOUR_MARGINS, source="Foundations, Table 1"),
    ScoreSpec(key="biasindex", name="bias index", symbol="BI", formula="fp - fn", low=-1, direction=None,
              source="Tile, 2.2: τ₊ − π₊"),
    ScoreSpec(key="frequencybias", name="frequency bias", symbol="bias", formula="(fp + tp) / (fn + tp)", high=inf,
              direction=None, also="FBIAS", domain="tp + fn > 0",
              source="Wilks 2020: τ₊/π₊; 1 is unbiased"),
    ScoreSpec(key="markedness", name="markedness", symbol="MK", formula="npv + ppv - 1", low=-1,
              also="Clayton skill score, CSS", domain="tn + fn > 0 and tp + fp > 0", rate_place=("1 - t", "t"),
              source="Tile, 2.2; its place: Lemmas 3 and 10"),
    ScoreSpec(key="fmi", name="Fowlkes-Mallows index", symbol="FMI", formula="sqrt(ppv*tpr)",
              also="Fowlkes-Mallows, cosine, Ochiai",
              domain="tp + fp > 0 and tp + fn > 0", source="Foundations, A.2",
              note="Some authors call it the G-measure, others the geometric mean of TNR and TPR."),
    ScoreSpec(key="acp", name="average conditional probability", symbol="ACP", formula="(tnr + npv + ppv + tpr) / 4",
              also="Sokal-Sneath 4", domain=FOUR_MARGINS, source="Tile, 2.2"),
    ScoreSpec(key="p4", name="P4", symbol="P₄", formula="4*tn*tp / (4*tn*tp + (tn + tp)*(fp + fn))",
              domain="neither tn = tp = 0 nor (tn·tp = 0 and fp = fn = 0)", source="Tile, 2.2; Sitarz 2023",
              note="The harmonic mean of TNR, NPV, PPV and TPR, in the form that is defined wherever its limit is."),
    ScoreSpec(key="vut", name="volume under the Tile", symbol="VUT", formula="", source="Tile, eqs (9)-(15)",
              note="the mean of all canonical ranking scores, ∫∫ R(a, b) da db"),
)
# fmt: on

F1 = (
    "F1, F1 score, F measure, F meas, F score, F₁, Dice, DSC, Dice coefficient, Sørensen, Sørensen-Dice, "
    "Dice-Sørensen, Czekanowski"
)
PRESETS: dict[str, tuple[str, dict[str, Fraction]]] = {
    **dict.fromkeys(F1.split(", "), ("fbeta", {"beta": Fraction(1)})),
    "F2": ("fbeta", {"beta": Fraction(2)}),
    "F0point5": ("fbeta", {"beta": Fraction(1, 2)}),
    "Rogers-Tanimoto": ("stheta", {"theta": Fraction(2)}),
}
"""Names of members of the families: the key of the row and the values of its parameters."""
