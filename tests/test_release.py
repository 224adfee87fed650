"""What a release is made of agrees with itself: versions, requirements, addresses, and the workflows with the Makefile."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import rankscape as rs

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
CODEMETA = json.loads((ROOT / "codemeta.json").read_text("utf-8"))
RECIPE = yaml.safe_load((ROOT / "recipe/recipe.yaml").read_text("utf-8"))
WORKFLOWS = {path.name: yaml.safe_load(path.read_text("utf-8")) for path in (ROOT / ".github/workflows").glob("*.yml")}
JOBS = [(file, name, job) for file, flow in WORKFLOWS.items() for name, job in flow["jobs"].items()]
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def test_every_file_has_the_same_version() -> None:
    version = PROJECT["project"]["version"]
    assert [rs.__version__, CITATION["version"], CODEMETA["version"], RECIPE["context"]["version"]] == [version] * 4
    assert f"\n## [{version}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert "\n## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_every_file_has_the_same_license() -> None:
    license = PROJECT["project"]["license"]
    assert [CITATION["license"], RECIPE["about"]["license"]] == [license] * 2
    assert CODEMETA["license"].endswith("/" + license)


def spaced(requirement: str) -> str:
    return re.sub(r"(?<=[\w-])(?=[<>=])", " ", requirement, count=1)


def test_the_recipe_and_codemeta_require_what_the_package_requires() -> None:
    project = PROJECT["project"]
    run = [f"python {project['requires-python']}", *map(spaced, project["dependencies"])]
    assert [
        line.replace("matplotlib-base", "matplotlib").replace("python-duckdb", "duckdb")
        for line in RECIPE["requirements"]["run"]
    ] == run
    assert {spaced(line) for line in PROJECT["build-system"]["requires"]} <= set(RECIPE["requirements"]["host"])
    assert CODEMETA["softwareRequirements"] == project["dependencies"]
    assert CODEMETA["runtimePlatform"] == f"Python {project['requires-python']}"


def test_the_address_of_the_repository_has_one_source() -> None:
    """Where pyproject.toml names none, nobody does."""
    address = PROJECT["project"].get("urls", {}).get("Repository")
    others = [CITATION.get("repository-code"), CODEMETA.get("codeRepository"), RECIPE["about"].get("repository")]
    assert others == [address] * 3


def test_the_same_versions_of_python_are_tested_built_and_listed() -> None:
    tested = WORKFLOWS["tests.yml"]["jobs"]["tests"]["strategy"]["matrix"]["python"]
    assert WORKFLOWS["versions.yml"]["jobs"]["newest"]["strategy"]["matrix"]["python"] == tested
    built = [name.removesuffix("-*").removeprefix("cp") for name in PROJECT["tool"]["cibuildwheel"]["build"]]
    language = "Programming Language :: Python :: "
    listed = [line.removeprefix(language) for line in PROJECT["project"]["classifiers"] if line.startswith(language)]
    assert [name for name in listed if "." in name] == tested
    assert {f"{name[0]}.{name[1:].rstrip('t')}" for name in built} == set(tested)
    assert PROJECT["project"]["requires-python"] == f">={tested[0]}"


def called(job: dict[str, Any]) -> set[str]:
    """The targets that a job makes, by name or one after the other from its matrix."""
    matrix = job.get("strategy", {}).get("matrix", {})
    several = matrix.get("target", [row["target"] for row in matrix.get("include", ()) if "target" in row])
    texts = [step.get("run", "") for step in job.get("steps", ())]
    names = {name for text in texts for name in re.findall(r"\bmake ([\w\"$-]+)", text)}
    return {target for name in names for target in (several if name == '"$TARGET"' else [name])}


def test_every_target_that_a_workflow_makes_exists() -> None:
    made = {file: set().union(*map(called, flow["jobs"].values())) for file, flow in WORKFLOWS.items()}
    assert {"lint", "test", "docs", "spark", "floor", "machines", "minimum", "fuzz"} <= made["tests.yml"]
    assert {"nightly", "net", "machines", "fuzz", "calibration"} == made["nightly.yml"]
    assert {"test", "minimum", "floor"} == made["versions.yml"]
    assert {"dist"} == made["release.yml"]
    assert set().union(*made.values()) <= TARGETS


@pytest.mark.parametrize(("file", "name", "job"), JOBS, ids=[f"{file}-{name}" for file, name, _ in JOBS])
def test_a_job_ends_and_may_only_read(file: str, name: str, job: dict[str, Any]) -> None:
    assert WORKFLOWS[file]["permissions"] == {"contents": "read"}
    assert job.get("permissions", {}) == ({"id-token": "write"} if name == "publish" else {})
    assert "uses" in job or job["timeout-minutes"] <= 180


def test_only_what_was_tested_is_published() -> None:
    jobs = WORKFLOWS["release.yml"]["jobs"]
    assert set(jobs["publish"]["needs"]) == jobs.keys() - {"publish"}
    assert "tag" in jobs["publish"]["if"]


def test_read_the_docs_builds_what_make_docs_builds() -> None:
    settings = yaml.safe_load((ROOT / ".readthedocs.yaml").read_text("utf-8"))
    (install,) = settings["python"]["install"]
    assert set(install["extra_requirements"]) <= PROJECT["project"]["optional-dependencies"].keys()
    assert (ROOT / settings["sphinx"]["configuration"]).is_file()


def test_the_paper_is_short_and_cites_what_is_listed() -> None:
    text = (ROOT / "paper/paper.md").read_text("utf-8").split("---\n", 2)[2]
    listed = set(re.findall(r"^@\w+\{([\w-]+),", (ROOT / "paper/paper.bib").read_text("utf-8"), re.MULTILINE))
    assert len(text.split()) <= 1000
    assert set(re.findall(r"@([\w-]+)", text)) == listed


def test_the_pictures_of_the_project_are_there() -> None:
    head = (ROOT / "docs/social.png").read_bytes()[:24]
    assert (int.from_bytes(head[16:20]), int.from_bytes(head[20:24])) == (1280, 640)
    (favicon,) = re.findall(r'^html_favicon = "(.+)"$', (ROOT / "docs/conf.py").read_text("utf-8"), re.MULTILINE)
    assert (ROOT / "docs" / favicon).read_text("utf-8").startswith("<svg ")
