"""Small inputs of every kind: files, the words that read them, and the pair of models that a gate compares."""

import json
from collections.abc import Mapping
from typing import NamedTuple


class Input(NamedTuple):
    """Files by name, what is typed to read them, the options that name two models, what Python types, other lines."""

    files: Mapping[str, str]
    words: str
    pair: str
    python: str = ""
    more: tuple[str, ...] = ()


COUNTS = "model,tn,fp,fn,tp\nash,80,20,9,41\nelm,90,10,15,35\noak,70,30,4,46\nfir,80,20,10,40\n"
DOMAINS = "site,model,tn,fp,fn,tp\n" + "".join(
    f"{site},{model},{k * tn},{k * (60 - tn)},{k * (30 - tp)},{k * tp}\n"
    for site, k, less in (("north", 1, 0), ("south", 3, 4), ("west", 2, 9))
    for model, tn, tp in (("ash", 55 - less, 20), ("elm", 40, 27 - less), ("oak", 50, 24))
)
WIDE = "id,ward,y,ash,elm,s,u\n" + "".join(
    f"{i},w{i % 4},{y},{y ^ (i % 7 == 0)},{y ^ (i % 5 == 1)},{(6 * y + i * 7 % 11) / 20},{(5 * y + i * 5 % 13) / 20}\n"
    for i, y in enumerate(int(i % 3 == 0) for i in range(48))
)
LONG = "model,id,y,yhat\n" + "".join(
    f"{m},{i},{i % 2},{(i % 2) ^ (i % k == 2)}\n" for m, k in (("ash", 6), ("elm", 4)) for i in range(24)
)
RIGHT = "question,topic,ash,elm,oak\n" + "".join(
    f"q{i},{'law' if i % 3 else 'art'},{int(i % 5 > 0)},{int(i % 4 > 0)},{int(i % 6 > 1)}\n" for i in range(30)
)
GRADES = "case,model,dice\n" + "".join(
    f"{i},{m},{(70 + i * k % 29) / 100}\n" for m, k in (("ash", 5), ("elm", 3), ("oak", 11)) for i in range(12)
)
RATES = "model,n,n_positive,sensitivity,specificity\nash,150,50,0.82,0.80\nelm,150,50,0.70,0.90\noak,150,50,0.92,0.70\n"
CLASSES = "id,kind,ash,elm\n" + "".join(
    f"{i},{'abc'[i % 3]},{'abc'[(i + (i % 5 == 0)) % 3]},{'abc'[(i + (i % 4 == 0)) % 3]}\n" for i in range(30)
)
VALUES = "id,y,ash,elm,oak\n" + "".join(f"{i},{i},{i + i % 3},{i - 2 * (i % 2)},{2 * i / 2 + 0.5}\n" for i in range(14))
CLUSTERS = "id,kind,ash,elm\n" + "".join(f"{i},{i // 5},{(i + 1) // 5},{i // 4 % 4}\n" for i in range(20))
FOUND = "film,model,fp,fn,tp\n" + "".join(
    f"{film},{m},{fp + k},{9 - tp},{tp}\n" for film, k in (("one", 0), ("two", 3)) for m, fp, tp in (("ash", 2, 7), ("elm", 1, 5))
)  # fmt: skip
BOXES = {"images": [{"id": 1}, {"id": 2}], "categories": [{"id": 1, "name": "cat"}], "annotations": [
    {"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 10, 10], "iscrowd": 0},
    {"id": 2, "image_id": 2, "category_id": 1, "bbox": [5, 5, 10, 10], "iscrowd": 0}]}  # fmt: skip
SEEN = [{"image_id": i, "category_id": 1, "bbox": [x, x, 10, 10], "score": s} for i, x, s in ((1, 0, 0.9), (1, 40, 0.8), (2, 6, 0.7))]  # fmt: skip
LOGS = {
    f"{m}/results_2026-01-02T03-04-05.json": json.dumps({
        "results": {"arc_easy": {"alias": "arc_easy", "acc,none": a, "acc_stderr,none": 0.02}, "piqa": {"alias": "piqa", "acc,none": b, "acc_stderr,none": 0.02}},
        "model_name": m, "config": {"model_args": f"pretrained={m}"}, "n-samples": {"arc_easy": {"original": 500, "effective": 500}, "piqa": {"original": 500, "effective": 500}}})
    for m, a, b in (("ash", 0.6, 0.7), ("elm", 0.64, 0.69))
}  # fmt: skip
TWO = "--entity ash --against-entity elm"

INPUTS = {
    "counts": Input({"counts.csv": COUNTS}, "counts.csv", f"--against counts.csv {TWO}", "read('counts.csv')", ('rank counts.csv --costs miss=5', 'rank counts.csv --differences --draws 100', 'rank counts.csv --shift-prior 0.1 --format csv', 'rank counts.csv --by 0.2,0.7 --format markdown', 'rank counts.csv --by mcc --format latex', 'why counts.csv --costs miss=5', 'gate counts.csv --against counts.csv --entity ash --against-entity elm', 'rank counts.cvs', 'rank counts.csv --by nothing', 'tile counts.csv --flavor best --resolution 4 -o t.json')),
    "probabilities": Input({"shares.csv": "entity,tn,fp,fn,tp\nash,0.5,0.1,0.1,0.3\nelm,0.45,0.15,0.05,0.35\n"}, "shares.csv", f"--against shares.csv {TWO}", "read('shares.csv')"),
    "domains": Input({"domains.csv": DOMAINS}, "domains.csv --domain-column site --entity-column model", f"--against domains.csv {TWO}", "read('domains.csv', domain='site')", ('rank domains.csv --domain-column site --domain north', 'rank domains.csv --domain-column site --weights size --format csv', 'rank domains.csv --domain-column site --other-methods --draws 60', 'rank domains.csv')),
    "wide": Input({"wide.csv": WIDE}, "wide.csv --truth y --prediction ash --prediction elm --case id", TWO, "count('wide.csv', truth='y', prediction=['ash', 'elm'], case='id')", ('rank wide.csv', 'rank wide.csv --truth y --prediction ash --prediction elm', 'rank wide.csv --truth y --prediction ash --prediction elm --cluster ward --uncertainty --draws 100', 'count wide.csv --truth y --score s --threshold 0.4 --format json', 'count wide.csv --truth y --prediction ash --domain-column ward', 'gate wide.csv --truth y --prediction ash --prediction elm --case id --entity ash --against-entity elm')),
    "long": Input({"long.csv": LONG}, "long.csv --truth y --prediction yhat --entity-column model --case id", TWO, "count('long.csv', truth='y', prediction='yhat', entity='model', case='id')", ('rank long.csv', 'rank long.csv --truth y --prediction yhat')),
    "scores": Input({"wide.csv": WIDE}, "wide.csv --truth y --score s --score u", "--entity s --against-entity u", "count('wide.csv', truth='y', score=['s', 'u'], threshold=0.4)", ('decide wide.csv --truth y --score s --score u --costs miss=3 --in-use s=0.4 --draws 60', 'explore wide.csv --truth y --score s -o e.html')),
    "right or wrong": Input({"right.csv": RIGHT}, "right.csv --domain-column topic", f"--against right.csv {TWO}", "read('right.csv', domain='topic')", ('rank right.csv --uncertainty --draws 100', 'rank right.csv')),
    "grades": Input({"grades.csv": GRADES}, "grades.csv --scale 0 1", f"--against grades.csv {TWO}", "read('grades.csv', scale=(0, 1))", ('rank grades.csv', 'rank grades.csv --scale 0 1 --uncertainty --draws 100')),
    "rates": Input({"rates.csv": RATES}, "rates.csv", f"--against rates.csv {TWO}", "read_published('rates.csv')", ('rank rates.csv --by accuracy', 'rank rates.csv --by accuracy --uncertainty --draws 100')),
    "classes": Input({"classes.csv": CLASSES}, "classes.csv --truth kind --prediction ash --prediction elm --task multi-class", TWO, "count('classes.csv', truth='kind', prediction=['ash', 'elm'], labels='abc')", ('count classes.csv --truth kind --prediction ash --labels a,b,c', 'rank classes.csv --truth kind --prediction ash --prediction elm --pos-label a')),
    "TREC": Input({"ash.run": "q1 Q0 d1 1 9 ash\nq1 Q0 d2 2 8 ash\nq2 Q0 d5 1 7 ash\n", "elm.run": "q1 Q0 d3 1 9 elm\nq2 Q0 d4 1 8 elm\n",
                   "judged.qrels": "q1 0 d1 2\nq1 0 d2 0\nq1 0 d3 1\nq2 0 d4 1\n"}, "ash.run elm.run --qrels judged.qrels", TWO, "read(['ash.run', 'elm.run'], qrels='judged.qrels')", ('rank ash.run elm.run', 'convert ash.run elm.run --qrels judged.qrels --depth 1')),
    "COCO": Input({"ash.json": json.dumps(SEEN), "elm.json": json.dumps(SEEN[::2]), "true.json": json.dumps(BOXES)}, "ash.json elm.json --annotations true.json", TWO, "read(['ash.json', 'elm.json'], annotations='true.json')", ('rank ash.json elm.json',)),
    "logs": Input(LOGS, "ash elm", TWO, "read(['ash', 'elm'])", ('rank ash elm --uncertainty',)),
    "regression": Input({"values.csv": VALUES}, "values.csv --truth y --prediction ash --prediction elm --prediction oak --task regression", TWO, "", ('rank values.csv --truth y --prediction ash --prediction elm --task regression --by mse',)),
    "clustering": Input({"clusters.csv": CLUSTERS}, "clusters.csv --truth kind --prediction ash --prediction elm --task clustering", TWO),
    "right side": Input({"found.csv": FOUND}, "found.csv --domain-column film --entity-column model", f"--against found.csv --domain-column film {TWO}", "read('found.csv', domain='film')", ('rank found.csv', 'rank found.csv --domain-column film --by accuracy')),
}  # fmt: skip

EACH = {
    "rank": ("rank {}", "rank {} --format json", "rank {} --uncertainty --draws 200 --format json"),
    "why": ("why {}", "why {} --format json"),
    "tradeoff": ("tradeoff {}", "tradeoff {} --format json"),
    "domains": ("domains {}", "domains {} --format json"),
    "gate": ("gate {} {pair} --format json",),
    "tile": ("tile {} --resolution 4 -o t.csv",),
    "explore": ("explore {} --draws 60 -o e.html",),
    "report": ("report {} --no-figures --draws 60 -o r.md",),
    "site": ("site {} --no-figures --draws 60 -o site",),
    "count": ("count {} --format json",),
    "convert": (),  # of files of other tools, each with options of its own
    "decide": ("decide {} --costs miss=3 --draws 60 --format json",),
}
"""The lines of each command that reads; {} is an input."""

NAMES = [
    "f1",
    "accuracy",
    "mcc",
    "kappa",
    "ppv",
    "plr",
    "fbeta(2)",
    "informedness",
    "1,1,5,5",
    "2*tp/(2*tp+fp+fn)",
    "nothing",
]
ONCE = {
    "audit": [f"audit {name} --format json" for name in NAMES] + ["audit f1", "audit kappa --prior 0.3", "audit markedness --prediction-rate 0.2"],
    "locate": [f"locate {name} --prior 0.3 --format json" for name in NAMES] + ["locate f1", "locate kappa", "locate markedness --prediction-rate 0.4", "locate 1,2,3,4"],
    "scores": [f"scores {name} --format json" for name in ("f1", "dice", "likelihood", "youden", "imbalanced", "nothing")] + ["scores f1", "scores"],
    "formats": ["formats", "formats --format json"],
    "schema": ["schema", "schema nothing", "schema gate"],
    "demo": ["demo -o demo", "demo --data data"],
}  # fmt: skip

RESULTS = """
P
P.frame()
rank(P)
rank(P, by='accuracy', ties='average').frame()
rank(P, by='mcc').frame()
rank(P, by=at(0.2, 0.7)).frame()
[score(name)(P) for name in ('f1', 'tpr', 'ppv', 'kappa', 'ba', 'plr')]
tradeoff(P)
tradeoff(P).frame()
[tradeoff(P).beta, tradeoff(P).place, tradeoff(P, ends=('npv', 'tnr')).beta]
tile.entity(P, resolution=4).frame()
tile.value(P, P.names[0], resolution=4).frame()
tile.ranking(P, P.names[0], resolution=4).frame()
tile.regret(P, P.names[-1], resolution=4).frame()
regions.first(P)
regions.flips(P, 'f1')
regions.winners(P)
uncertainty.rank_intervals(P, draws=100).frame()
domains.roles(P).frame()
domains.weightings(P, draws=50)
domains.summarize(P).frame()
P.shift_priors(0.3).frame()
views.pr(P)
views.roc(P).frame()
"""
"""What Python is asked about the performances of an input."""
