"""Rows of the catalogue: probabilities of single events, and what forecasters and physicians call them."""

from .rows import Row

UNCONDITIONAL = (
    Row(
        key="ptn", name="probability of true negatives", symbol="PTN", formula="tn", low=0, high=1, direction="larger",
        aliases=("rejection rate",), place=(0, 0), source="Tile, 2.2 and 4.2",
    ),
    Row(
        key="pfp", name="probability of false positives", symbol="PFP", formula="fp", low=0, high=1, direction="smaller",
        place=(0, 0), source="Tile, 2.2 and 4.2",
    ),
    Row(
        key="pfn", name="probability of false negatives", symbol="PFN", formula="fn", low=0, high=1, direction="smaller",
        place=(1, 1), source="Tile, 2.2 and 4.2",
    ),
    Row(
        key="ptp", name="probability of true positives", symbol="PTP", formula="tp", low=0, high=1, direction="larger",
        aliases=("detection rate",), place=(1, 1), source="Tile, 2.2 and 4.2",
        note="In other fields 'detection rate' is the TPR.",
    ),
    Row(
        key="negativeprior", name="prior of the negative class", symbol="π₋", formula="tn + fp", low=0, high=1, direction=None,
        aliases=("negative prior",), source="Tile, 2.2",
    ),
    Row(
        key="prior", name="prior of the positive class", symbol="π₊", formula="fn + tp", low=0, high=1, direction=None,
        aliases=("positive prior", "prevalence", "base rate"), source="Tile, 2.2",
    ),
    Row(
        key="negativerate", name="rate of negative predictions", symbol="τ₋", formula="tn + fn", low=0, high=1,
        direction=None, aliases=("negative prediction rate",), source="Tile, 2.2",
    ),
    Row(
        key="predictionrate", name="rate of positive predictions", symbol="τ₊", formula="fp + tp", low=0, high=1,
        direction=None, aliases=("positive prediction rate", "selection rate", "alarm rate"), source="Tile, 2.2",
    ),
    Row(
        key="accuracy", name="accuracy", symbol="A", formula="tn + tp", low=0, high=1, direction="larger",
        aliases=("acc", "matching coefficient", "simple matching", "proportion correct", "fraction correct", "Rand index",
                 "Sokal-Michener"),
        importance=(1, 1, 1, 1), source="Tile, 2.2 and Table 2",
    ),
    Row(
        key="er", name="error rate", symbol="ER", formula="fp + fn", low=0, high=1, direction="smaller",
        aliases=("error", "misclassification rate", "zero-one loss", "Hamming loss"), orders_as=(1, 1, 1, 1),
        source="Tile, 2.2",
    ),
)  # fmt: skip

CONDITIONAL = (
    Row(
        key="tnr", name="true negative rate", symbol="TNR", formula="tn / (tn + fp)", low=0, high=1, direction="larger",
        aliases=("specificity", "selectivity", "inverse recall", "correct rejection rate"), importance=(1, 1, 0, 0),
        domain="tn + fp > 0", source="Tile, 2.2 and Table 2",
    ),
    Row(
        key="fpr", name="false positive rate", symbol="FPR", formula="fp / (tn + fp)", low=0, high=1, direction="smaller",
        aliases=("fall-out", "probability of false detection", "POFD", "false alarm rate", "type I error rate"),
        orders_as=(1, 1, 0, 0), domain="tn + fp > 0", source="Tile, 2.2",
        note="Forecasters' false alarm rate; their false alarm ratio (FAR) is the FDR.",
    ),
    Row(
        key="tpr", name="true positive rate", symbol="TPR", formula="tp / (fn + tp)", low=0, high=1, direction="larger",
        aliases=("recall", "sensitivity", "hit rate", "probability of detection", "POD", "power", "prefigurance", "Re"),
        importance=(0, 0, 1, 1), domain="tp + fn > 0", source="Tile, 2.2 and Table 2",
    ),
    Row(
        key="fnr", name="false negative rate", symbol="FNR", formula="fn / (fn + tp)", low=0, high=1, direction="smaller",
        aliases=("miss rate", "type II error rate"), orders_as=(0, 0, 1, 1), domain="tp + fn > 0", source="Tile, 2.2",
    ),
    Row(
        key="npv", name="negative predictive value", symbol="NPV", formula="tn / (tn + fn)", low=0, high=1,
        direction="larger", aliases=("inverse precision"), importance=(1, 0, 1, 0), domain="tn + fn > 0",
        source="Tile, 2.2 and Table 2",
    ),
    Row(
        key="for", name="false omission rate", symbol="FOR", formula="fn / (tn + fn)", low=0, high=1, direction="smaller",
        aliases=("detection failure ratio", "DFR"), orders_as=(1, 0, 1, 0), domain="tn + fn > 0", source="Tile, 2.2",
    ),
    Row(
        key="ppv", name="positive predictive value", symbol="PPV", formula="tp / (fp + tp)", low=0, high=1,
        direction="larger", aliases=("precision", "success ratio", "Pr", "post agreement", "frequency of hits"),
        importance=(0, 1, 0, 1), domain="tp + fp > 0", source="Tile, 2.2 and Table 2",
    ),
    Row(
        key="fdr", name="false discovery rate", symbol="FDR", formula="fp / (fp + tp)", low=0, high=1, direction="smaller",
        aliases=("false alarm ratio", "FAR"), orders_as=(0, 1, 0, 1), domain="tp + fp > 0", source="Tile, 2.2",
        note="FAR is forecasters' false alarm ratio; biometricians call the FPR so.",
    ),
    Row(
        key="jminus", name="Jaccard index of the negative class", symbol="J₋", formula="tn / (tn + fp + fn)", low=0, high=1,
        direction="larger", aliases=("negative Jaccard",), importance=(1, 1, 1, 0), domain="tn + fp + fn > 0",
        source="Tile, 2.2 and Table 2",
    ),
    Row(
        key="jplus", name="Jaccard index of the positive class", symbol="J₊", formula="tp / (fp + fn + tp)", low=0, high=1,
        direction="larger", importance=(0, 1, 1, 1), domain="tp + fp + fn > 0", source="Tile, 2.2 and Table 2",
        aliases=("Jaccard", "Jaccard index", "IoU", "intersection over union", "critical success index", "CSI", "threat score",
                 "TS", "Tanimoto", "Tanimoto coefficient"),
    ),
    Row(
        key="correctwithoutfp", name="P(S=1 | positive or predicted negative)", symbol="P(tn,tp|tn,fn,tp)",
        formula="(tn + tp) / (tn + fn + tp)", low=0, high=1, direction="larger", importance=(1, 0, 1, 1),
        domain="tn + fn + tp > 0", source="Tile, Table 2",
    ),
    Row(
        key="correctwithoutfn", name="P(S=1 | negative or predicted positive)", symbol="P(tn,tp|tn,fp,tp)",
        formula="(tn + tp) / (tn + fp + tp)", low=0, high=1, direction="larger", importance=(1, 1, 0, 1),
        domain="tn + fp + tp > 0", source="Tile, Table 2",
    ),
)  # fmt: skip
