"""One pipeline: choose domains, average over them, shift the prior of the average, score; everywhere the same."""

import csv
import io
import json
import shutil
import subprocess
import warnings
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import main
from rankscape.domains import Prepared, prepare
from rankscape.explorer import build, document

NODE = shutil.which("node")
TOLERANCE = 1e-12
Row = tuple[str, str, tuple[int, int, int, int]]
SCORES = {
    "f1": (Fraction(1), Fraction(1, 2)),
    "fbeta(2)": (Fraction(1), Fraction(4, 5)),
    "accuracy": (Fraction(1, 2), Fraction(1, 2)),
    "npv": (Fraction(0), Fraction(1)),
    "tpr": (Fraction(1), Fraction(1)),
}


# ---- all faces say the same


@dataclass(frozen=True)
class Case:
    """Some data, and how they are to be averaged and shifted."""

    rows: tuple[Row, ...]
    weights: Any
    missing: str
    shift: Fraction | None
    by: str

    @property
    def table(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["entity", "domain", "tn", "fp", "fn", "tp"])
        writer.writerows([entity, domain, *cells] for entity, domain, cells in self.rows)
        return out.getvalue()

    @property
    def performances(self) -> rs.Performances:
        entities, domains, cells = zip(*self.rows, strict=True)
        return rs.Performances.from_counts(cells, names=entities, domains=domains)

    @property
    def how(self) -> dict[str, Any]:
        return {"weights": self.weights, "missing": self.missing, "shift_prior": self.shift}

    @property
    def options(self) -> list[str]:
        text = ",".join(f"{name}={x}" for name, x in self.weights.items()) if isinstance(self.weights, dict) else None
        found = ["--weights", text or self.weights, "--missing", self.missing]
        return found if self.shift is None else [*found, "--shift-prior", str(self.shift)]

    def of(self, *entities: str) -> "Case":
        rows = tuple(row for row in self.rows if row[0] in entities)
        weights = self.weights
        if isinstance(weights, dict):
            weights = {domain: weights[domain] for domain in dict.fromkeys(row[1] for row in rows)}
        return Case(rows, weights, self.missing, self.shift, self.by)


def expected(case: Case) -> dict[str, Fraction | None]:
    """The score of every entity, by definition, in fractions: an independent reading of the pipeline."""
    cells: dict[str, dict[str, tuple[int, ...]]] = {}
    for entity, domain, counts in case.rows:
        cells.setdefault(entity, {})[domain] = counts
    domains = list(dict.fromkeys(domain for _, domain, _ in case.rows))
    if case.missing == "complete":
        domains = [d for d in domains if all(d in on for on in cells.values())]
    weight: dict[str, Any] = dict.fromkeys(domains, Fraction(1))
    if case.weights == "size":
        for d in domains:
            sizes = [sum(on[d]) for on in cells.values() if d in on]
            weight[d] = Fraction(sum(sizes), len(sizes))
    elif case.weights == "hierarchical":
        groups = [d.split("/")[0] for d in domains]
        weight = {d: Fraction(1, groups.count(d.split("/")[0])) for d in domains}
    elif isinstance(case.weights, dict):
        weight = {d: Fraction(case.weights[d]) for d in domains}
    a, b = SCORES[case.by]
    out: dict[str, Fraction | None] = {}
    for entity, on in cells.items():
        mean = [sum(weight[d] * Fraction(on[d][k], sum(on[d])) for d in domains if d in on) for k in range(4)]
        tn, fp, fn, tp = (x / sum(mean) for x in mean)
        if case.shift is not None:
            negative, positive = (1 - case.shift) / (tn + fp), case.shift / (fn + tp)
            tn, fp, fn, tp = tn * negative, fp * negative, fn * positive, tp * positive
        right, wrong = (1 - a) * tn + a * tp, (1 - b) * fp + b * fn
        out[entity] = right / (right + wrong) if right + wrong else None
    return out


def bounds(values: dict[str, Fraction | None]) -> dict[str, tuple[int, int] | None]:
    """The ranks that each may have: 1 + the number of better ones, and the number of better or equal ones."""
    known = [x for x in values.values() if x is not None]
    return {
        name: None if x is None else (1 + sum(y > x for y in known), sum(y >= x for y in known))
        for name, x in values.items()
    }


def drawn(number: int, seed: int = 0) -> list[Case]:
    """Cases with small counts, so that ties are frequent, and every kind of weights, gaps and shifts."""
    rng = np.random.default_rng(seed)
    names = ["g/x", "g/y", "h/x", "h/y", "k/z"]
    found: list[Case] = []
    while len(found) < number:
        n, d = int(rng.integers(2, 5)), int(rng.integers(1, 5))
        domains = names[:d]
        missing = str(rng.choice(["error", "complete", "available"]))
        rows: list[Row] = []
        for e in range(n):
            if e and rng.random() < 0.25:  # proportional on every domain, so tied for everything
                rows += [(f"m{e}", on, tuple(3 * x for x in c)) for name, on, c in rows if name == f"m{e - 1}"]  # type: ignore[misc]
                continue
            for domain in domains:
                if missing != "error" and domain != domains[0] and rng.random() < 0.2:
                    continue
                cells = rng.integers(0, 5, size=4)
                if rng.random() < 0.3 and rows:
                    cells = np.array(rows[-1][2]) * 2
                if cells.sum():
                    rows.append((f"m{e}", domain, tuple(map(int, cells))))  # type: ignore[arg-type]
        weights: Any = str(rng.choice(["equal", "size", "hierarchical", "given"]))
        present = list(dict.fromkeys(row[1] for row in rows))
        if weights == "given":
            numbers = [Fraction(int(rng.integers(0, 5)), int(rng.integers(1, 4))) for _ in present]
            weights = dict(zip(present, numbers, strict=True))
        shift = [None, Fraction(1, 50), Fraction(1, 3), Fraction(9, 10), Fraction(123, 1000)][int(rng.integers(0, 5))]
        case = Case(tuple(rows), weights, missing, shift, str(rng.choice(list(SCORES))))
        try:
            quiet(case)
        except (rs.DataError, rs.UsageError):
            continue  # a gap, a class that is absent, no weight
        found.append(case)
    return found


def quiet(case: Case) -> Prepared:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return prepare(case.performances, **case.how)


def run(*arguments: str, status: int = 0) -> Any:
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code == status, done.output
    return done


def check(case: Case, values: dict[str, Any], spans: dict[str, Any]) -> None:
    right = expected(case)
    for name, value in right.items():
        if value is None:
            assert values[name] is None or np.isnan(values[name]), (case, name)
        else:
            assert abs(values[name] - float(value)) <= TOLERANCE, (case, name)
    assert spans == bounds(right), case


DRIVER = """
const input = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(input.map(({ source, start }) => {
  const state = initialState(start);
  const data = dataOf(source);
  const set = performances(data, state.weights ?? defaultWeights(data), state.prior);
  const found = rank(set, preferenceAt(state.a, state.b));
  const of = (list) => Array.from(list);
  return { names: set.names, low: of(found.low), high: of(found.high), value: of(found.value), left: set.left };
})));
"""


def on_the_page(cases: list[Case]) -> list[dict[str, Any]]:
    """What the page computes when it opens, for all cases in one run of its model."""
    asked = [quiet(case) for case in cases]
    tasks = [
        {"source": build.payload(one.given), "start": build.opening(one, case.by)}
        for one, case in zip(asked, cases, strict=True)
    ]
    done = subprocess.run(
        [NODE or "node", "-e", document.bundle("csv", "leads", "maps", "priors", "together") + DRIVER],
        input=json.dumps(tasks), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return list(json.loads(done.stdout))


def by_gate(case: Case, folder: Path, command: bool) -> None:
    """The gate compares two: with a prior in the box, or stated beside it, as the others do."""
    names = list(dict.fromkeys(row[0] for row in case.rows))[:2]
    pair = case.of(*names)
    right = expected(pair)
    if None in right.values():
        return
    a, b = SCORES[case.by]
    box = f"a = {a}, b = {b}"
    P = pair.performances
    if pair.missing != "error" and len({*(P.domains or ())}) < 2:
        return  # which a gate refuses
    more = {"weights": pair.weights, "missing": pair.missing}
    boxed = box if case.shift is None else f"{box}, prior = {case.shift}"
    if case.shift is None:  # the gate compares both at the prior of the one in use
        priors = quiet(pair).averaged.priors
        if len(set(priors.tolist())) > 1 or not 0 < priors[0] < 1:
            return
    for text, shift in ((box, case.shift), (boxed, None)):
        found = rs.gate(P[names[0]], P[names[1]], text, draws=1, shift_prior=shift, **more)
        for name, value in zip(names, (found.new_value, found.old_value), strict=True):
            assert abs(value - float(right[name] or 0)) <= TOLERANCE, (pair, name)
        difference = (right[names[0]] or 0) - (right[names[1]] or 0)
        assert np.sign(float(found.worst.difference)) == np.sign(float(difference)), pair
    if command:
        path = folder / "pair.csv"
        path.write_text(pair.table)
        same = ["--entity", names[0], "--against", str(path), "--against-entity", names[1], "--draws", "1"]
        done = CliRunner().invoke(main, ["gate", str(path), *same, "--box", box, *pair.options, "--format", "json"])
        shown = json.loads(done.stdout)
        assert (shown["value"], shown["value_against"]) == (found.new_value, found.old_value)
        assert shown["prepared"]["shift_prior"] == (None if case.shift is None else float(case.shift))


def all_faces(cases: list[Case], folder: Path, thorough: int) -> None:
    path = folder / "r.csv"
    for number, case in enumerate(cases):
        names = list(dict.fromkeys(row[0] for row in case.rows))
        best = {name for name, span in bounds(expected(case)).items() if span and span[0] == 1}
        ranking = rs.rank(quiet(case).performances, by=case.by)
        spans = [None if np.isnan(low) else (int(low), int(high)) for low, high in ranking.bounds]
        check(case, dict(zip(names, ranking.values, strict=True)), dict(zip(names, spans, strict=True)))
        path.write_text(case.table)
        document = json.loads(run("rank", str(path), "--by", case.by, *case.options, "--format", "json").stdout)
        rows = document["entities"]
        spans_ = {row["entity"]: row["rank_low"] and (row["rank_low"], row["rank_high"]) for row in rows}
        check(case, {row["entity"]: row["value"] for row in rows}, spans_)
        assert document["prepared"] == quiet(case).document()
        if case.missing != "available":
            by_gate(case, folder, command=number % thorough == 0)
        if number % thorough == 0 and best:
            why = json.loads(run("why", str(path), "--by", case.by, *case.options, "--format", "json").stdout)
            assert set(why["first"]) == best
            card = rs.report(case.performances, by=case.by, draws=0, **case.how)["Leaderboard"].table
            firsts = [name for name, rank in zip(card["model"], card["rank"], strict=True) if rank in ("1", "1=")]
            assert set(firsts) == best
            shown = dict(zip(card["model"], card["value"], strict=True))
            for name, value in expected(case).items():
                assert value is None or float(shown[name]) == pytest.approx(float(value), abs=6e-5)


def test_rank_why_report_and_gate_are_one_pipeline(tmp_path: Path) -> None:
    cases = drawn(24)
    kinds = {c.weights if isinstance(c.weights, str) else "given" for c in cases}
    assert kinds == {"equal", "size", "hierarchical", "given"}
    assert sum(any(span and span[0] < span[1] for span in bounds(expected(c)).values()) for c in cases) > 8
    assert sum(c.missing == "complete" and bool(quiet(c).left_out) for c in cases) > 1
    all_faces(cases, tmp_path, thorough=8)


@pytest.mark.nightly
def test_rank_why_report_and_gate_are_one_pipeline_for_every_case(tmp_path: Path) -> None:
    all_faces(drawn(500, seed=1), tmp_path, thorough=1)


@pytest.mark.skipif(NODE is None, reason="node is not installed: the explorer's model is not tested")
def test_the_page_opens_with_what_rank_says() -> None:
    cases = [case for case in drawn(700) if case.missing != "available"][:500]
    for case, found in zip(cases, on_the_page(cases), strict=True):
        assert found["left"] == []
        spans = [(low, high) if low else None for low, high in zip(found["low"], found["high"], strict=True)]
        values = [np.nan if x is None else x for x in found["value"]]
        check(case, dict(zip(found["names"], values, strict=True)), dict(zip(found["names"], spans, strict=True)))
