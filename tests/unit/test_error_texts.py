"""Every error of the command line is one line, with its status, in the words of that command and of no other."""

import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from rankscape.cli import COMMANDS, main

TABLES = {
    "values.csv": "id,y,m\n" + "".join(f"{i},{i}.5,{i}.{i}\n" for i in range(1, 31)),
    "r.csv": "domain,entity,tn,fp,fn,tp\nx,a,86,4,1,10\nx,b,79,6,2,15\nx,c,1,2,3,4\ny,a,8,4,1,9\ny,b,7,6,2,5\ny,c,3,2,3,4\n",
    "board.csv": "system,P@10,nDCG@10,MAP\nbm25,0.42,0.51,0.33\ndense,0.47,0.55,0.31\n",
    "one.csv": "entity,tn,fp,fn,tp\na,86,4,1,10\nb,79,6,2,15\nc,1,2,3,4\n",
    "alone.csv": "entity,tn,fp,fn,tp\na,86,4,1,10\n",
    "gaps.csv": "domain,entity,tn,fp,fn,tp\nx,a,86,4,1,10\nx,b,79,6,2,15\ny,a,8,4,1,9\nz,b,8,4,1,9\n",
    "c.csv": "y,p,s\n1,1,0.9\n0,1,0.4\n1,0,0.3\n0,0,0.1\n",
    "apart.csv": "domain,entity,tn,fp,fn,tp\nx,a,86,4,1,10\ny,b,79,6,2,15\n",
    "probabilities.csv": "domain,entity,tn,fp,fn,tp\nx,a,0.5,0.1,0.2,0.2\ny,a,0.4,0.2,0.2,0.2\nx,b,0.6,0.1,0.1,0.2\ny,b,0.5,0.1,0.2,0.2\n",
    "no positives.csv": "entity,tn,fp,fn,tp\na,86,4,0,0\nb,80,10,0,0\n",
    "negative.csv": "entity,tn,fp,fn,tp\na,86,-4,1,10\n",
    "zeros.csv": "entity,tn,fp,fn,tp\na,0,0,0,0\n",
    "text.csv": "entity,tn,fp,fn,tp\na,86,many,1,10\n",
    "twice.csv": "entity,tn,fp,fn,tp\na,86,4,1,10\na,79,6,2,15\n",
    "empty.csv": "",
    "short.csv": "entity,tn,fp,fn\na,1,2,3\n",
    "hostile.csv": 'entity,tn,fp,fn,tp\n"prior=x, rs.rank(P[0])",1,2,3,4\n"two\nlines",4,3,2,1\n',
    "p.csv": "case,y,m,n\n1,1,1,0\n2,0,0,0\n3,1,0,1\n4,0,1,0\n",
    "three.csv": "y,m\n1,1\n2,0\n3,1\n",
}

WRONG = [
    # command line, status, a part of the message
    ("rank nothing.csv", 3, "nothing.csv"),
    ("decide nothing.csv --truth y --score s --costs miss=2", 3, "nothing.csv"),
    ("decide r.csv --truth y --score s --costs miss=2", 3, 'no column is called "y"'),
    ("decide r.csv --truth y --score s", 2, "--costs is required"),
    ("rank r.csv --by nosuch", 2, "no score is called 'nosuch'"),
    ("rank r.csv --by f1,recall", 2, "names several scores"),
    ("rank r.csv --by fbeta", 2, "beta"),
    ("rank r.csv --by fbeta(-1)", 2, "beta must lie in"),
    ("rank r.csv --by fbeta(1,2)", 2, "1 parameters"),
    ("rank r.csv --by tp/(", 2, "expression"),
    ("rank r.csv --by tpr**tnr", 2, "exponent"),
    ("rank r.csv --by nosuch*2", 2, "unknown name 'nosuch'"),
    ("rank r.csv --by P(tp,fp,tn,fn)", 2, "is constant"),
    ("rank r.csv --by macro_f2", 2, "no score is called"),
    ("rank r.csv --by 2,0", 2, "must lie in [0, 1]"),
    ("rank r.csv --by 1,b", 2, "is no number"),
    ("rank r.csv --by 1,2,3", 2, "expected 4 numbers"),
    ("rank r.csv --by 0,0,0,0", 2, "must be positive for one outcome"),
    ("rank r.csv --by tn=-1", 2, "not negative"),
    ("rank r.csv --by tn=1,xy=1", 2, "is not understood"),
    ("rank r.csv --costs miss=-1", 2, "costs must not be negative"),
    ("rank r.csv --costs hit=1", 2, "is not understood"),
    ("rank r.csv --by f1 --costs miss=2", 2, "choose one of them"),
    ("rank r.csv --domain nowhere", 2, "no domain is called 'nowhere'"),
    ("rank one.csv --domain x", 2, "no domains"),
    ("rank gaps.csv", 3, "--missing complete"),
    ("rank gaps.csv --missing available --resample domains --uncertainty", 2, "--missing"),
    ("rank apart.csv --missing complete", 3, "no domain is shared"),
    ("rank r.csv --weights x=1", 2, "'y' has no weight"),
    ("rank r.csv --weights x=1,y=-1", 2, "not negative"),
    ("rank r.csv --weights x=0,y=0", 2, "positive weight"),
    ("rank r.csv --weights x", 2, "is not understood"),
    ("rank r.csv --weights hierarchical", 2, "--weights hierarchical needs domains called group/name"),
    ("rank one.csv --weights hierarchical", 2, "--domain-column"),
    ("rank one.csv --weights all=1", 2, "there is nothing to average"),
    ("rank probabilities.csv --weights size", 3, "--weights x=100,y=50"),
    ("rank probabilities.csv --uncertainty", 3, "needs counts"),
    ("rank board.csv", 3, '"P@10", "nDCG@10", "MAP" are metrics of ranked lists, which do not tell fp, fn and tp: give runs'),
    ("rank board.csv", 3, "--prediction bm25 --domain-column query`"),
    ("rank r.csv --by map", 2, "--depth 10` counts the best ten documents"),
    ("rank r.csv --by auc", 2, "--score p --costs miss=2`"),
    ("rank r.csv --by mae", 2, "--task regression --by mae`"),
    ("rank r.csv --prior 0.2", 2, "--shift-prior"),
    ("rank c.csv --truth y --prediction p --pos-label x", 3, "--pos-label"),
    ("rank c.csv --truth y --prediction p --pos-label -1", 3, "--pos-label"),
    ("rank c.csv --truth y --prediction q", 3, "no column is called"),
    ("rank c.csv --truth y --prediction s", 3, "scores, not labels: compare them with a threshold"),
    ("rank c.csv --truth y --prediction s", 3, "`rankscape decide FILE --truth y --score p`"),
    ("gate c.csv --truth y --prediction s --prediction p --entity s --against-entity p", 3, "c.csv: predictions such as 0.1 (4 rows) are scores"),
    ("gate c.csv --truth y --prediction p --against c.csv --pos-label no", 3, "--pos-label"),
    ("count c.csv --truth y --prediction s", 3, "--threshold"),
    ("count c.csv --truth y --prediction p --score s", 2, "--prediction"),
    ("count c.csv --truth y --score s", 2, "--threshold"),
    ("count c.csv c.csv --truth y --prediction p", 3, "given twice"),
    ("count c.csv --truth y --prediction p --pos-label 5", 3, "--pos-label"),
    ("count c.csv --truth y --prediction p --entity-column nosuch", 3, "no column is called"),
    ("count c.csv --truth y --score s --threshold many", 2, "--threshold"),
    ("count c.csv --truth y --prediction p --labels 1", 2, "--labels"),
    ("count c.csv --truth y --prediction p --encoding nosuch", 2, "no known encoding"),
    ("count c.csv --truth y --prediction p --prediction q --entity-column y", 2, "--entity-column"),
    ("rank r.csv --draws 10", 2, "--uncertainty"),
    ("rank r.csv --draws 0 --uncertainty", 2, "--draws"),
    ("rank one.csv --resample domains --uncertainty", 2, "two domains"),
    ("rank r.csv --resample clusters --uncertainty", 2, "with a column of clusters"),
    ("rank r.csv --uncertainty --cluster patient", 2, "--cluster would change nothing"),
    ("rank c.csv --truth y --prediction p --resample domains --cluster p --uncertainty", 2, "--cluster would change"),
    ("rank c.csv --truth y --prediction p --prediction p --differences", 2, "several different ones"),
    ("report r.csv --draws 0 --seed 1 -o r.md", 2, "--seed would change nothing"),
    ("explore r.csv --draws 0 --level 0.5 -o r.html", 2, "--level would change nothing"),
    ("explore r.csv --draws 0 --posterior uniform -o r.html", 2, "--posterior would change nothing"),
    ("rank r.csv --uncertainty --posterior -3", 2, "--posterior -3"),
    ("rank r.csv --uncertainty --posterior 1e300", 2, "from 0 to 1e15"),
    ("rank r.csv --uncertainty --posterior inf", 2, "from 0 to 1e15"),
    ("rank r.csv --shift-prior 1.5", 2, "must lie in [0, 1]"),
    ("rank 'no positives.csv' --shift-prior 0.5", 3, "no positive cases"),
    ("rank r.csv --prediction score", 2, "--truth"),
    ("rank p.csv --truth y", 2, "--prediction"),
    ("rank r.csv --score s", 2, "`rankscape count"),
    ("rank r.csv --entity a", 2, "--entity-column"),
    ("rank r.csv -o x.docx", 2, "--format"),
    ("rank r.csv -o no/where.csv", 2, "there is no folder"),
    ("rank negative.csv", 3, "negative"),
    ("rank zeros.csv", 3, "at least one case"),
    ("rank text.csv", 3, "many"),
    ("rank empty.csv", 3, "empty.csv"),
    ("rank hostile.csv --domain x", 2, "no domains"),
    ("why r.csv --by nosuch", 2, "no score is called"),
    ("why r.csv --by kappa --shift-prior 2", 2, "must lie in [0, 1]"),
    ("why r.csv --by tpr*tnr", 2, "has no place on the Tile"),
    ("why r.csv --by mcc", 2, "has no place on the Tile"),
    ("why gaps.csv", 3, "--missing complete"),
    ("why one.csv --domain x", 2, "no domains"),
    ("tile", 2, "FILE"),
    ("tile r.csv --flavor value", 2, "--entity is required; choose one of 'a', 'b', 'c'"),
    ("tile r.csv --flavor difference", 2, "--entity and --against are required; name two of 'a', 'b', 'c'"),
    ("tile r.csv --flavor ranking --entity z", 2, "no entity is called 'z'"),
    ("tile alone.csv --flavor margin", 2, "two models"),
    ("tile r.csv --rank 9", 2, "rank must lie between 1"),
    ("tile r.csv --entity a", 2, "--flavor"),
    ("tile r.csv --resolution 0", 2, "--resolution"),
    ("tile r.csv -o x.txt", 2, ".png"),
    ("tile gaps.csv", 3, "--missing complete"),
    ("tradeoff r.csv --ends f1 f1", 2, "order alike"),
    ("tradeoff r.csv --ends nosuch tpr", 2, "no score is called"),
    ("tradeoff r.csv --ends ppv 0,1", 3, "choose ends with the same a"),
    ("tradeoff r.csv --ends ppv 0.3,0.1", 2, "choose two ends"),
    ("tradeoff r.csv --ends tpr ba", 2, "only for fixed priors"),
    ("tradeoff r.csv --quantile 2", 2, "quantile"),
    ("tradeoff gaps.csv", 3, "choose one domain"),
    ("domains r.csv --by tpr*tnr", 2, "gives the domains no weights"),
    ("domains r.csv --by kappa", 2, "gives the domains no weights"),
    ("domains r.csv --entity z", 2, "no entity is called 'z'"),
    ("domains r.csv -o d.png", 2, "cannot tell the format"),
    ("domains gaps.csv", 3, "--missing available"),
    ("gate r.csv", 2, "--against FILE"),
    ("gate r.csv --against r.csv", 3, "with --entity"),
    ("gate r.csv --against r.csv --entity a", 3, "with --against-entity"),
    ("gate r.csv --against r.csv --entity a --against-entity z", 2, "no entity is called 'z'"),
    ("gate alone.csv --against alone.csv --box gamma=2", 2, "is no name"),
    ("gate alone.csv --against alone.csv --box ''", 2, "box"),
    ("gate alone.csv --against alone.csv --box 'beta in [2, 1]'", 2, "larger than the second"),
    ("gate alone.csv --against alone.csv --box 'beta = 1/0'", 2, "division by 0"),
    ("gate alone.csv --against alone.csv --box 'prior = 0.5'", 2, "it says nothing of a"),
    ("gate alone.csv --against alone.csv --margin 2", 2, "--margin"),
    ("gate alone.csv --against alone.csv --alpha 0.7", 2, "--alpha"),
    ("gate alone.csv --against alone.csv --every-domain", 2, "--every-domain needs domains"),
    ("gate alone.csv --against alone.csv --margin x=0.1", 2, "one --margin per domain needs --every-domain"),
    ("gate alone.csv --against alone.csv --costs miss=1 --box 'beta = 2'", 2, "choose one of them"),
    ("gate alone.csv --against r.csv --against-entity a", 3, "names no domain"),
    ("gate gaps.csv --entity a --against gaps.csv --against-entity b", 3, "choose --missing complete (the domains that all share)"),
    ("gate alone.csv --against alone.csv --cluster c", 2, "--cluster"),
    ("audit", 2, "SCORE|EXPRESSION|IMPORTANCES"),
    ("rank r.csv --by ''", 2, "it is empty; expected a score"),
    ("tradeoff r.csv --by-domain", 2, "--domain NAME"),
    ("rank r.csv --url x", 2, "No such option"),
    ("rank values.csv --truth y --prediction m", 3, "add --task regression"),
    ("rank r.csv --currency €", 2, "--costs miss=5,currency=€"),
    ("audit nosuch", 2, "no score is called"),
    ("audit mcc --prior 2", 2, "prior"),
    ("count nothing.csv --truth y --prediction m", 3, "nothing.csv"),
    ("count p.csv --prediction m", 2, "--truth"),
    ("count p.csv --truth z --prediction m", 3, "z"),
    ("count p.csv --truth y --prediction m --entity m", 2, "--entity-column"),
    ("explore r.csv -o e.txt", 2, ".html"),
    ("explore r.csv --by nosuch", 2, "no score is called"),
    ("explore r.csv --weights z=1", 2, "'z' is no domain"),
    ("report r.csv -o r.docx", 2, ".html"),
    ("report r.csv", 2, "--output"),
    ("report gaps.csv -o g.html", 3, "--missing complete"),
    ("site r.csv", 2, "the folder of the site"),
    ("site gaps.csv -o s", 3, "--missing complete"),
    ("site r.csv -o r.csv", 2, "r.csv"),
    ("site r.csv -o s --metadata p.csv", 3, "no column names the methods"),
    ("site r.csv --check --by f1", 2, "--by would change nothing: --check only reads"),
    ("scores tpr*tnr", 2, "is an expression"),
    ("locate nosuch", 2, "no score is called"),
    ("locate mcc", 1, "has no place on the Tile"),
    ("locate kappa", 1, "pass --prior"),
    ("locate kappa --prior 0", 1, "both classes must occur"),
    ("locate 0.5,0.5,1", 2, "expected 4 numbers"),
    ("convert r.csv --encoding nosuch", 2, "no known encoding"),
    ("schema nosuch", 2, "there is no schema"),
    ("nosuch", 2, "No such command"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    for name, text in TABLES.items():
        Path(name).write_text(text)


def options_of(name):
    command = main.get_command(click.Context(main), name) or main
    return {flag for p in command.params if isinstance(p, click.Option) and not p.hidden for flag in p.opts} | {
        "--help"
    }


def problems(command, message):
    """Yield what an error must not say: names of Python, internals, options that the command has not."""
    bare = re.sub(
        r"'[^']*'|\"[^\"]*\"", "…", re.sub(r"--[a-z-]+ \S*=\S+", "--…", message)
    )  # names, and values of options
    yield from (f"parameter {found}" for found in re.findall(r"\b[a-z_]+=(?![\d.])", bare))
    yield from (f"Python {found}" for found in re.findall(r"\brs\.\w*|P\[|\bshift_priors\b|from_\w+|\w+\(P\b", bare))
    elsewhere = re.findall(r"`rankscape (\w+)([^`]*)`", message)
    for other, rest in elsewhere:
        yield from (f"{flag} of {other}" for flag in re.findall(r"--[a-z-]+", rest) if flag not in options_of(other))
    here = re.sub(r"`[^`]*`", "", message)
    refused = re.match(r"Error: (--[a-z-]+) is none of|Error: No such option:? '?(--[a-z-]+)", message)
    known = options_of(command) | {flag for flag in (refused.groups() if refused else ()) if flag}
    yield from (f"{flag} is not here" for flag in re.findall(r"--[a-z][a-z-]*", here) if flag not in known)


@pytest.mark.parametrize(("line", "status", "part"), WRONG, ids=[line for line, *_ in WRONG])
def test_errors_are_one_line_in_the_words_of_the_command(line, status, part):
    before = sorted(path.name for path in Path().iterdir())
    found = CliRunner().invoke(main, shlex.split(line))
    message = found.stderr or found.stdout
    assert found.exit_code == status, message
    assert part in message
    assert message.count("\n") == 1, message
    assert list(problems(line.split()[0], message)) == [], message
    assert sorted(path.name for path in Path().iterdir()) == before


def test_every_command_but_those_without_input_is_walked():
    assert set(COMMANDS) - {line.split()[0] for line, *_ in WRONG} == {"demo", "formats"}
    assert len(WRONG) >= 60


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("choose missing=complete", "parameter missing="),
        ("use rs.count", "Python rs.count"),
        ("as in P['a']", "Python P["),
        ("add --threshold 0.5", "--threshold is not here"),
        ("count it, as in `rankscape count --entity x`", "--entity of count"),
    ],
)
def test_the_walk_can_fail(message, problem):
    assert problem in list(problems("rank", message))
    assert not list(
        problems("rank", 'row 1 ("x=y"): fp = -3; b=0.5: choose --missing complete, or --weights x=100,y=50')
    )
