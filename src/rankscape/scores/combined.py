"""Rows of the catalogue: scores that combine the rates of both classes, and agreement beyond chance."""

from math import inf

from .rows import Parameter, Row

BOTH_CLASSES = "both classes occur (tn + fp > 0 and tp + fn > 0)"
FOUR_MARGINS = "no class and no prediction is absent (all four margins > 0)"
KAPPA_PLACE = ("q**2 / (q**2 + p**2)", "1/2")  # Tile, Lemma 8

OF_BOTH_CLASSES = (
    Row(
        key="wa", name="weighted accuracy (λ₊)", symbol="WA_λ₊", formula="(1 - weight)*tnr + weight*tpr", low=0, high=1,
        direction="larger", aliases=("weighted accuracy",), place=("weight*q / (weight*q + (1 - weight)*p)",) * 2,
        domain=BOTH_CLASSES, parameters=(Parameter("weight", 0, 1),), source="Tile, 2.2 and Lemma 9",
        note="The weight is λ₊, that of the TPR.",
    ),
    Row(
        key="ba", name="balanced accuracy", symbol="BA", formula="(tnr + tpr) / 2", low=0, high=1, direction="larger",
        aliases=("bacc", "macro-averaged recall", "unweighted average recall", "UAR"), place=("q", "q"),
        domain=BOTH_CLASSES, source="Tile, 2.2 and Lemma 9",
    ),
    Row(
        key="gmean", name="geometric mean of TNR and TPR", symbol="GM", formula="sqrt(tnr*tpr)", low=0, high=1,
        direction="larger", aliases=("geometric mean", "G-mean"), domain=BOTH_CLASSES, source="Tile, 2.2",
    ),
    Row(
        key="youden", name="Youden's index", symbol="J_Y", formula="tnr + tpr - 1", low=-1, high=1, direction="larger",
        aliases=("Youden's J", "informedness", "bookmaker informedness", "BM", "Peirce skill score", "PSS",
                 "true skill statistic", "TSS", "true skill score", "Hanssen-Kuipers discriminant", "Kuipers skill score", "DeltaP'"),
        place=("q", "q"), domain=BOTH_CLASSES, source="Tile, 2.2 and Lemma 10",
    ),
    Row(
        key="determinant", name="determinant of the confusion matrix", symbol="|C|", formula="tn*tp - fp*fn", low=-0.25,
        high=0.25, direction="larger", place=("q", "q"), source="Tile, 2.2 and 4.2",
    ),
    Row(
        key="snpv", name="standardized negative predictive value", symbol="SNPV", formula="tnr / (tnr + fnr)", low=0, high=1,
        direction="larger", place=(0, 1), domain=f"{BOTH_CLASSES} and tn + fn > 0", source="Tile, 2.2 and Lemma 10",
    ),
    Row(
        key="sppv", name="standardized positive predictive value", symbol="SPPV", formula="tpr / (fpr + tpr)", low=0, high=1,
        direction="larger", place=(1, 0), domain=f"{BOTH_CLASSES} and tp + fp > 0", source="Tile, 2.2 and Lemma 10",
    ),
    Row(
        key="nlr", name="negative likelihood ratio", symbol="NLR", formula="fnr / tnr", low=0, high=inf, direction="smaller",
        aliases=("LR-", "likelihood ratio negative"), place=(0, 1), domain="tn > 0 and tp + fn > 0",
        source="Tile, 2.2 and Lemma 10",
    ),
    Row(
        key="plr", name="positive likelihood ratio", symbol="PLR", formula="tpr / fpr", low=0, high=inf, direction="larger",
        aliases=("LR+", "likelihood ratio positive"), place=(1, 0), domain="fp > 0 and tp + fn > 0",
        source="Tile, 2.2 and Lemma 10",
    ),
    Row(
        key="or", name="odds ratio", symbol="OR", formula="tn*tp / (fp*fn)", low=0, high=inf, direction="larger",
        aliases=("diagnostic odds ratio", "DOR"), domain="fp > 0 and fn > 0", source="Foundations, Table 1",
    ),
    Row(
        key="yuleq", name="Yule's Q", symbol="Q", formula="(tn*tp - fp*fn) / (tn*tp + fp*fn)", low=-1, high=1,
        direction="larger", aliases=("odds ratio skill score", "ORSS"), domain="tn·tp + fp·fn > 0",
        source="Yule 1900; (OR − 1)/(OR + 1)",
    ),
    Row(
        key="yuley", name="Yule's Y", symbol="Y", formula="(sqrt(tn*tp) - sqrt(fp*fn)) / (sqrt(tn*tp) + sqrt(fp*fn))",
        order="(tn*tp - fp*fn) / (tn*tp + fp*fn)", low=-1, high=1, direction="larger",
        aliases=("coefficient of colligation",), domain="tn·tp + fp·fn > 0", source="Yule 1912",
    ),
    Row(
        key="dprime", name="d′ (sensitivity index)", symbol="d′", formula="probit(tpr) - probit(fpr)", low=-inf, high=inf,
        direction="larger", aliases=("d prime", "sensitivity index", "discriminability"), domain="all four outcomes occur",
        source="Foundations, Table 1",
    ),
    Row(
        key="sivf", name="skew-insensitive version of F₁", symbol="SIVF", formula="2*tpr / (tpr + fpr + 1)", low=0, high=1,
        direction="larger", place=(1, "q"), domain=BOTH_CLASSES, source="Optimal trade-off, eqs (28)-(32)",
    ),
    Row(
        key="netbenefit", name="net benefit (p_t)", symbol="NB_p_t", formula="tp - fp*threshold/(1 - threshold)", low=-inf,
        high=1, direction="larger", aliases=("net benefit", "NB"), place=("1 - threshold", "1 - threshold"),
        domain="threshold < 1", parameters=(Parameter("threshold", 0, 1),), source="Vickers and Elkin 2006",
        note="The threshold p_t is the probability above which one acts.",
    ),
)  # fmt: skip

BEYOND_CHANCE = (
    Row(
        key="kappa", name="Cohen's kappa", symbol="κ",
        formula="2*(tn*tp - fp*fn) / ((tn + fp)*(fp + tp) + (tn + fn)*(fn + tp))", low=-1, high=1, direction="larger",
        aliases=("Cohen kappa", "Heidke skill score", "HSS", "Doolittle skill score"), place=KAPPA_PLACE,
        domain="neither tn = 1 nor tp = 1", source="Tile, 2.2 and Lemma 8",
    ),
    Row(
        key="chance", name="chance in Cohen's kappa", symbol="A∘no-skill",
        formula="(tn + fp)*(tn + fn) + (fn + tp)*(fp + tp)", low=0, high=1, direction=None,
        aliases=("expected accuracy", "chance agreement"), source="Foundations, Table 1; Tile, 2.2",
    ),
    Row(
        key="scottpi", name="Scott's pi", symbol="π",
        formula="(4*tn*tp - (fp + fn)**2) / ((2*tn + fp + fn)*(2*tp + fp + fn))", low=-1, high=1, direction="larger",
        aliases=("Scott pi", "Fleiss's kappa", "Fleiss kappa"), domain="neither tn = 1 nor tp = 1", source="Tile, 4.4",
        note="For two raters Fleiss's κ is the same formula.",
    ),
    Row(
        key="gss", name="Gilbert skill score", symbol="GSS",
        formula="(tp - (fn + tp)*(fp + tp)) / (fp + fn + tp - (fn + tp)*(fp + tp))", low=-1 / 3, high=1, direction="larger",
        aliases=("equitable threat score", "ETS"), place=KAPPA_PLACE, domain="neither tn = 1 nor tp = 1",
        source="Gilbert 1884; equal to κ/(2 − κ)",
    ),
    Row(
        key="mcc", name="Matthews correlation coefficient", symbol="MCC",
        formula="(tn*tp - fp*fn) / sqrt((tn + fp)*(fn + tp)*(tn + fn)*(fp + tp))",
        order="(tn*tp - fp*fn)*abs(tn*tp - fp*fn) / ((tn + fp)*(fn + tp)*(tn + fn)*(fp + tp))", low=-1, high=1,
        direction="larger", aliases=("Matthews", "phi coefficient", "phi", "Yule phi", "Pearson phi"), domain=FOUR_MARGINS,
        source="Foundations, Table 1",
    ),
    Row(
        key="biasindex", name="bias index", symbol="BI", formula="fp - fn", low=-1, high=1, direction=None,
        source="Tile, 2.2: τ₊ − π₊",
    ),
    Row(
        key="frequencybias", name="frequency bias", symbol="bias", formula="(fp + tp) / (fn + tp)", low=0, high=inf,
        direction=None, aliases=("bias score",), domain="tp + fn > 0", source="Wilks 2020: τ₊/π₊; 1 is unbiased",
    ),
    Row(
        key="markedness", name="markedness", symbol="MK", formula="npv + ppv - 1", low=-1, high=1, direction="larger",
        aliases=("Clayton skill score", "CSS", "DeltaP"), domain="tn + fn > 0 and tp + fp > 0", source="Tile, 2.2",
    ),
    Row(
        key="fmi", name="Fowlkes-Mallows index", symbol="FMI", formula="sqrt(ppv*tpr)", low=0, high=1, direction="larger",
        aliases=("Fowlkes-Mallows", "cosine coefficient", "cosine similarity", "Ochiai", "G-measure"),
        domain="tp + fp > 0 and tp + fn > 0", source="Foundations, A.2",
        note="Some authors call the geometric mean of TNR and TPR the G-measure.",
    ),
    Row(
        key="acp", name="average conditional probability", symbol="ACP", formula="(tnr + npv + ppv + tpr) / 4", low=0, high=1,
        direction="larger", domain=FOUR_MARGINS, source="Tile, 2.2",
    ),
    Row(
        key="p4", name="P4", symbol="P₄", formula="4*tn*tp / (4*tn*tp + (tn + tp)*(fp + fn))", low=0, high=1,
        direction="larger", domain="neither tn = tp = 0 nor (tn·tp = 0 and fp = fn = 0)", source="Tile, 2.2; Sitarz 2023",
        note="The harmonic mean of TNR, NPV, PPV and TPR, in the form that is defined wherever its limit is.",
    ),
    Row(
        key="vut", name="volume under the Tile", symbol="VUT", formula="", low=0, high=1, direction="larger",
        source="Tile, eqs (9)-(15)", note="the mean of all canonical ranking scores, ∫∫ R(a, b) da db",
    ),
)  # fmt: skip
