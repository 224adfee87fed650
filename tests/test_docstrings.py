"""Docstrings are numpydoc: their sections name what the signature has, and their examples can be pasted."""

import ast
import builtins
import dataclasses
import doctest
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

import rankscape as rs

SOURCE = Path(inspect.getfile(rs)).parent
ORDER = (
    "Parameters",
    "Attributes",
    "Returns",
    "Yields",
    "Raises",
    "Warns",
    "See Also",
    "Notes",
    "References",
    "Examples",
)


ARRAY = re.compile(r"\b(ArrayLike|Floats|Integers|Flags)\b")
SHAPE = re.compile(r"\((\w+|…)(, (\w+|…))*,?\)|\bAs (in|of) :")


def public() -> Iterator[tuple[str, type | Callable[..., object]]]:
    """Yield the public classes and functions once each, and the public methods that a class of rankscape has itself."""
    things = {name: getattr(rs, name) for name in rs.__all__}
    for _ in range(2):  # the modules, and those inside them
        for name, module in [(name, thing) for name, thing in things.items() if inspect.ismodule(thing)]:
            del things[name]
            inner = {key: getattr(module, key) for key in getattr(module, "__all__", dir(module)) if key[0] != "_"}
            here = hasattr(module, "__all__")
            things |= {
                f"{name}.{key}": thing
                for key, thing in inner.items()
                if not inspect.ismodule(thing) or thing.__name__.startswith(f"{module.__name__}.")
                if here or getattr(thing, "__module__", "") == module.__name__
            }
    seen = set()
    for name, thing in things.items():
        known = getattr(thing, "__module__", None) or ""
        if not known.startswith("rankscape") or isinstance(thing, ModuleType) or id(thing) in seen:
            continue
        seen.add(id(thing))
        if inspect.isclass(thing):
            yield name, thing
            for key, method in vars(thing).items():
                function = method.__func__ if isinstance(method, classmethod | staticmethod) else method
                if inspect.isfunction(function) and key[0] != "_":
                    yield f"{name}.{key}", function
        elif inspect.isfunction(thing):
            yield name, thing


def sections(doc: str) -> dict[str, str]:
    """Return the sections of a docstring by their titles, in order; what stands before them has the title ""."""
    parts = re.split(r"^([A-Z]\w*(?: [A-Z]\w*)?)\n-{3,}\n", f"{doc}\n", flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def entries(section: str) -> dict[str, str]:
    """Return what stands under each name of a section; "a, b : (n,)" are two names."""
    parts = re.split(r"^(?=\S)", section, flags=re.MULTILINE)
    heads = [part.partition("\n") for part in parts if part.strip()]
    return {
        name.strip().lstrip("*"): textwrap.dedent(body).strip()
        for head, _, body in heads
        for name in head.partition(" : ")[0].split(",")
    }


def full_entries(section: str) -> dict[str, str]:
    """Return the same with what stands behind the names on their line."""
    parts = re.split(r"^(?=\S)", section, flags=re.MULTILINE)
    heads = [part.partition("\n") for part in parts if part.strip()]
    return {
        name.strip().lstrip("*"): head + body for head, _, body in heads for name in head.partition(" : ")[0].split(",")
    }


def annotations(thing: type | Callable[..., object]) -> dict[str, str]:
    """Return what a function takes, or the fields that a class has itself, with their types as they are written."""
    makers = [thing] if inspect.isfunction(thing) else [vars(thing)["__init__"]] if "__init__" in vars(thing) else []
    taken = {key: str(each.annotation) for one in makers for key, each in inspect.signature(one).parameters.items()}
    return taken | (own_annotations(thing) if inspect.isclass(thing) else {})


def own_annotations(thing: type) -> dict[str, str]:
    """Return the types that a class itself gives to names, as they are written."""
    if sys.version_info < (3, 14):
        return {key: str(kind) for key, kind in vars(thing).get("__annotations__", {}).items()}
    import annotationlib  # annotations are evaluated when they are asked for since Python 3.14

    return dict(annotationlib.get_annotations(thing, format=annotationlib.Format.STRING))


def shape_findings(name: str, thing: type | Callable[..., object]) -> Iterator[str]:
    """Yield the arrays of which a docstring gives no shape, such as (n, 4), nor says where else it is given."""
    found = sections(inspect.getdoc(thing) or "")
    documented = full_entries(found.get("Parameters", "")) | full_entries(found.get("Attributes", ""))
    types = annotations(thing)
    arrays = [key for key in documented if ARRAY.search(types.get(key, ""))]
    shapeless = [key for key in arrays if not SHAPE.search(documented[key])]
    if shapeless:
        yield f"{name} gives no shape of {', '.join(shapeless)}"


def raised(function: Callable[..., object]) -> set[str]:
    """Return the errors that a function raises by itself."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    calls = [node.exc.func for node in ast.walk(tree) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)]
    return {call.id for call in calls if isinstance(call, ast.Name) and call.id.endswith("Error")}


def function_findings(name: str, function: Callable[..., object]) -> Iterator[str]:
    """Yield where the sections of a function and its signature differ."""
    found = sections(inspect.getdoc(function) or "")
    signature = inspect.signature(function)
    takes = [key for key in signature.parameters if key not in ("self", "cls")]
    documented = entries(found.get("Parameters", ""))
    if set(takes) != set(documented):
        yield f"{name} takes {', '.join(takes) or 'nothing'}; documented: {', '.join(documented) or 'nothing'}"
    returns = "Yields" if inspect.isgeneratorfunction(function) else "Returns"
    nothing = signature.return_annotation in (None, "None")
    if nothing == (returns in found):
        yield f"{name} must {'not ' if nothing else ''}have a section {returns}"
    missing = raised(function) - set(entries(found.get("Raises", "")))
    if missing:
        yield f"{name} raises {', '.join(sorted(missing))}, which is not documented"


def fields(thing: type) -> list[str]:
    """Return the fields that a record has itself, or what making an object of another class takes."""
    if dataclasses.is_dataclass(thing):
        itself = own_annotations(thing)
        names = [field.name for field in dataclasses.fields(thing) if field.name in itself]
    elif "__init__" in vars(thing) and not getattr(thing, "_is_protocol", False):
        names = list(inspect.signature(thing).parameters)
    else:
        names = list(getattr(thing, "_fields", ()))
    return [name for name in names if name[0] != "_"]


def class_findings(name: str, thing: type) -> Iterator[str]:
    """Yield the fields of a class that its docstring leaves out, and those that it invents."""
    found = sections(inspect.getdoc(thing) or "")
    documented = entries(found.get("Parameters", "")) | entries(found.get("Attributes", ""))
    missing = [field for field in fields(thing) if field not in documented]
    if missing:
        yield f"{name} leaves out {', '.join(missing)}"
    made = inspect.signature(vars(thing)["__init__"]).parameters if "__init__" in vars(thing) else ()
    known = {*dir(thing), *getattr(thing, "__dataclass_fields__", ()), *fields(thing), *made}
    unknown = [field for field in documented if field not in known]
    if unknown:
        yield f"{name} has no {', '.join(unknown)}"


def reached(name: str) -> bool:
    """Tell whether a full name leads to something in rankscape."""
    thing: object = rs
    for part in name.removeprefix("rankscape.").split("."):
        thing = getattr(thing, part, None)
    return name.startswith("rankscape.") and thing is not None


def findings(name: str, thing: type | Callable[..., object]) -> Iterator[str]:
    """Yield what a docstring lacks."""
    doc = inspect.getdoc(thing) or ""
    found = sections(doc)
    titles = list(found)[1:]
    if titles != [title for title in ORDER if title in titles]:
        yield f"{name} has the sections {', '.join(titles)}, unknown or out of order"
    for title in ("Parameters", "Attributes", "Raises"):
        bare = [
            key for key, text in entries(found.get(title, "")).items() if not text and not text_follows(found[title])
        ]
        if bare:
            yield f"{name} says nothing about {', '.join(bare)}"
    for error in entries(found.get("Raises", "")):
        if not hasattr(rs, error) and not hasattr(builtins, error):
            yield f"{name} raises {error}, which is no error that can be caught"
    if ">>>" in doc and ">>>" not in found.get("Examples", "") and not inspect.isclass(thing):
        yield f"{name} has an example outside the section Examples"
    free = unbound(doc)
    if free:
        yield f"{name} has an example that cannot be pasted: {', '.join(sorted(free))}"
    lost = [other for other in entries(found.get("See Also", "")) if not reached(other)]
    if lost:
        yield f"{name} points to {', '.join(lost)}, which is not there; expected full names, such as rankscape.rank"
    yield from shape_findings(name, thing)
    if inspect.isfunction(thing):
        yield from function_findings(name, thing)
    elif inspect.isclass(thing):
        yield from class_findings(name, thing)


def text_follows(section: str) -> bool:
    """Tell whether the last of several names on one line has the text for all of them."""
    return all(body for body in map(str.strip, re.split(r"^\S.*\n", section, flags=re.MULTILINE)[1:]))


def unbound(doc: str) -> set[str]:
    """Return the names that the examples of a docstring use and neither define nor import."""
    source = "".join(example.source for example in doctest.DocTestParser().get_examples(doc))
    nodes = list(ast.walk(ast.parse(source)))
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    bound |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    imports = [alias for node in nodes if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names]
    bound |= {(alias.asname or alias.name).partition(".")[0] for alias in imports}
    return {node.id for node in nodes if isinstance(node, ast.Name)} - bound - set(dir(builtins))


def test_docstrings_say_what_the_signatures_take() -> None:
    names = list(public())
    assert len(names) > 300
    problems = [finding for name, thing in names for finding in findings(name, thing)]
    assert problems == []


def sample(a: int, b: int = 1) -> int:
    """Return a sum.

    Parameters
    ----------
    a
        One number.

    Examples
    --------
    >>> sample(1)
    2
    """
    if a < 0:
        raise ValueError("negative")
    return a + b


def test_the_check_of_sections_can_fail() -> None:
    assert list(findings("sample", sample)) == [
        "sample has an example that cannot be pasted: sample",
        "sample takes a, b; documented: a",
        "sample must have a section Returns",
        "sample raises ValueError, which is not documented",
    ]


def test_the_check_of_fields_can_fail() -> None:
    @dataclasses.dataclass
    class Record:
        """Hold two numbers.

        Attributes
        ----------
        first, third
            Numbers.
        """

        first: int
        second: int

    assert list(findings("Record", Record)) == ["Record leaves out second", "Record has no third"]


def test_the_check_of_shapes_can_fail() -> None:
    def thing(x: "ArrayLike", y: "ArrayLike | None", n: int) -> None:  # type: ignore[name-defined]  # noqa: F821
        """Do.

        Parameters
        ----------
        x
            Numbers ≥ 0 (or not).
        y : (m,)
            Numbers.
        n
            A number.
        """

    assert list(findings("thing", thing)) == ["thing gives no shape of x"]


@pytest.mark.parametrize(
    ("doc", "problem"),
    [
        (
            "Do.\n\nReturns\n-------\nint\n    One.\n\nNotes\n-----\nText.\n\nRaises\n------\nKeyError\n    For one.",
            "order",
        ),
        ("Do.\n\nRaises\n------\nNoSuchError\n    For one.", "no error that can be caught"),
        ("Do.\n\nRaises\n------\nKeyError\n", "says nothing about KeyError"),
        ("Do.\n\n>>> 1\n1", "outside the section Examples"),
        ("Do.\n\nSee Also\n--------\nrank : ranks", "points to rank, which is not there"),
        ("Do.\n\nSee Also\n--------\nrankscape.sort", "points to rankscape.sort, which is not there"),
    ],
)
def test_each_finding_can_be_made(doc: str, problem: str) -> None:
    def thing() -> None: ...

    thing.__doc__ = doc
    assert any(problem in finding for finding in findings("thing", thing))
