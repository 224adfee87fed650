"""What names the models: the column whose texts tell the rows apart, or the file, without its known suffixes."""

import gzip
import io
from pathlib import Path

import pandas as pd
import pytest

import rankscape as rs

COUNTS = ["90,10,5,45", "80,20,3,47", "85,15,6,44", "81,19,2,48"]
NAMES = ("forest", "svm", "trees", "bayes")


def table(header: str, *cells: str) -> str:
    """Return a table of counts with more columns before them."""
    rows = (f"{cell},{counts}\n" for cell, counts in zip(cells, COUNTS, strict=False))
    return f"{header},TN,FP,FN,TP\n{''.join(rows)}"


def named(text: str) -> tuple[str, ...]:
    return rs.read(io.StringIO(text)).names


BESIDE = {
    "Training Time": ("1547s", "1968s", "2402s", "1104s"),
    "Inference": ("3.2 ms", "4 ms", "1.5 ms", "12 ms"),
    "Footprint": ("3.2 GB", "410 MB", "1.1 GB", "12 kB"),
    "API": ("$0.12", "$1.20", "$3", "$0.02"),
    "Duration": ("12 min 30 s", "1 h", "45 min", "2 h 5 min"),
    "Share of GPU": ("85 %", "12 %", "7.5%", "99%"),
    "Trained": ("2024-03-01 10:00", "2024-03-02 11:30", "2024-03-05 09:15", "2024-04-01 10:00"),
    "On": ("12 Mar 2024", "3 Apr 2024", "30 May 2024", "1 June 2024"),
    "Clock": ("10:12 am", "11:15 am", "1:20 pm", "2:05 pm"),
    "Code": ("https://a.org/x", "https://a.org/y", "www.b.org/z", "https://c.org"),
    "Speed": ("3 s/epoch", "4 s/epoch", "12 s/epoch", "5.5 s/epoch"),
    "Notes": ("as it came", "tuned", "tuned twice", "again"),
    "What we saw": tuple(f"the loss fell for {n} hours and then it stayed where it was" for n in (2, 3, 4, 5)),
}
"""Columns of texts that tell the rows apart, and name nothing."""


@pytest.mark.parametrize("header", BESIDE)
@pytest.mark.parametrize("names", ["Classifier", "Classifier Name", "modelVariant", "What"])
def test_measures_times_addresses_and_notes_never_name_the_models(header: str, names: str) -> None:
    text = table(f"{header},{names}", *(",".join(pair) for pair in zip(BESIDE[header], NAMES, strict=True)))
    assert named(text) == NAMES
    assert named(table(header, *BESIDE[header])) == ("P1", "P2", "P3", "P4")


@pytest.mark.parametrize("names", [
    ("2D U-Net", "3D U-Net", "nnU-Net", "V-Net"), ("GPT-4.1", "GPT-4o", "o3", "R1"), ("7B", "13B", "70B", "405B"),
    ("5-NN", "10-NN", "svm", "1-NN"), ("Smith et al. 2020", "Li 2021", "Doe (2019)", "Roe 2022"),
    ("20 newsgroups model", "3 layers", "ResNet-50 + FPN", "1D CNN"), ("gpt-4o-2024-08-06", "claude-3", "o1", "r1"),
])  # fmt: skip
def test_names_with_digits_are_names(names: tuple[str, ...]) -> None:
    assert named(table("What", *names)) == names


def test_two_columns_that_name_together_are_asked_for() -> None:
    cells = ("MLP,Core,1547s", "SVM,Core,3s", "MLP,Eng,12s", "SVM,Eng,5s")
    with pytest.raises(rs.DataError) as refused:
        named(table("Model Variant,Feature Set,Time", *cells))
    assert 'texts in "Model Variant", "Feature Set"' in str(refused.value)
    assert 'name the models with entity="Model Variant" and the domains with domain="Feature Set"' in str(refused.value)
    P = rs.read(
        io.StringIO(table("Model Variant,Feature Set,Time", *cells)), entity="Model Variant", domain="Feature Set"
    )
    assert (P.names[:2], P.domains) == (("MLP", "SVM"), ("Core", "Core", "Eng", "Eng"))


@pytest.mark.parametrize("header", ["Model Variant,Note", "Backbone,Head", "Loss,Seed of it"])
def test_texts_that_do_not_tell_the_rows_apart_are_asked_for(header: str) -> None:
    with pytest.raises(rs.DataError, match=r'no column entity, but texts in .*entity="…"'):
        named(table(header, "a,b", "a,b", "c,d", "c,d"))


@pytest.mark.parametrize(("header", "cells"), [
    ("model,threshold", ("a,0.3", "a,0.5", "b,0.3", "b,0.5")), ("Method,Backbone", ("a,r50", "a,r101", "b,r50", "b,r101")),
    ("model,seed", ("a,1", "a,2", "b,1", "b,2")), ("system,prompt", ("a,short", "b,short", "a,long", "b,long")),
    ("classifier,k", ("a,5", "a,10", "b,5", "b,1")),
])  # fmt: skip
def test_a_column_that_tells_equal_names_apart_is_named(header: str, cells: tuple[str, ...]) -> None:
    other = header.split(",")[1]
    with pytest.raises(rs.DataError) as refused:
        named(table(header, *cells))
    assert f'"a" occurs 2 times, told apart by the column "{other}"' in str(refused.value)
    assert f'name that column with domain="{other}", or join both in one column' in str(refused.value)
    assert len(rs.read(io.StringIO(table(header, *cells)), domain=other)) == 4
    assert named(table(header, *(cell.replace(",", " ", 1).replace(" ", "-") + ",x" for cell in cells)))[0].startswith(
        "a-"
    )


def test_the_header_that_speaks_of_models_goes_before_others() -> None:
    assert named(table("Backbone,Detector Name", "r50,yolo", "r101,ssd", "swin,detr")) == ("yolo", "ssd", "detr")
    with pytest.raises(rs.DataError, match='texts in "Backbone", "Neck"'):
        named(table("Backbone,Neck", "r50,fpn", "r101,pan", "swin,bifpn"))
    with pytest.raises(rs.DataError, match='texts in "Model kind", "Checkpoint"'):  # two kinds of one name
        named(table("Model kind,Checkpoint", "mlp,best", "mlp,last", "svm,only"))


@pytest.mark.parametrize("index", ["", "Unnamed: 0"])
@pytest.mark.parametrize("first", [0, 1, 17])
def test_a_numbered_index_hides_no_names(index: str, first: int) -> None:
    rows = [f"{first + i},{name}" for i, name in enumerate(NAMES)]
    assert named(table(f"{index},Classifier Name", *rows)) == NAMES
    assert named(table(f"{index},Classifier", *rows)) == NAMES
    assert named(table(index, *(str(first + i) for i in range(4)))) == ("P1", "P2", "P3", "P4")
    assert named(table(index, *NAMES)) == NAMES  # a twin: the index holds the names
    assert named(table(f"{index},Backbone", *(f"{name},r{i}" for i, name in enumerate(NAMES)))) == NAMES


def test_frames_with_an_index_are_named_alike() -> None:
    frame = pd.read_csv(io.StringIO(table("Classifier Name,Time", *(f"{name},{i} s" for i, name in enumerate(NAMES)))))
    assert rs.read(frame).names == NAMES
    assert rs.read(frame.sort_values("TN")).names == ("svm", "bayes", "trees", "forest")
    assert rs.read(frame.set_index("Classifier Name")).names == NAMES
    saved = frame.to_csv()
    assert named(saved) == NAMES == named(pd.read_csv(io.StringIO(saved)).to_csv())


def test_a_missing_name_is_not_passed_over() -> None:
    with pytest.raises(rs.DataError, match="Model Variant is missing; expected the name of the entity"):
        named(table("Model Variant", "a", "", "c"))


def test_rates_are_named_by_the_same_rule() -> None:
    text = "Classifier Name,Training Time,sensitivity,specificity,n_positive,n_negative\n" + "".join(
        f"{name},{i} min,0.8{i},0.9,100,100\n" for i, name in enumerate(NAMES)
    )
    assert rs.read_published(io.StringIO(text)).names == NAMES


# Files


@pytest.mark.parametrize(("file", "name"), [
    ("GPT-4.1", "GPT-4.1"), ("GPT-4.1.csv", "GPT-4.1"), ("v3.0.1.CSV", "v3.0.1"), ("llama-3.3-70b.txt", "llama-3.3-70b"),
    ("unet.csv.gz", "unet"), ("qwen2.5", "qwen2.5"), ("a.b.tsv", "a.b"), (".hidden", ".hidden"),
])  # fmt: skip
def test_files_lose_known_suffixes_only(tmp_path: Path, file: str, name: str) -> None:
    for folder, at in (("one", file), ("one", "other.csv")):
        (tmp_path / folder).mkdir(exist_ok=True)
        content = b"tn,fp,fn,tp\n90,10,5,45\n"
        (tmp_path / folder / at).write_bytes(gzip.compress(content) if at.endswith("gz") else content)
    assert rs.read([tmp_path / "one" / file, tmp_path / "one" / "other.csv"]).names == (name, "other")


def test_runs_of_trec_are_called_by_their_file(tmp_path: Path) -> None:
    for name, best in (("input.bm25.gz", "d1"), ("input.dense", "d2")):
        text = f"q1 Q0 {best} 1 2.5 run\n"
        (tmp_path / name).write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    P = rs.read([tmp_path / "input.bm25.gz", tmp_path / "input.dense"], qrels={"q1": {"d1": 1}})
    assert P.names == ("bm25", "dense")


# Headers that are near misses


@pytest.mark.parametrize("header", [
    "dataset,MLP,FPN", "model,FCN,TPOT", "task,fy_on,fn_on,fn_oy", "model,TPU,FPGA", "study,TNF,FNA", "model,fps,FNN",
])  # fmt: skip
def test_names_of_models_are_not_taken_for_slips(header: str) -> None:
    cells = ",".join(str(10 + i) for i in range(header.count(",")))
    with pytest.raises(rs.DataError) as refused:
        rs.read(io.StringIO(f"{header}\nx,{cells}\ny,{cells}\n"))
    assert 'rename "' not in str(refused.value)


@pytest.mark.parametrize(("header", "fp"), [
    ("tns,fps,fns,tps", 2), ("tn,fp,fn,tp,fps", 2), ("TNs,FP,FNs,TPs,FPS", 2), ("FPS,tn,fn,tp,false_positives", 5),
])  # fmt: skip
def test_frames_per_second_are_no_false_positives(header: str, fp: int) -> None:
    P = rs.read(io.StringIO(f"model,{header}\na,1,2,3,4{',5' * (header.count(',') - 3)}\n"))
    assert P.counts is not None
    assert P.counts[0, 1] == fp


@pytest.mark.parametrize(("header", "near"), [
    ("tn,fp,fn,true_positivs", '"true_positivs"'), ("tn,fp,flase_negatives,tp", '"flase_negatives"'),
    ("tn,fp,fn,TP (pixels)", '"TP (pixels)"'), ("tn,False Positves,fn,tp", '"False Positves"'),
    ("n TN,n FP,n FN,n TP 2", '"n TP 2"'),
])  # fmt: skip
def test_slips_are_named(header: str, near: str) -> None:
    with pytest.raises(rs.DataError, match="if that is what is meant") as refused:
        rs.read(io.StringIO(f"model,{header}\na,1,2,3,4\n"))
    assert near in str(refused.value)
