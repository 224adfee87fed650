"""Every option of every command, changed, changes the output or is refused: none does nothing.

``VALUES`` has another value for each option and ``SITUATIONS`` what each command is asked. In each situation each
option is given, or changed, alone. ``EXCEPTIONS`` says where the few options act that may have nothing to do.
"""

import json
import shlex
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

from rankscape.cli import COMMANDS, main
from rankscape.cli.reading import OF_READING

CORPUS = Path(__file__).parents[1] / "answers" / "readers"

COUNTS = "entity,other,domain,place,tn,fp,fn,tp\n" + "".join(
    f"{name},{name.upper()},{domain},{place},{n * tn},{n * (50 - tn)},{n * (50 - tp)},{n * tp}\n"
    for domain, place, n, more in (("x", "p", 4, 0), ("y", "q", 1, 2), ("z", "q", 2, 7))
    for name, tn, tp in (
        ("mü", 40, 30 + more),
        ("b", 40, 30 + more),
        ("c", 30 + more, 42),
        ("d", 45, 20),
        ("e", 24, 15),
    )
)
CASES = "id,y,mü,p,s,u,group,d,f,w\n" + "".join(
    f"{i},{y},{int(y != (i % 7 == 0))},{int(y != (i % 3 == 0))},{(i * 7 % 40) / 40},"
    f"{(y * 13 + i * 11 % 30) / 43},g{i // 3},{'xxy'[i % 3]},{i * 5 % 4},{1 + i % 2}\n"
    for i, y in enumerate(int(i % 10 in (1, 4, 8)) for i in range(60))
)
LONG = "model,other,id,y,yhat,score\n" + "".join(
    f"{model},{model.upper()},{i},{i % 2},{int(i % 2 != (i % k == 0))},{(i * k % 20) / 20}\n"
    for model, k in (("mü", 3), ("b", 7))
    for i in range(20)
)
RIGHT = "case,task,ä,b,c\n" + "".join(
    f"{i},{'xxy'[i % 3]},{int(i % 5 > 0)},{int(i % 4 > 0)},{int(i % 7 > 2)}\n" for i in range(30)
)
RATES = (
    "model,name2,n,n_positive,sensitivity,specificity\n"
    "ä,A,100,40,0.80,0.90\nb,B,100,40,0.70,0.95\nc,C,100,40,0.75,0.80\n"
)
VALUES_OF = "id,y,mü,p\n" + "".join(f"{i},{i},{i + i % 3},{i - 2 * (i % 2)}\n" for i in range(12))
APART = "case,task,ä,b\n" + "".join(
    f"{i},{'xy'[i % 2]},{int(i % 2 == 0 or i == 11)},{int(i % 2 == 1 or i == 0)}\n" for i in range(12)
)
FILES = {
    "counts.csv": COUNTS, "cases.csv": CASES, "long.csv": LONG, "right.csv": RIGHT, "rates.csv": RATES,
    "values.csv": VALUES_OF, "gaps.csv": COUNTS[: COUNTS.rindex("e,E")],
    "shares.csv": "entity,tn,fp,fn,tp\nä,0.4,0.1,0.1,0.4\nb,0.5,0.1,0.1,0.3\n",
    "old.csv": "entity,tn,fp,fn,tp\nö,85,15,45,55\n", "new.csv": "entity,tn,fp,fn,tp\nü,95,5,30,70\nv,90,10,30,70\n",
    "apart.csv": APART, "lacking.csv": "y,m\n1,1\n0,0\n0,\n", "twice.csv": "id,y,m,p\n1,1,1,0\n1,0,0,1\n2,1,1,1\n3,0,0,0\n",
    "blanks.csv": RIGHT.replace("\n5,y,0,1", "\n5,y,,1").replace("\n7,x,1,1", "\n7,x,1,"),
    "again.csv": "model,case,turn,correct\na,1,1,0\na,1,2,1\nb,1,1,0\nb,1,2,0\n",
    "folds.csv": "fit_time,score_time,test_tn,test_fp,test_fn,test_tp\n1,1,50,5,5,40\n1,1,45,10,2,43\n",
    "meta.json": json.dumps({"c": {"team": "C"}}),
}  # fmt: skip

VALUES: dict[str, str] = {
    "--by": "accuracy", "--costs": "miss=5",
    "--domain": "x", "--weights": "size", "--missing": "available", "--shift-prior": "0.3",
    "--uncertainty": "", "--differences": "", "--other-methods": "", "--draws": "170", "--seed": "3", "--level": "0.5",
    "--posterior": "jeffreys", "--resample": "domains", "--cluster": "group", "--style": "paper",
    "--format": "csv",
    "--output": "out.txt", "--entity-column": "other", "--domain-column": "place", "--truth": "p", "--prediction": "p",
    "--case": "id", "--pos-label": "0", "--task": "multi-class",
    "--encoding": "latin-1", "--from": "markdown", "--unanswered": "wrong", "--scale": "0 2", "--metric": "acc", "--correct": "b", "--repeat": "turn",
    "--annotations": "other.qrels", "--depth": "2", "--relevance": "2", "--iou": "0.99",
    "--min-score": "0.9", "--entity": "c", "--score": "u", "--threshold": "0.3", "--prior": "0.2",
    "--flavor": "worst", "--against": "counts.csv", "--rank": "2", "--resolution": "11",
    "--title": "Title",
    "--no-figures": "", "--ends": "npv tpr", "--quantile": "0.8",
    "--box": "'beta in [0.5, 2]'", "--alpha": "0.2", "--margin": "0.1", "--every-domain": "",
    "--against-entity": "b", "--fold": "f",
    "--in-use": "0.9", "--labels": "0,1,2", "--weight": "s",
 "--prediction-rate": "0.3", "--direction": "smaller", "--correlation": "none",
    "--metadata": "meta.json",
    "--check": "", "--like": "counts.csv", "--data": "counts.csv",
}  # fmt: skip
"""A value of each option other than its default, and than that of the situations."""


PAIRED_OF = "cases.csv --truth y --prediction mü --prediction p"
CASES_OF = f"{PAIRED_OF} --domain-column d"
LONG_OF = "long.csv --truth y --prediction yhat --entity-column model --case id"
RIGHT_OF = "right.csv --domain-column task"
SCORES_OF = "cases.csv --truth y --score s --score u"
FIGURES = "--style --output --format --entity-column"
READING = {
    "rank": "", "why": "", "tradeoff": "", "domains": "", "explore": "--draws 0 -o e.html",
    "report": "--no-figures --draws 0 -o r.html", "site": "--no-figures --draws 0 -o site", "gate": "",
}  # fmt: skip
"""The commands that read all formats, those without true negatives, too, and where their output goes."""


class Situation(NamedTuple):
    """What a command is asked, other values of options there, and the options to change: by default all."""

    line: str
    values: Mapping[str, str] = {}
    only: str = ""


def situations() -> Iterator[Situation]:
    """Yield what each command is asked."""
    one = {"--prediction": "mü"}
    yield Situation("rank counts.csv --format json")
    yield Situation("rank counts.csv --uncertainty --draws 120 --format json")
    yield Situation("rank counts.csv --differences --draws 120 --format csv", {"--format": "json"})
    yield Situation("rank counts.csv --uncertainty --draws 60 -o f.svg", {"--output": "f2.svg"}, "--style --output")
    yield Situation(f"rank {CASES_OF} --format json", one)
    yield Situation(f"rank {CASES_OF} --uncertainty --draws 120 --format json", one)
    yield Situation(f"rank {LONG_OF} --uncertainty --draws 120 --format json")
    yield Situation(f"rank {RIGHT_OF} --format json", {"--by": "'error rate'"})
    yield Situation(f"rank {RIGHT_OF} --uncertainty --draws 120 --format json", {"--by": "'error rate'"})
    others = {"--format": "latex", "--weights": "x=3,y=1"}
    yield Situation("rank apart.csv --domain-column task --other-methods --format csv", others)
    yield Situation("rank rates.csv --format json", {"--entity-column": "name2"})
    values = {"--by": "mse", **one}
    yield Situation("rank folds.csv", {"--from": "prefixed"}, "--from")
    yield Situation("rank values.csv --truth y --prediction mü --prediction p --task regression --format json", values)
    yield Situation("rank counts.csv --costs miss=3")
    yield Situation(f"rank {PAIRED_OF} --uncertainty --draws 60", {"--domain-column": "d"}, "--cluster --domain-column")
    yield Situation("why counts.csv --format json")
    yield Situation(f"why {CASES_OF} --format json", one)
    yield Situation("why counts.csv --costs miss=3", {})
    for line in ("", "--flavor value --entity b", "--flavor difference --entity b --against d"):
        of_flavor = {"--output": "t.csv", "--against": "c"}
        yield Situation(f"tile counts.csv {line} --resolution 5 -o t.json", of_flavor)
    yield Situation("tile counts.csv --resolution 11 -o t.svg", {"--output": "t2.svg"}, FIGURES)
    yield Situation("tradeoff counts.csv")
    yield Situation("tradeoff counts.csv -o t.svg", {"--output": "t2.svg"}, "--style --output")
    yield Situation("domains counts.csv --format json")
    yield Situation(f"domains {CASES_OF} --format json", one)
    yield Situation("domains counts.csv --costs miss=3", {})
    yield Situation("explore counts.csv --draws 50 -o e.html", {"--output": "e2.html"})
    yield Situation("explore counts.csv --draws 50 --costs miss=3 -o e.html", {})
    yield Situation(f"explore {PAIRED_OF} --draws 50 -o e.html", one, "--cluster --resample --pos-label")
    yield Situation(
        "explore cases.csv --truth y --score s --score u -o e.html", {"--output": "e2.html", "--score": "s"}
    )
    yield Situation("report counts.csv --no-figures --draws 50 -o r.html", {"--output": "r.md"})
    yield Situation(f"report {PAIRED_OF} --no-figures --draws 50 -o r.html", one, "--cluster --resample --pos-label")
    yield Situation("report cases.csv --truth y --score s -o r.html --no-figures", {"--score": "u"}, "--score")
    yield Situation("report counts.csv --no-figures --draws 50 --costs miss=3 -o r.html", {})
    yield Situation("site counts.csv --no-figures --draws 50 -o site", {"--output": "site2"})
    yield Situation(f"site {PAIRED_OF} --no-figures --draws 50 -o site", one, "--cluster --resample --pos-label")
    yield Situation("site counts.csv --no-figures --draws 50 --costs miss=3 -o site", {})
    yield Situation("site counts.csv --check", {"--like": "old.csv"}, "--check --like --domain-column")
    yield Situation(
        "gate new.csv --against old.csv --entity ü --format json", {"--against": "new.csv --against-entity v"}
    )
    gaps = {"--against": "gaps.csv --missing available"}
    yield Situation("gate counts.csv --against counts.csv --entity mü --against-entity d --format json", gaps)
    yield Situation(f"gate {CASES_OF} --entity mü --against-entity p --format json", one)
    both = "--truth y --prediction mü --prediction p --entity mü --against-entity p"
    yield Situation(f"gate values.csv {both} --task regression --format json", {"--by": "mse", **one}, "--by --margin")
    yield Situation(f"gate {PAIRED_OF} --entity mü --against-entity p --format json", {}, "--cluster")
    yield Situation("gate new.csv --against old.csv --entity ü --costs miss=3", {})
    chosen = {"--score": "u", "--fold": "group", "--output": "f2.svg"}
    yield Situation(f"decide {SCORES_OF} --costs miss=3 --draws 100", chosen)
    yield Situation(f"decide {SCORES_OF} --costs miss=3 --draws 100 --fold f --format json", chosen)
    yield Situation(f"decide {SCORES_OF} --costs miss=3 --draws 100 -o f.svg", chosen, "--style --output")
    of_domains = {"--domain-column": "w", "--weights": "x=3,y=1"}
    yield Situation(
        f"decide {SCORES_OF} --costs miss=3 --draws 0 --domain-column d", of_domains, "--domain-column --weights"
    )
    long = f"decide {LONG_OF.replace('--prediction yhat', '--score score')} --costs miss=3 --draws 0"
    yield Situation(long, {}, "--entity-column --case")
    yield Situation("count cases.csv --truth y --prediction mü --prediction p", {"--format": "json"})
    yield Situation("count long.csv --truth y --prediction yhat --entity-column model", {"--format": "json"})
    yield Situation("count cases.csv --truth y --score s --threshold 0.5", {"--format": "json"})
    yield Situation("audit f1 --correlation kendall --format json")
    yield Situation("locate kappa --prior 0.4 --format json")
    yield Situation("locate markedness --prediction-rate 0.4 --format json")
    yield Situation("scores kappa --format json")
    yield Situation("formats --format json")
    yield Situation("schema rank")
    yield Situation("demo -o demo", {"--output": "demo2"}, "--output")
    yield Situation("demo --data tables", {"--data": "tables2"})
    for command, output in READING.items():
        against = "--against " * (command == "gate")
        yield Situation(f"{command} bm25.run {against}dense.run --qrels judgements.qrels {output}", {}, "--annotations")
        if command != "gate":  # which is of two classes
            boxes = f"{command} eager.json shy.json --annotations instances.json {output}"
            yield Situation(boxes, {"--annotations": "fewer.json"}, "--annotations")
    yield Situation("convert counts.csv", {"--format": "json"})
    runs = "convert bm25.run dense.run --qrels judgements.qrels"
    yield Situation(runs, {"--depth": "1"}, "--annotations --depth --relevance")
    yield Situation("convert eager.json shy.json --annotations instances.json", {}, "--iou --min-score")
    yield Situation("convert lm-eval", {}, "--metric")
    yield Situation("convert folds.csv", {"--from": "prefixed"}, "--from")


EXCEPTIONS = {
    "--repeat": "rank again.csv",
    "--unanswered": "rank blanks.csv --domain-column task",
    "--missing": "rank gaps.csv",
    "--case": "rank twice.csv --truth y --prediction m --prediction p",
    "--encoding": "rank counts.csv",
    "--entity-column": "rank counts.csv",
    "--uncertainty": "rank counts.csv",
}
"""Options that may have nothing to do, each with a line in which it acts; at most 15."""


def options_of(command: str) -> list[click.Option]:
    """Return the options of a command, but --help."""
    found = main.get_command(click.Context(main), command)
    assert found is not None
    return [parameter for parameter in found.params if isinstance(parameter, click.Option)]


def flag_of(option: click.Option) -> str:
    """Return the long name of an option."""
    return max(option.opts, key=len)


def changed(line: str, option: click.Option, value: str) -> list[str]:
    """Return the arguments with another value of an option; a flag that was given is left out."""
    rest = shlex.split(line)
    was_there = False
    for name in option.opts:
        while name in rest:
            place, was_there = rest.index(name), True
            del rest[place : place + 1 + (0 if option.is_flag else option.nargs)]
    return rest if was_there and option.is_flag else [*rest, flag_of(option), *shlex.split(value)]


def asked(arguments: list[str]) -> tuple[int, str, str, dict[str, bytes]]:
    """Run a command; return its status, what it printed, and the files that it wrote."""
    before = {path for path in Path().rglob("*") if path.is_file()}
    done = CliRunner().invoke(main, arguments)
    written = sorted({path for path in Path().rglob("*") if path.is_file()} - before)
    files = {str(path): path.read_bytes() for path in written}
    for path in written:
        path.unlink()
    for folder in ("site", "site2", "demo", "demo2"):
        shutil.rmtree(folder, ignore_errors=True)
    assert done.exit_code in (0, 1, 2, 3, 4), done.output
    return done.exit_code, done.stdout, done.stderr, files


def test_every_command_and_option_is_walked() -> None:
    walked = {situation.line.split()[0] for situation in situations()}
    assert walked == set(COMMANDS)
    options = {flag_of(option) for command in COMMANDS for option in options_of(command)}
    assert options == set(VALUES)
    assert set(EXCEPTIONS) <= options
    assert len(EXCEPTIONS) <= 15


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with the inputs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name, text in FILES.items():
        Path(name).write_text(text)
    for path in [*(CORPUS / "trec").iterdir(), *(CORPUS / "coco").iterdir()]:
        shutil.copy(path, path.name)
    shutil.copytree(CORPUS / "lm-eval", "lm-eval")
    judgements = Path("judgements.qrels").read_text().splitlines(keepends=True)
    Path("other.qrels").write_text("".join(judgements[:-1]))
    instances = json.loads(Path("instances.json").read_text())
    Path("fewer.json").write_text(json.dumps(instances | {"annotations": instances["annotations"][:-1]}))


INSTEAD = ("--check",)
"""Flags in the place of an argument that is needed without them: then there is no answer."""
VERDICTS = ("--like",)
"""Options whose answer may be that what is read is wrong, which is a status of 3."""
SLOW = ("audit", "gate", "decide", "report", "explore", "site", "demo", "tile", "domains", "tradeoff", "why")
"""Commands whose walk takes longer, which is made at night."""
ENOUGH = 1
"""By day, an option is not changed in further situations where it has acted in so many."""
OF_LOOKS = ("style", "figure_width")
"""Options of figures, which are looked at with the Tile: all figures take them at one place."""


@pytest.mark.parametrize("command", [command for command in COMMANDS if command not in SLOW])
def test_every_option_acts_or_is_refused_somewhere(command: str) -> None:
    walk(command, ENOUGH)


@pytest.mark.nightly
@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_acts_or_is_refused(command: str) -> None:
    walk(command, len([*situations()]))


def walk(command: str, enough: int) -> None:
    """Change each option of a command alone in each situation, until it has acted in enough of them."""
    acting, idle = Counter[str](), []
    options = options_of(command)
    for line, values, only in (one for one in situations() if one.line.split()[0] == command):
        usual = asked(shlex.split(line))
        assert usual[0] not in (2, 3), usual[2]
        for option in options:
            flag = flag_of(option)
            if (only and flag not in only.split()) or acting[flag] >= enough:
                continue
            found = asked(changed(line, option, values.get(flag, VALUES[flag])))
            if found == usual:
                idle.append(f"{line}: {flag}")
            elif (
                found[0] not in (2, 3)
                or (flag in VERDICTS and found[0] == 3)
                or (flag in INSTEAD and flag in line.split())
            ):
                acting[flag] += 1
    idle = [one for one in idle if one.rpartition(" ")[2] not in EXCEPTIONS]
    assert not idle, "\n".join(idle)
    elsewhere = set() if command == "rank" else {*OF_READING}
    elsewhere |= set() if command == "tile" else set(OF_LOOKS)
    expected = {flag_of(option) for option in options if not option.hidden and option.name not in elsewhere}
    never = sorted(expected - set(acting) - set(EXCEPTIONS))
    assert not never, " ".join(never)


@pytest.mark.parametrize("flag", EXCEPTIONS)
def test_every_exception_acts_somewhere(flag: str) -> None:
    line = EXCEPTIONS[flag]
    option = next(option for option in options_of(line.split()[0]) if flag_of(option) == flag)
    assert asked(shlex.split(line)) != asked(changed(line, option, VALUES[flag]))
