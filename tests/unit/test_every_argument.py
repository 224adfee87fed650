"""Every argument of every public function and method, changed, changes the answer or is refused: none does nothing.

``CALLS`` has calls of each, ``INPUTS`` what they are given, and ``VALUES`` another value for the arguments of each name.
In each call each argument is given, or changed, alone. Behind a first ``|`` a line has other values than those, behind a
second one what is looked at, by default the answer, ``it``, or where there is none the object that was called, ``me``.
``EXCEPTIONS`` says where the few arguments act that may have nothing to do.
"""

import ast
import inspect
import io
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, Self

import matplotlib
import matplotlib.pyplot
import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier
from test_docstrings import public
from test_every_option import EXCEPTIONS as OF_COMMANDS
from test_every_option import folder  # noqa: F401 - a fixture: calls are made in a folder with the same inputs

import rankscape as rs
from rankscape.uncertainty.draws import DrawOptions

INPUTS = {
    "N": "list('abcd')",
    "COUNTS": "[[40, 10, 20, 30], [40, 10, 20, 30], [30, 20, 5, 45], [45, 5, 30, 20]]",
    "P": "Performances.from_counts(COUNTS, names=N)",
    "Q": "Performances.from_counts(COUNTS[1:] + [[20, 30, 10, 41]], names=N)",
    "D": "Performances.from_counts(np.tile(COUNTS, (4, 1)) * np.repeat([1, 2, 4, 3], 4)[:, None] + MORE, names=N * 4, domains=np.repeat([*'wxyz'], 4))",
    "MORE": "np.outer([0] * 4 + [3, 0, 5, 1] * 3, [1, 0, 2, 7]) + np.repeat([0, 0, 9, 30], 4)[:, None] * [0, 1, 1, 0] + np.repeat([0, 0, 0, 99], 4)[:, None] * [0, 0, 0, 1]",
    "G": "D[np.arange(15)]",
    "DQ": "Performances.from_counts(D.counts[::-1], names=N * 4, domains=D.domains)",
    "SHARES": "Performances.from_probabilities(np.array(COUNTS) / 100, names=N)",
    "OPEN": "Performances.from_counts(np.array(COUNTS)[:, 1:], names=N, space=WITHOUT_TN)",
    "WITHOUT_TN": "score('f1').without_tn().space",
    "Y": "np.arange(60) % 3 // 2",
    "PRED": "{name: Y ^ (np.arange(60) % k == r) for name, k, r in (('a', 7, 0), ('b', 5, 1), ('c', 4, 3), ('d', 3, 2), ('e', 2, 1), ('f', 6, 5))}",
    "SCORES": "dict(zip('ab', (np.random.default_rng(0).normal(size=(2, 60)) / 5 + Y * [[0.2], [0.16]] + 0.4).round(2).clip(0.01, 0.99)))",
    "DOM": "np.array([*'xxy'])[np.arange(60) // 2 % 3]",
    "CLUSTER": "np.arange(60) // 4 * 10 + (DOM == 'y')",
    "FOLDS": "np.arange(60) // 3 % 4",
    "WEIGHT": "1 + np.arange(60) % 2",
    "TABLE": "import_module('pandas').DataFrame({'y': Y, **PRED, 's': SCORES['a'], 'u': SCORES['b'], 'd': DOM, 'e': FOLDS, 'w': WEIGHT, 'id': np.arange(60), 'k': CLUSTER, 'z': 1 - Y})",
    "AGAIN": "LONG.assign(id=LONG.id // 2, n=LONG.id % 2, o=LONG.id // 30).drop(columns=['i', 'y', 'swapped'])",
    "LONG": "import_module('pandas').DataFrame({'m': np.repeat([*'ab'], 60), 'n': np.tile([*'uv'], 60), 'y': np.tile(Y, 2), 'p': np.r_[PRED['a'], PRED['b']], 'id': np.tile(np.arange(60), 2), 'i': np.arange(120), 'swapped': np.repeat([*'gh'], 60)})",
    "MANY": "TABLE.assign(id=np.arange(60) % 20 // 3 * 3 + Y, w=np.arange(60))",
    "PAIRED": "uncertainty.paired(Y, PRED, draws=60)",
    "S": "sweep(Y, SCORES)",
    "T": "tradeoff(P)",
    "TD": "tradeoffs(D)",
    "OTHERS": "[[41, 10, 20, 30], [20, 30, 10, 41], [31, 20, 5, 45], [45, 5, 30, 21]]",
    "EMPTY": "Performances.from_counts([[40, 0, 60, 0], *COUNTS[1:]], names=N)",
    "SAME": "P.shift_priors(0.4)",
    "TASKED": "tasks.success.from_counts([9, 5, 1, 10, 5, 9], [10, 10, 10, 20, 20, 20], names=[*'abcabc'], domains=[*'xxxyyy'])",
    "ONLY": "Performances.from_counts([[0, 50, 50, 0]])",
    "REPORT": "{'v': {'precision': 0.8, 'recall': 0.8, 'f1-score': 0.8, 'support': 5}, 'u': {'precision': 0.5, 'recall': 0.5, 'f1-score': 0.5, 'support': 2}, 'accuracy': 5 / 7, 'macro avg': {'precision': 0.65, 'recall': 0.65, 'f1-score': 0.65, 'support': 7}, 'weighted avg': {'precision': 5 / 7, 'recall': 5 / 7, 'f1-score': 5 / 7, 'support': 7}}",
    "BEATEN": "Performances.from_counts([[0, 50, 50, 0]])",
    "SPACE3": "SampleSpace('mine', ('u', 'v', 'w'), (0, 1, 1))",
    "SPACE4": "SampleSpace('own', ('r', 's', 't', 'u'), (0, 1, 1, 0))",
    "KIND": "np.array([*'abc'])[np.arange(60) * 7 % 10 % 3]",
    "GUESS": "np.array([*'abc'])[np.arange(60) * np.arange(60) % 11 % 3]",
    "MULTI": "tasks.multi_class.evaluate(KIND, GUESS)",
    "MULTI2": "tasks.multi_class.evaluate(GUESS, KIND)",
    "MULTI3": "tasks.multi_class.from_confusion_matrix(SIMILAR, labels=[*'xyz'])",
    "SIMILAR": "np.array([[3, 1, 0], [1, 4, 2], [0, 1, 5]])",
    "GRADED": "cases(UNEVEN, correct=['a', 'b', 'c'], domain='d', case='id').performances",
    "UNEVEN": "dict(RIGHT, a=(DOM == 'x') * 1, c=(DOM == 'y') * 1)",
    "GRADED2": "cases(RIGHT, correct=['c', 'b', 'a'], domain='e', case='id').performances",
    "RIGHT": "{**{key: (one == Y) * 1 for key, one in PRED.items()}, 'd': DOM, 'e': FOLDS, 'id': np.arange(60), 'k': CLUSTER}",
    "ERRORS": "tasks.regression.evaluate(TRUE, dict(zip('abcdef', TRUE + NOISE.repeat([1, 1, 1, 1, 2], axis=0))))",
    "TRUE": "np.arange(12.0)",
    "NOISE": "np.random.default_rng(0).normal(size=(5, 12)).round(1)",
    "ERRORS2": "tasks.regression.evaluate(TRUE, dict(zip('abcdef', TRUE + NOISE[[1, 0, 2, 3, 4, 4]])))",
    "BOXES": "[[[0, 0, 10, 10], [20, 20, 30, 30], [1, 0, 11, 10]], [[0, 0, 10, 10]]]",
    "SURELY": "[{'boxes': [[1, 0, 11, 10], [0, 0, 4.5, 10]], 'scores': [0.9, 0.3]}]",
    "OVERLAPPING": "[[[0, 0, 10, 10], [5, 0, 15, 10]]]",
    "FOUND": "[[[0, 0, 10, 10], [0, 0, 9, 9], [50, 50, 60, 60]], [[1, 1, 10, 10]]]",
    "SKILLED": "Performances.from_counts([[90, 10, 12, 88], [85, 15, 8, 92], [93, 7, 15, 85], [50, 50, 60, 40]], names=N)",
    "MODEL": "DummyClassifier(strategy='stratified', random_state=0).fit(X, Y)",
    "SPLIT": "DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, X[:, 0] % 30 > 12)",
    "NEVER": "DummyClassifier(strategy='constant', constant=0).fit(X, Y)",
    "X": "np.arange(60)[:, None]",
    "CV": "{'test_tn': [40, 38], 'test_fp': [5, 7], 'test_fn': [2, 1], 'test_tp': [3, 4]}",
    "PRINTED": "read_published({'model': ['a', 'b'], 'Sensitivity': ['80 %', '70 %'], 'Specificity': ['90 %', '95 %'], 'n': [100, 100], 'n_positive': [40, 40]})",
    "EXACTLY": "reconstruct(accuracy='0.8', n_positive=30, n_negative=20)",
    "SF": "sweep(Y, SCORES, folds=FOLDS)",
    "DECISION": "decide(Y, SCORES, costs=costs(miss=3), draws=100, current=0.5)",
    "DECISION2": "decide(Y, SCORES, costs=costs(miss=9), draws=100)",
    "CROSSED": "Performances.from_counts(np.array([[4, 6, 6, 4], [6, 4, 4, 6], [5, 5, 4, 6], [8, 2, 2, 8]] + [[8, 2, 2, 8], [4, 6, 6, 4], [5, 5, 4, 6], [6, 4, 4, 6]] + [[5, 5, 5, 5], [6, 4, 5, 5], [6, 4, 1, 9], [5, 5, 5, 5]]) * np.repeat([1, 2, 4], 4)[:, None], names=N * 3, domains=np.repeat([*'xyz'], 4))",
    "PAIR": "CROSSED[:8]",
    "SD": "sweep(Y, SCORES, domains=DOM)",
    "SHORT": "sweep(Y[:40], {'a': SCORES['a'][:40]}, domains=DOM[:40])",
    "RISKS": "{'a': Performances.from_scores(Y, SCORES['a'])}",
    "RISKS2": "{'b': Performances.from_scores(Y, SCORES['b'])}",
    "EQUAL": "D.shift_priors(0.4)",
    "SQ": "Q.shift_priors(0.4)",
    "MULTI4": "tasks.multi_class.space([*'uvwx'])",
    "FAR": "lambda pair: BEATEN",
    "LESS": "lambda one, two: one.mass[0, 3] <= two.mass[0, 1]",
    "AXES": "import_module('matplotlib.pyplot').figure(figsize=(4, 3)).add_subplot",
    "MEAN": "lambda one, two: [concat([one, two]).mix()]",
    "AUDIT": "audit('mcc')",
    "TQ": "tradeoff(Q)",
    "TDQ": "tradeoffs(DQ)",
    "FIRST": "uncertainty.first_tile(P, 30, 0, resolution=5)",
    "FIRST2": "uncertainty.first_tile(Q, 30, 0, resolution=5)",
    "INTERVALS": "uncertainty.rank_intervals(P, draws=60)",
    "INTERVALS2": "uncertainty.rank_intervals(Q, draws=60)",
    "SURE": "uncertainty.rank_intervals(APART, draws=300)",
    "SURE2": "uncertainty.rank_intervals(APART[:3], draws=300)",
    "APART": "Performances.from_counts(np.array([[95, 5, 5, 95], [80, 20, 20, 80], [65, 35, 35, 65], [50, 50, 50, 50]]) * 10, names=N)",
    "PIECE": "REGION.pieces[0]",
    "WEIGHTINGS": "domains.weightings(D, draws=100)",
    "WEIGHTINGS2": "domains.weightings(DQ, draws=100)",
    "REGION": "next(iter(regions.first(P)))",
    "CALLED": "[]",
}  # fmt: skip

VALUES = {
    "a": "0.3", "alpha": "0.3", "ax": "AXES()", "b": "0.8", "by": "'tpr'", "cases": "70", "color": "False",
    "colors": "{'a': '#123456'}", "correct_rejection": "1", "currency": "'$'", "current": "0.55", "curves": "False",
    "decimals": "1", "detection": "-2", "direction": "'smaller'", "distinct": "True", "domains": "'x'", "draws": "170", "entity": "'n'",
    "ends": "('npv', 'tpr')", "false_alarm": "2", "grid": "True", "groups": "{'w': 'g', 'x': 'g', 'y': 'g', 'z': 'h'}",
    "last": "True", "level": "0.5", "method": "'jeffreys'", "missing": "'complete'", "name": "'c'", "names": "['u', 'v', 'w', 'r']",
    "per": "10", "performances": "Q", "pos_label": "0", "prediction_rate": "0.3", "prior": "0.8", "progress": "CALLED.append",
    "rank": "2", "resample": "'domains'", "resolution": "7", "rng": "3", "shares": "False", "shift_prior": "0.8", "space": "WITHOUT_TN",
    "style": "'paper'", "ties": "'max'", "title": "'Title'", "weights": "'size'", "width": "5", "zoom": "False",
}  # fmt: skip
"""Another value of the arguments of each name."""

CALLS = """
S.best().of(score('f1'), S.best().models) | score=score('accuracy'), models=S.best('accuracy').models
costs(miss=5).expected(P)
costs(miss=5).of_mass(P.mass) | mass=Q.mass
costs(miss=5).text(0.5) | value=0.25
costs(miss=5).amounts([0.5]) | values=[0.25]
costs(miss=5).unit()
costs(miss=5).numbers([0.5]) | values=[0.25]
costs(miss=5).intervals(np.array([0.50006]), np.array([0.75006])) | low=np.array([0.1]), high=np.array([0.9]), outward=True
DECISION.positive_share('b', 0.5) | name='a', threshold=0.3
S.first().at(0.1, 0.9) | a=0.9, b=0.1
S.first().tile_map(5)
Performances.from_counts(COUNTS) | counts=OTHERS, tn=[1], fp=[1], fn=[1], tp=[1], domains=[*'xyxy'], space=SPACE4
Performances.from_counts(tn=[1], fp=[2], fn=[3], tp=[4]) | counts=OTHERS, tn=[9], fp=[9], fn=[9], tp=[9], names=['u'], domains=['x']
Performances.from_counts(np.array(COUNTS)[:, 1:], space=WITHOUT_TN) | counts=np.array(COUNTS)[:, :3], tn=[1], fp=[1], fn=[1], tp=[1], domains=[*'xyxy'], space=SPACE3
Performances.from_exact(np.array(COUNTS)) | integers=Q.counts, domains=[*'xyxy']
Performances.from_exact(np.array(COUNTS)[:, 1:], space=WITHOUT_TN) | integers=np.array(COUNTS)[:, :3], domains=[*'xyxy'], space=SPACE3
Performances.from_weighted_counts(np.array(COUNTS) / 2) | weights=Q.counts / 2, domains=[*'xyxy']
Performances.from_weighted_counts(np.array(COUNTS)[:, 1:] / 2, space=WITHOUT_TN) | weights=np.array(COUNTS)[:, :3] / 2, domains=[*'xyxy'], space=SPACE3
Performances.from_trusted(P.counts, tuple(N), None, P.space) | measures=Q.counts, names=tuple('uvwx'), domains=tuple('xyxy'), space=SPACE3, account=SHARES.account | it, it.account
Performances.from_probabilities(P.mass) | mass=Q.mass, domains=[*'xyxy']
Performances.from_probabilities(OPEN.counts / OPEN.counts.sum(axis=1, keepdims=True), space=WITHOUT_TN) | mass=Q.mass[:, :3] / Q.mass[:, :3].sum(axis=1, keepdims=True), domains=[*'xyxy'], space=SPACE3
Performances.from_confusion_matrix([[40, 10], [20, 30]]) | matrix=[[40, 11], [20, 30]], names=['u'], domains=['x']
Performances.from_labels(Y, PRED['a']) | y_true=1-Y, y_pred=PRED['b'], sample_weight=WEIGHT, names=['u']
Performances.from_scores(Y, SCORES['a']) | y_true=1-Y, y_score=SCORES['b'], sample_weight=WEIGHT
Performances.from_operating_points(P.counts, np.arange(4)) | weights=Q.counts, thresholds=np.arange(4) + 1, account=SHARES.account, cases=False | it, it.account, it.counts
Performances.from_cv_results(CV) | results=dict(CV, test_tn=[39, 38]), names=['u']
P.mix() | weights=[1, 2, 3, 4], name='mean'
D.over_domains()
P.filter([1, 2, 3, 4]) | importance=[4, 3, 2, 1]
P.shift_priors(0.4)
PRINTED.shift_priors(0.4)
P.draws(30) | draws=20, rng=1
S.draws(30) | draws=20, rng=1
S.cells('a') | name='b'
cases(TABLE, truth='y', prediction=['a', 'b']).draws(30) | draws=20, rng=1
PRINTED.rank('accuracy') | by='tpr'
PRINTED.draws(30) | draws=20
score_error().worded() | wording=in_shell | str(it)
UsageError('x').located() | file='f.csv', line=3 | str(it)
EXACTLY.nearest() | counts=EXACTLY.counts[:1]
P.space.index('fp') | outcome='tp'
P.space.event('fp') | outcomes=('tp',)
P.space.importance(tp=2) | weights={'tp': 1}
score('f1').without_tn() | space=SPACE3
score('f1').check(MULTI) | performances=P | 'fits'
score('mcc').exact(P) | values=True
score('ba').needs('prior') | fixed='rate'
score('f1').rounded(P)
score('f1').reasons(P) | performances=BEATEN
score('kappa').place(0.4)
score('markedness').place(prediction_rate=0.4)
score('kappa').exact_place(0.4)
score('markedness').exact_place(prediction_rate=0.4)
score('kappa').place_among(SAME) | performances=SAME.shift_priors(0.2)
S.sweep('a') | name='b'
S.best()
S.hulls()
S.first()
S.flips() | by=[1, 2, 1, 1]
S.decision_curve() | thresholds=[0.1, 0.2]
S.threshold('a', 0, 0.2) | name='b', a=1, b=0.9, prior=0.9
S.cross_fitted() | folds=3, prior=0.95
SF.cross_fitted() | folds=3
S.at(0.5) | thresholds=0.25
S['a'].at(0.5) | threshold=0.25
S['a'].best()
tile.value(P, 'a').at(0.2, 0.5)
T.ranking()
T.compare() | quantile=0.2
T.path()
T.place_of(0.5) | beta=2.0
T.quantile(0.5) | q=0.2
T.swaps_passed(0.4) | beta=0.3
T.distance(0.4) | beta=0.3
T.tau(0.4) | beta=0.3
T.frechet_variance(0.4) | beta=0.3
T.optimality(0.4) | beta=0.3
T.balance(0.4) | beta=0.3
T.shares(0.4) | beta=0.3
at(0.2, 0.5)
audit('f1') | score='mcc', priors=0.3, prediction_rates=0.3, statistic=None
audit('kappa', priors=0.4) | score='mcc', priors=0.3, prediction_rates=0.3, statistic=None
canonical_importance(0.2, 0.5)
compare(P[:1], P[2:3]) | first=P[2:3], second=P[:1], by='fpr'
cases(TABLE, truth='y', prediction=['a', 'b']) | source=TABLE.assign(y=1 - Y), truth='z', prediction='c', score='s', correct='a', entity='e', domain='d', case='id', cluster='k', repeat='w', fold='e', weight='w', labels=[0, 1, 2], scale=(0, 2), unanswered='wrong', encoding='latin-1' | it.count().table(), it.account
cases(TABLE, truth='y', score=['s', 'u']) | source=TABLE.assign(y=1 - Y), truth='z', prediction='c', score='s', correct='a', entity='e', domain='d', case='id', cluster='k', repeat='w', fold='e', weight='w', labels=[0, 1, 2], scale=(0, 2), unanswered='wrong', encoding='latin-1' | it.sweep(), it.account
cases(RIGHT, correct=['a', 'b'], case='id') | source=dict(RIGHT, a=Y), truth='a', prediction='a', score='a', correct='c', entity='d', domain='d', case='k', cluster='k', repeat='e', fold='e', weight='e', labels=[0, 1], scale=(0, 2), unanswered='wrong', encoding='latin-1' | it.count().table(), it.count().pairing, it.account
cases('cases.csv', truth='y', prediction=['mü', 'p'], case='id') | source='long.csv', truth='p', prediction='p', score='s', correct='y', entity='d', domain='d', case='group', cluster='group', repeat='w', fold='f', weight='w', labels=[0, 1, 2], scale=(0, 2), unanswered='wrong', encoding='latin-1' | it.count().table(), it.count().pairing, it.account
cases(LONG, truth='y', prediction='p') | source=LONG.assign(y=1 - LONG.y), truth='p', prediction='y', score='y', correct='y', entity='m', domain='n', case='id', cluster='i', repeat='n', fold='n', weight='i', labels=[0, 1, 2], scale=(0, 2), unanswered='wrong', encoding='latin-1' | it.count().table(), it.account
cases(TABLE, truth='y', score='s').count(0.5) | threshold=0.3
cases(TABLE, truth='y', score=['s', 'u'], domain='d').sweep() | weights='size' | it.best('f1').table()
cases(TABLE, truth='y', score=['s', 'u'], domain='d').decide(costs=costs(miss=3), draws=100) | costs=costs(miss=5), folds=4
concat([P[:1], P[1:]]) | parts=[Q]
costs() | miss=3 | vars(it)
costs(miss=3, currency='€') | miss=5 | vars(it), it.text(1)
count(TABLE, truth='y', prediction=['a', 'b']) | source=TABLE.assign(y=1 - Y), truth='z', prediction='c', score='s', threshold=0.5, entity='e', domain='d', case='id', correct='b', repeat='w', scale=(0, 2), weight='w', labels=[0, 1, 2], unanswered='wrong', encoding='latin-1'
count(TABLE, truth='y', score=['s'], threshold=0.5) | source=TABLE.assign(y=1 - Y), truth='z', prediction='c', score='u', threshold=0.3, entity='e', domain='d', case='id', correct='b', repeat='w', scale=(0, 2), weight='w', labels=[0, 1, 2], unanswered='wrong', encoding='latin-1'
count('cases.csv', truth='y', prediction=['mü', 'p']) | source='long.csv', truth='p', prediction='p', score='s', threshold=0.3, entity='d', domain='d', case='id', correct='b', repeat='w', scale=(0, 2), weight='w', labels=[0, 1, 2], unanswered='wrong', encoding='latin-1'
count(RIGHT, correct=['a', 'b'], case='id') | source=dict(RIGHT, a=Y), truth='a', prediction='a', score='a', threshold=0.5, correct='c', entity='d', domain='d', case='k', repeat='e', weight='e', labels=[0, 1], scale=(0, 2), unanswered='wrong', encoding='latin-1' | it.table(), it.pairing, it.account
count(LONG, truth='y', prediction='p', entity='m') | source=LONG.assign(y=1 - LONG.y), truth='p', prediction='y', score='y', threshold=0.3, entity='n', domain='n', case='id', correct='y', repeat='n', scale=(0, 2), weight='i', labels=[0, 1, 2], unanswered='wrong', encoding='latin-1'
decide(Y, SCORES, costs=costs(miss=3), draws=100) | y_true=1-Y, y_score={'a': SCORES['b']}, costs=costs(miss=5), folds=4
decide(sweep(TABLE, truth='y', score=['s', 'u']), costs=costs(miss=3), draws=100) | costs=costs(miss=5)
decide(sweep('cases.csv', truth='y', score='s', fold='f'), costs=costs(miss=3), draws=100) | costs=costs(miss=5)
decide(S, costs=costs(miss=3), draws=100) | y_true=SF, y_score={'a': SCORES['b']}, costs=costs(miss=5), folds=4
decide(SF, costs=costs(miss=3), draws=0) | y_true=S, y_score={'a': SCORES['b']}, costs=costs(miss=5), folds=4, draws=100
explore(P, draws=0, path='e.html') | path='f.html', draws=120
explore(S, path='e.html') | performances=P, path='f.html', draws=120
explore(ERRORS, path='e.html', by='mae', draws=100) | performances=ERRORS2, by='mse', path='f.html', draws=120
explore(PAIRED, path='e.html') | performances=P, path='f.html', draws=120
explore(P, draws=100, path='e.html') | path='f.html', draws=120
explore(D, draws=100, path='e.html') | performances=DQ, path='f.html', draws=120
explore(G, missing='complete', draws=100, path='e.html') | path='f.html', draws=120, missing='error'
fbeta(2) | beta=1
gate(P['a'], P['c'], draws=100) | new=P['d'], against=P['d'], box='beta in [0.5, 2]', margin=0.1, costs=costs(miss=3), every_domain=True, draws=80
gate(PAIRED['a'], PAIRED['b']) | new=PAIRED['c'], against=PAIRED['c'], box='beta in [0.5, 2]', margin=0.1, costs=costs(miss=3), every_domain=True, draws=80
gate(GRADED['a'], GRADED['b'], draws=100) | new=GRADED['c'], against=GRADED['c'], box='beta in [0.5, 2]', margin=0.1, costs=costs(miss=3), every_domain=True, draws=80
gate(ERRORS['a'], ERRORS['b'], by='mae') | new=ERRORS['c'], against=ERRORS['c'], margin=0.1, by='rmse', alpha=0.2, draws=80, rng=1
gate(D['a'], D['c'], draws=100) | new=D['d'], against=D['d'], box='beta in [0.5, 2]', margin=0.1, costs=costs(miss=3), every_domain=True, draws=80
importance(tp=2) | tn=1, fp=1, fn=1, tp=1
kendall_tau([1, 2, 3], [1, 3, 2]) | x=[3, 1, 2], y=[3, 2, 1]
locate('kappa', 0.4) | what='f1'
locate('markedness', prediction_rate=0.4) | what='f1'
net_benefit(0.2) | threshold=0.3
outcome_scorers() | pos_label=0 | {key: one(MODEL, X, Y) for key, one in it.items()}
rank(P)
ranking_score(ONLY, [1, 0, 0, 1]) | performances=P, importance=[4, 3, 2, 1], satisfaction=[1, 0, 0.5], undefined='limit'
ranking_score(P, [1, 2, 3, 4]) | performances=Q, importance=[4, 3, 2, 1], satisfaction=[1, 0, 0.5, 1], undefined='limit'
read('gaps.csv') | source='new.csv', format='markdown', entity='other', domain=['place', 'domain'], encoding='latin-1', unanswered='wrong', qrels={}, depth=3, relevance=2, annotations={}, iou=0.3, min_score=0.2, metric='acc', correct='tp', case='n', cluster='n', repeat='n', scale=(0, 2)
read('bm25.run', qrels='judgements.qrels') | source='dense.run', format='coco', entity='a', domain='b', encoding='utf-16', unanswered='wrong', qrels='other.qrels', depth=1, relevance=2, annotations={}, iou=0.3, min_score=0.2, metric='acc', correct='tp', case='n', cluster='n', repeat='n', scale=(0, 2)
read('eager.json', annotations='instances.json') | source='shy.json', format='trec', entity='a', domain='b', encoding='utf-16', unanswered='wrong', qrels={}, depth=1, relevance=2, annotations='fewer.json', iou=0.99, min_score=0.9, metric='acc', correct='tp', case='n', cluster='n', repeat='n', scale=(0, 2)
read('lm-eval') | source='right.csv', format='helm', entity='a', domain='b', encoding='utf-16', unanswered='wrong', qrels={}, depth=1, relevance=2, annotations={}, iou=0.99, min_score=0.9, metric='acc', correct='tp', case='n', cluster='n', repeat='n', scale=(0, 2)
read('right.csv') | source='new.csv', format='coco', entity='a', domain='case', encoding='latin-1', unanswered='wrong', qrels={}, depth=1, relevance=2, annotations={}, iou=0.99, min_score=0.9, metric='acc', correct='b', case='n', cluster='task', repeat='task', scale=(0, 2)
read({'model': [*'ab'], 'q': [1, 0], 'r': [1, 1]}) | source='new.csv', format='right-or-wrong', entity='q', domain='q', encoding='latin-1', unanswered='wrong', qrels={}, depth=1, relevance=2, annotations={}, iou=0.99, min_score=0.9, metric='acc', correct='q', case='q', cluster='q', repeat='q', scale=(0, 2)
read('shares.csv') | source='new.csv', format='json', entity='tp', domain='tp', encoding='latin-1', unanswered='wrong', qrels={}, depth=1, relevance=2, annotations={}, iou=0.99, min_score=0.9, metric='acc', correct='b', case='n', cluster='task', repeat='task', scale=(0, 2)
read(REPORT, pos_label='v') | source='new.csv', pos_label='u', format='json', entity='tp', domain='tp', encoding='latin-1', unanswered='wrong', qrels={}, depth=1, relevance=2, annotations={}, iou=0.99, min_score=0.9, metric='acc', correct='b', case='n', cluster='task', repeat='task', scale=(0, 2)
read_published({'model': [*'aa'], 'n2': [*'bc'], 'd': [*'xy'], 'other': [*'yx'], 'Sensitivity': [0.8, 0.9], 'Specificity': [0.9, 0.9], 'n': [100, 100], 'n_positive': [40, 40]}, domain_column='d', domain='x') | source={'model': ['a'], 'd': ['x'], 'Sensitivity': ['70 %'], 'Specificity': ['91 %']}, entity='n2', domain='y', domain_column='other', decimals=2, encoding='latin-1'
read_published('rates.csv') | source={'model': ['a'], 'Sensitivity': ['70 %'], 'Specificity': ['91 %']}, entity='name2', domain='y', domain_column='name2', decimals=2, encoding='latin-1'
reconstruct(sensitivity=0.83, specificity=0.91, n_positive=60, n_negative=100, decimals=2) | printed_rates={'accuracy': 0.88}, n=170, n_positive=120, n_negative=110, decimals=1, rates={'sensitivity': 0.85, 'specificity': 0.91}
reconstruct(sensitivity=0.8, specificity=0.9, n=200, n_positive=100, decimals=1) | printed_rates={'accuracy': 0.85}, n=190, n_positive=90, n_negative=90, decimals=2, rates={'sensitivity': 0.7, 'specificity': 0.9}
reconstruct(sensitivity=0.8, specificity=0.9, prevalence=0.5, n_negative=20, decimals=1) | printed_rates={'accuracy': 0.9}, n=50, n_positive=20, n_negative=30, decimals=2, rates={'sensitivity': 0.7, 'specificity': 0.9, 'prevalence': 0.5}
report(P, draws=0) | path='card.html', draws=120, figures=False | it.html()
report(S, 'card.html', figures=False) | performances=P, path='card.md', draws=120, figures=True | it.html()
report(ERRORS, 'card.html', by='mae', draws=100) | by='mse', performances=ERRORS2, path='card.md', draws=120, figures=False | it.html()
report(PAIRED, 'card.html', figures=False) | performances=P, path='card.md', draws=120, figures=True | it.html()
report(P, draws=100) | path='card.html', draws=120, figures=False | it.html()
report(D, 'card.html', draws=100, figures=False) | path='card.md', draws=120, figures=True | it.html()
score('fbeta', beta=2) | name='f0.5', parameters={'beta': 1}
score('tp/(tp+fp)') | name='tp/(tp+fn)', parameters={'beta': 1}
site(P, 'site', draws=0, figures=False) | source=Q, path='site2', metadata={'entity': N, 'team': [*'uvwx']}, draws=120, figures=True
site(PAIRED, 'site', figures=False) | source=Q, path='site2', metadata={'entity': [*'abc'], 'team': [*'uvw']}, draws=120, figures=True
site(P, 'site', draws=100, figures=False) | source=Q, path='site2', metadata={'entity': N, 'team': [*'uvwx']}, draws=120, figures=True
site(D, 'site', draws=100, figures=False) | source=DQ, path='site2', metadata={'entity': N, 'team': [*'uvwx']}, draws=120, figures=True
summarize(D) | performances=DQ
summarize(G, missing='available') | performances=D
summarize(P)
summarize(G, missing='complete') | missing='error'
sweep(Y, SCORES) | y_true=1-Y, y_score={'a': SCORES['b']}, truth='y', score='s', entity='e', domain='d', case='id', fold='e', weight='w', unanswered='common', sample_weight=WEIGHT, domains=DOM, folds=FOLDS, encoding='latin-1' | it, it.table()
sweep(TABLE, truth='y', score=['s', 'u']) | y_true=TABLE.assign(y=1 - Y), y_score={'a': SCORES['b']}, truth='z', score='s', entity='e', domain='d', case='id', fold='e', weight='w', unanswered='common', sample_weight=WEIGHT, domains=DOM, folds=FOLDS, encoding='latin-1' | it, it.table()
sweep('long.csv', truth='y', score='score', entity='model', case='id') | y_true='cases.csv', y_score={'a': SCORES['b']}, truth='yhat', score='yhat', entity='other', domain='other', case='yhat', fold='other', weight='id', unanswered='common', sample_weight=WEIGHT, domains=DOM, folds=FOLDS, encoding='latin-1' | it, it.table()
sweep(Y, SCORES, domains=DOM) | y_true=1-Y, y_score={'a': SCORES['b']}, truth='y', score='s', entity='e', domain='d', case='id', fold='e', weight='w', unanswered='common', sample_weight=WEIGHT, domains=DOM[::-1], folds=FOLDS, encoding='latin-1' | it, it.table()
tradeoff(P)
tradeoffs(D) | performances=DQ
vut(P)
datasets.toy()
distributions.AboveNoSkill(0.4).lattice(3) | steps=4
distributions.Uniform().draw(9, 0) | n=8
distributions.FixedTrueNegatives(0.4).draw(9, 0) | n=8
distributions.FixedTrueNegatives(0.4).lattice(3) | steps=4
distributions.FixedPredictionRates(0.4).draw(9, 0) | n=8
distributions.FixedPredictionRates(0.4).lattice(3) | steps=4
distributions.FixedTrueNegatives(0.4).draw(9, 0) | n=8
distributions.FixedTrueNegatives(0.4).lattice(3) | steps=4
distributions.FixedPriors(0.4).tau_of_accuracy() | corner='tnr'
distributions.Uniform().lattice(3) | steps=4
domains.roles(D, by='ppv') | by='f1', performances=DQ
domains.weightings(CROSSED, draws=100) | performances=D
domains.weightings(CROSSED).firsts(np.array([[1, 0, 0]])) | points=np.array([[0, 1, 0]])
domains.weightings(CROSSED).at({'x': 1, 'y': 1, 'z': 1}) | weights={'x': 0, 'y': 5, 'z': 1}
datasets.example_file('y') | name='x'
domains.case_rankings(GRADED) | performances=GRADED2, alpha=0.9, weights={'x': 1, 'y': 9}
domains.leave_one_out(D) | performances=DQ
domains.mean_of_scores(D) | performances=DQ
domains.prepare(D) | performances=DQ, policies=('complete',) | it, it.performances
domains.roles(D) | performances=DQ
domains.prepare(P) | policies=('complete',) | it, it.performances
domains.prepare(G, missing='complete') | missing='error', policies=('error',) | it, it.performances
domains.roles_tile(D['a'], resolution=5) | name='c', role='bottleneck', performances=DQ['d']
domains.roles_tile(D, 'a', 'bottleneck', resolution=5) | role='preponderant'
domains.weightings(CROSSED, draws=100)
domains.weightings(PAIR, draws=100) | performances=CROSSED
plots.draw_curves(views.cost_curve(P)) | view=views.cost_curve(Q)
plots.draw_decision(DECISION) | result=DECISION2
plots.draw_first_tile(FIRST) | first=FIRST2
plots.draw_points(views.roc(SKILLED)) | view=views.roc(Q)
plots.draw_rank_intervals(INTERVALS) | intervals=INTERVALS2, most=2
plots.draw_sure_differences(SURE) | intervals=SURE2
plots.draw_tile(tile.entity(P, resolution=5)) | tile_map=tile.entity(Q, resolution=5), markers=False, exchange=False
plots.draw_tile(tile.value(P, 'a', 5)) | tile_map=tile.value(P, 'c', 5), markers=False, exchange=False
plots.draw_tradeoff(T) | t=TQ, panel='correlations'
plots.draw_tradeoff(T, panel='correlations') | t=TQ, panel='ranks'
plots.draw_tradeoffs(TD) | ts=TDQ
plots.draw_weightings(WEIGHTINGS) | result=WEIGHTINGS2
S.first().plot()
REGION.pieces[0].band(np.array([0.5])) | a=np.array([0.4])
REGION.outlines() | points=20 | list(it)
regions.first(P).at(1, 0.1) | a=0, b=0.9
regions.first(P).borders_at(0.5) | a=0.4
regions.area_of_win(P['a'], P['c']) | first=P['d'], second=P['d']
regions.border(P['a'], P['c']) | first=P['d'], second=P['d']
regions.dominates(P['a'], BEATEN) | first=BEATEN, second=P['d']
regions.first(P)
regions.flips(P)
regions.flips(P).worth('miss') | one='detection'
regions.prior_flips(P)
regions.winners(P)
regions.without_skill(P)
soundness.PerformanceSet().counts(np.array([[1, 2, 3, 4]])) | points=np.array([[4, 3, 2, 1]])
soundness.PerformanceSet().grid(3) | steps=4
soundness.PerformanceSet().random(5, np.random.default_rng(0)) | n=4, rng=np.random.default_rng(1)
tile.best(P, 5)
tile.correlation('f1', P, resolution=5) | score='mcc', statistic='spearman', n=20, threads=1
tile.correlation('f1', distributions.Uniform(), n=30, resolution=5, rng=0) | score='mcc', statistic='spearman', n=20, threads=1
tile.difference(P, 'a', 'c', 5) | name='d', other='d'
tile.entity(P, resolution=5)
tile.gamma_pi(0.4, 0.5)
tile.gamma_tau(0.4, 0.5) | rate=0.3
tile.margin(P, 5)
tile.no_skill(0.4, 5)
tile.no_skill_prior(5)
tile.place_at_prior(0.4, 0.4, 0.5) | x=0.3, new_prior=0.6
tile.prior_grid(0.4) | lines=5
tile.ranking(P, 'a', 5)
tile.regret(P, 'a', 5)
tile.skill(SAME, 'a', 5) | performances=EQUAL
tile.transform_place('swap_classes', 0.4, 0.5) | operation='change_truth'
tile.tying_prior(0.4, 0.5)
tile.value(P, 'a', 5)
tile.worst(P, 5)
PAIRED.shift_priors(0.4)
FIRST2.leader(0.5, 0.25) | a=1, b=0.9
FIRST.of('a')
INTERVALS.better('a', 'c') | name='d', other='d'
uncertainty.first_tile(P, 30, 0, resolution=5) | performances=Q, draws=20, threads=1
uncertainty.first_tile(PAIRED, resolution=5) | performances=P, draws=20, threads=1
uncertainty.first_tile(D, 30, 0, resolution=5) | performances=DQ, draws=20, threads=1
uncertainty.paired(Y, [*PRED.values()], 30) | y_true=1-Y, y_pred={'a': PRED['b']}, draws=20, labels=[0, 1, 2], clusters=CLUSTER, domains=DOM, random_domains=True, names=[*'uvwxyz']
uncertainty.paired(Y, PRED, 30, domains=DOM) | y_true=1-Y, y_pred={'a': PRED['b']}, draws=20, labels=[0, 1, 2], clusters=CLUSTER, domains=DOM[::-1], random_domains=True, names=[*'uvwxyz']
uncertainty.paired_table(TABLE, 30, truth='y', prediction=['a', 'b']) | source=TABLE.assign(y=1 - Y), draws=20, labels=[0, 1, 2], truth='z', prediction='c', entity='e', domain='d', case='id', cluster='k', repeat='w', unanswered='wrong', random_domains=True
uncertainty.paired_table(TABLE, 30, truth='y', prediction=['a', 'b'], domain='d') | source=TABLE.assign(y=1 - Y), draws=20, labels=[0, 1, 2], truth='z', prediction='c', entity='e', domain='e', case='id', cluster='k', repeat='w', unanswered='wrong', random_domains=True
uncertainty.paired_table(LONG, 30, truth='y', prediction='p', entity='m', case='id') | source=LONG.assign(y=1 - LONG.y), draws=20, labels=[0, 1, 2], truth='p', prediction='y', entity='swapped', domain='n', case='i', cluster='i', repeat='n', unanswered='wrong', random_domains=True
uncertainty.paired_table(MANY, 30, truth='y', prediction=['a', 'b'], case='id', repeat='w') | source=MANY.assign(y=1 - Y), draws=20, labels=[0, 1, 2], truth='z', prediction='c', entity='e', domain='d', case='k', cluster='k', repeat='e', unanswered='wrong', random_domains=True
uncertainty.posterior(P, 30) | draws=20
uncertainty.posterior(D, 30) | performances=DQ, draws=20
uncertainty.posterior(G, 30, missing='complete') | draws=20, missing='error'
uncertainty.rank_intervals(P, draws=60) | simultaneous=False
uncertainty.rank_intervals(D, draws=60) | performances=DQ, simultaneous=False
uncertainty.rank_intervals(ERRORS, by='mae', draws=60) | performances=ERRORS2, by='mse', simultaneous=False
uncertainty.rank_intervals(PAIRED) | simultaneous=False
uncertainty.resampled_domains(D, 30) | performances=DQ, draws=20
views.cost_curve(P) | performances=Q
views.decision_curve(SAME) | performances=SQ, thresholds=[0.1, 0.2]
views.decision_curves(RISKS) | models=RISKS2, thresholds=[0.1, 0.2]
views.pr(SKILLED) | by='f1'
views.roc(SKILLED)
views.roc(SAME)
tasks.clustering.evaluate([0, 0, 1, 1], [0, 1, 1, 1]) | labels_true=[0, 0, 0, 1], labels_pred=[0, 0, 1, 1], names=['u']
tasks.detection.evaluate(BOXES, FOUND) | y_true=BOXES[::-1], y_pred=FOUND[::-1], iou=0.9, matching='greedy', pooled=True, by_image=True, names=['u']
tasks.detection.evaluate(OVERLAPPING, SURELY, matching='greedy', iou=0.4) | y_true=[[[0, 0, 10, 10]]], y_pred=[{'boxes': [[0, 0, 10, 10]], 'scores': [1]}], iou=0.9, matching='optimal', pooled=True, by_image=True, names=['u']
tasks.multi_class.class_priors(MULTI) | performances=MULTI2
tasks.multi_class.classes(MULTI) | omega=MULTI3
tasks.multi_class.evaluate(KIND, GUESS) | y_true=KIND[::-1], y_pred=GUESS[::-1], labels=[*'cba'], similarity=SIMILAR, sample_weight=WEIGHT, names=['u']
tasks.multi_class.from_confusion_matrix(SIMILAR) | matrix=SIMILAR + 1, labels=[*'uvw'], similarity=SIMILAR, names=['u']
tasks.multi_class.importance(MULTI, {('a', 'b'): 2}) | omega=MULTI4, weights=[3, 2, 1], default=3
tasks.multi_class.importance(MULTI, {'a': 2}) | omega=tasks.multi_class.space([*'cab']), weights={'b': 2}, default=3
tasks.multi_class.importance_of_class(MULTI, 'a', 'f1') | omega=tasks.multi_class.space([*'cab']), label='b', score='recall'
tasks.multi_class.one_vs_rest(MULTI, 'a') | performances=MULTI2, label='b'
tasks.multi_class.same_priors(MULTI) | performances=concat([MULTI, tasks.multi_class.evaluate(GUESS, KIND, names=['u'])])
tasks.multi_class.space([*'abc']) | labels=[*'abd'], similarity=SIMILAR, void='c'
tasks.ranking.evaluate([1, 2, 3], [1, 3, 2]) | y_true=[3, 1, 2], y_pred=[3, 2, 1], names=['u'], ties='split'
tasks.ranking.evaluate([1, 2, 3], [1, 3, 3], ties='split') | y_true=[3, 1, 2], y_pred=[3, 2, 2], ties='error', names=['u']
tasks.regression.criterion() | satisfaction='squared', importance=TRUE | rank(ERRORS, it)
tasks.regression.criterion('within(0.5)') | satisfaction='squared', importance=TRUE | rank(ERRORS, it)
tasks.regression.evaluate([1.0, 2, 3], [1.5, 2, 4]) | y_true=[0.5, 2, 3], y_pred=[1.5, 2, 4.5], sample_weight=[1, 2, 3], names=['u']
tasks.regression.values(ERRORS) | pairs=ERRORS2, by='squared'
tasks.retrieval.evaluate({'q': {'d1': 1, 'd2': 2, 'd3': 0}}, {'q': ['d1', 'd3', 'd2']}) | y_true={'q': {'d1': 1}}, y_pred={'q': ['d3', 'd1']}, relevance=2, depth=1, none=True, pooled=True, by_query=True, names=['u']
tasks.segmentation.evaluate([np.eye(3, dtype=int)], [np.ones((3, 3), dtype=int)]) | y_true=[1 - np.eye(3, dtype=int)], y_pred=[np.zeros((3, 3), dtype=int)], labels=[0, 1, 2], void=1, names=['u']
tasks.success.evaluate([1, 0, 1], [1, 1, 1]) | y_true=[1, 1, 1], y_pred=[1, 0, 1], names=['u']
tasks.success.from_counts([5, 6], 10) | correct=[6, 6], total=11, names=[*'uv'], domains=[*'xy']
tasks.success.from_grades([[0.5, 1], [0.2, 0.4]]) | grades=[[0.5, 1], [0.2, 0.5]], names=[*'uv']
tasks.two_class.as_two_class(MULTI) | performances=P, what='it'
tasks.two_class.at_right_side(MULTI) | performances=P, what='it'
"""


LOOK = {"style": "'paper'", "width": "5", "title": "'Title'", "names": "{'a': 'A'}"}


def score_error() -> rs.RankscapeError:
    """Return an error that names an option."""
    with pytest.raises(rs.NoPlaceError) as caught:
        rs.locate("kappa")
    return caught.value


class Names(dict[str, Any]):
    """What calls name: what is public, and the inputs, each made where it is first asked for."""

    def __missing__(self, name: str) -> Any:
        self[name] = eval(INPUTS[name], self)
        return self[name]


NAMES = Names(
    {name: getattr(rs, name) for name in rs.__all__},
    np=np,
    Fraction=Fraction,
    import_module=import_module,
    DummyClassifier=DummyClassifier,
    DecisionTreeClassifier=DecisionTreeClassifier,
    score_error=score_error,
    in_shell=attrgetter("in_shell"),
    taken=lambda *parts, **named: (parts, named),
)
BY_NAME = {name: thing for name, thing in public() if inspect.isfunction(thing) and "Distribution." not in name}
PUBLIC = {id(thing): name for name, thing in BY_NAME.items()}


class Call(NamedTuple):
    """A call, other values of its arguments, and what is looked at."""

    tree: ast.Call
    values: Mapping[str, str]
    looked: str = "it"

    @classmethod
    def of(cls, line: str) -> Self:
        """Return the call of a line."""
        text, values, looked = (*line.split(" | "), "", "")[:3]
        tree, others = (ast.parse(one, mode="eval").body for one in (text, f"dict({values})"))
        assert isinstance(tree, ast.Call)
        assert isinstance(others, ast.Call)
        return cls(tree, {one.arg or "": ast.unparse(one.value) for one in others.keywords}, looked or "it")

    def function(self) -> Callable[..., Any]:
        """Return the function that is called, of an object that is made anew."""
        function: Callable[..., Any] = eval(ast.unparse(self.tree.func), NAMES)
        return function

    @property
    def name(self) -> str:
        """The public name of the function."""
        function = self.function()
        return PUBLIC[id(getattr(function, "__func__", function))]

    def arguments(self) -> dict[str, str]:
        """Return the names of all arguments, each with another value; those of a look, and of draws, by themselves."""
        found: dict[str, str] = {}
        for name, parameter in inspect.signature(self.function()).parameters.items():
            if "DrawOptions" in str(parameter.annotation):
                found |= {key: VALUES[key] for key in DrawOptions.__annotations__}
            elif parameter.kind is parameter.VAR_KEYWORD and name in ("look", "options"):
                found |= LOOK
            else:
                found[name] = VALUES.get(name, "")
        return found | self.values

    def answer(self, changed: str = "", text: str = "") -> Any:
        """Return all that is seen of the answer, with one argument changed, or the refusal."""
        function = self.function()
        given = ast.unparse(ast.Call(ast.Name("taken"), self.tree.args, self.tree.keywords))
        parts, named = eval(given, NAMES)
        bound = inspect.signature(function).bind(*parts, **named)
        value = eval(text, NAMES) if changed else None
        if changed in bound.signature.parameters:
            bound.arguments[changed] = value
        elif changed:
            rest = list(bound.signature.parameters)[-1]
            bound.arguments[rest] = bound.arguments.get(rest, {}) | {changed: value}
        NAMES["CALLED"].clear()
        before = {*Path().rglob("*")}
        with warnings.catch_warnings(record=True) as cautions:
            warnings.simplefilter("always")
            try:
                NAMES.update(it=function(*bound.args, **bound.kwargs), me=getattr(function, "__self__", None))
                seen = shown(eval(self.looked, NAMES))
            except rs.RankscapeError as error:
                return error
        said = [str(caution.message) for caution in cautions if not issubclass(caution.category, DeprecationWarning)]
        written = sorted({*Path().rglob("*")} - before)
        files = {str(path): path.read_bytes() for path in written if path.is_file()}
        for path in reversed(written):
            path.rmdir() if path.is_dir() else path.unlink()
        return seen, said, files, len(NAMES["CALLED"])


def shown(thing: Any, above: tuple[int, ...] = ()) -> Any:
    """Return all that is seen of a thing as plain data."""
    if id(thing) in above:
        return "above"
    above = (*above, id(thing))
    if hasattr(thing, "savefig") or hasattr(thing, "figure"):
        stream = io.StringIO()
        getattr(thing, "figure", thing).savefig(stream, format="svg", metadata={"Date": None})
        return stream.getvalue()
    if isinstance(thing, rs.uncertainty.Draws):
        return shown((thing.observed, thing.values, thing.unit, thing.notes), above)
    if isinstance(thing, Mapping):
        return [(shown(key, above), shown(value, above)) for key, value in thing.items()]
    if isinstance(thing, list | tuple):
        return [shown(one, above) for one in thing]
    if isinstance(thing, np.ndarray):
        return (
            shown(thing.tolist(), above) if thing.dtype == object else (thing.dtype.str, thing.shape, thing.tobytes())
        )
    if is_dataclass(thing) and not isinstance(thing, type):
        kept = {field.name: shown(getattr(thing, field.name), above) for field in fields(thing)}
        return kept | {"shared": shown(getattr(thing, "shared", None), above)}  # the cases that performances share
    if callable(thing):
        return getattr(thing, "__qualname__", "")
    kept = [name for name in getattr(type(thing), "__slots__", ()) if hasattr(thing, name)]
    if kept or (hasattr(thing, "__dict__") and type(thing).__module__.startswith("rankscape")):
        return shown(getattr(thing, "__dict__", {}) | {name: getattr(thing, name) for name in kept}, above)
    return repr(thing)


def differ(usual: Any, found: Any, name: str, text: str) -> bool:
    """Tell whether two answers differ in more than a field that repeats the argument, a number or a word."""
    kept = found[0].get(name) if isinstance(found[0], dict) else None
    if isinstance(kept, str) and kept == shown(eval(text, NAMES)):
        usual, found = ({**usual[0], name: kept}, *usual[1:]), found
    return bool(usual != found)


EXCEPTIONS = {
    "missing": "uncertainty.posterior(G, 30, missing='available') | missing='complete'",
    "policies": "domains.prepare(G) | policies=('error',)",
    "case": "count('twice.csv', truth='y', prediction=['m', 'p']) | case='id'",
    "repeat": "cases(AGAIN, correct='p', entity='m', repeat='n') | repeat='o'",
    "encoding": "read('counts.csv') | encoding='latin-1'",
    "unanswered": "cases('blanks.csv', correct=['b', 'c'], domain='task') | unanswered='wrong'",
    "prior": "locate('kappa', 0.4) | prior=0.3",
    "undefined": "ranking_score(ONLY, [1, 0, 0, 1]) | undefined='limit'",
    "draws": "domains.weightings(CROSSED, draws=100) | draws=170",
    "rng": "domains.weightings(CROSSED, draws=100) | rng=3",
    "zoom": "views.roc(SKILLED) | zoom=False",
    "threads": "",
}
"""Arguments that may have nothing to do, each with a call in which it acts."""
ALIKE = {"policies": "missing", "repeat": "case", "rng": "draws"}
"""Of these, the ones that act where another one does."""
AT_NIGHT = (
    "plots.", "site", "report", "ModelRegions.plot", "decide", "Cases.decide", "gate", "explore", "audit", "soundness.", "uncertainty.",
)  # fmt: skip
"""What draws figures, simulates or searches takes longer, and is walked at night."""


@cache
def calls() -> dict[str, list[Call]]:
    """Return the calls of each public function, by its name."""
    found: dict[str, list[Call]] = {}
    for call in map(Call.of, CALLS.strip().splitlines()):
        found.setdefault(call.name, []).append(call)
    return found


WALKED = [
    pytest.param(name, marks=pytest.mark.nightly) if name.startswith(AT_NIGHT) else name
    for name, function in BY_NAME.items()
    if {*inspect.signature(function).parameters} - {"self", "cls"}
]


@pytest.fixture(autouse=True)
def pictures() -> Iterator[None]:
    """Write the same figure in the same way, and keep none open."""
    with matplotlib.rc_context({"svg.hashsalt": "walk"}):
        yield
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize("name", WALKED)
def test_every_argument_acts_or_is_refused(name: str) -> None:
    acting, arguments, idle = set(), set(), []
    for call in calls()[name]:
        usual = call.answer()
        refused = isinstance(usual, rs.RankscapeError)
        assert str(usual) == str(call.answer()) if refused else usual == call.answer()  # else all would differ
        for argument, value in call.arguments().items():
            assert value, f"name another value of {argument}"
            found = call.answer(argument, value)
            arguments.add(argument)
            if isinstance(found, rs.RankscapeError):
                assert "\n" not in str(found)
                acting |= {argument} if refused and str(found) != str(usual) else set()
            elif refused or differ(usual, found, argument, value):
                acting.add(argument)
            else:
                idle.append(f"{ast.unparse(call.tree)}: {argument}={value}")
    idle = [one for one in idle if one.rpartition(": ")[2].partition("=")[0] not in EXCEPTIONS]
    assert not idle, "\n".join(idle)
    never = arguments - acting - set(EXCEPTIONS)
    assert not never, ", ".join(sorted(never))


def test_the_walk_is_whole_and_exceptions_are_few() -> None:
    known = {one.replace("--", "").replace("-", "_") for one in OF_COMMANDS}
    assert len((known | set(EXCEPTIONS)) - set(ALIKE)) <= 15
    assert set(ALIKE) < set(EXCEPTIONS)


@pytest.mark.parametrize("argument", [name for name in EXCEPTIONS if name != "threads"])
def test_every_exception_acts_somewhere(argument: str) -> None:
    call = Call.of(EXCEPTIONS[argument])
    usual, found = call.answer(), call.answer(argument, call.values[argument])
    if isinstance(usual, rs.RankscapeError) or isinstance(found, rs.RankscapeError):
        assert str(usual) != str(found)
    else:
        assert differ(usual, found, argument, call.values[argument])


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_say_how_many_there_are(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    module = import_module("rankscape.tile.ranks")
    kernel = module.tau_b_map
    monkeypatch.setattr(
        module, "tau_b_map", lambda *given, **how: (seen.append(how["threads"]), kernel(*given, **how))[1]
    )
    rs.tile.correlation("f1", NAMES["P"], resolution=5, threads=threads)
    assert seen == [threads]
