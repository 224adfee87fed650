"""The same output to the last byte, whatever the processor: ``make machines``, or with ``--inputs 200`` every night.

Each setting below stands for another machine: BLAS for an older processor, NumPy without its vector instructions, a C
library without fused products, another number of threads. A process of its own per setting writes what the package
stores and prints, and all that it writes is compared with what the first one wrote. Whether a setting acts on this
processor is seen from logarithms and a product of matrices, which differ where the package must not.
"""

import argparse
import hashlib
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]

SETTINGS = {
    "as it is, with one thread": {},
    "two threads": {"OPENBLAS_NUM_THREADS": "2"},
    "OpenBLAS for Prescott": {"OPENBLAS_CORETYPE": "Prescott"},
    "OpenBLAS for Haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "OpenBLAS for Zen": {"OPENBLAS_CORETYPE": "Zen"},
    "OpenBLAS for SkylakeX": {"OPENBLAS_CORETYPE": "SkylakeX"},
    "OpenBLAS for ARMv8": {"OPENBLAS_CORETYPE": "ARMV8"},
    "NumPy without AVX-512": {"NPY_DISABLE_CPU_FEATURES": "X86_V4"},
    "NumPy without all that it found": {"NPY_DISABLE_CPU_FEATURES": "*"},
    "a C library without AVX2 and FMA": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA"},
}

GOLDEN = 60
"""So many inputs of tests/golden are gone through under each setting."""


def settings() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the settings that exist here: a kernel that the processor cannot run ends the process."""
    import numpy as np

    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    wide = [feature for feature in found if feature.startswith(("X86_V4", "AVX512"))]
    for name, setting in SETTINGS.items():
        switched_off = {"X86_V4": wide, "*": found}.get(setting.get("NPY_DISABLE_CPU_FEATURES", ""))
        core, arm = setting.get("OPENBLAS_CORETYPE"), platform.machine() in ("aarch64", "arm64")
        if switched_off == [] or (core and (core == "ARMV8") != arm) or (core == "SkylakeX" and not wide):
            print(f"{name}: not on this processor")
        else:
            yield name, setting if switched_off is None else {"NPY_DISABLE_CPU_FEATURES": " ".join(switched_off)}


def acts() -> dict[str, str]:
    """Return digests of what may depend on the machine outside of the package."""
    import numpy as np

    numbers = np.random.default_rng(0).random(100_000) * 3 + 1e-3
    square = numbers[:90_000].reshape(300, 300)
    of = {"logarithms": np.log(numbers), "products of matrices": square @ square}
    return {name: hashlib.sha256(values.tobytes()).hexdigest() for name, values in of.items()}


def arithmetic() -> str:
    """Return digests of what the module on floats makes of many numbers, whose last bits show what few inputs hide."""
    import numpy as np

    from rankscape import floats

    numbers = np.random.default_rng(1).random(90_000) * 3 + 1e-3
    square = numbers.reshape(300, 300)
    covariances = floats.covariances(square)
    of = {
        "logs": floats.logs(numbers), "logs1p": floats.logs1p(numbers), "exps": floats.exps(numbers),
        "products": floats.products(square[:40], square), "large_products": floats.large_products(square, square),
        "covariances": covariances, "root": floats.root(covariances[:60, :60]),
        "solved": floats.solved(covariances[:60, :60], square[:60])[0],
    }  # fmt: skip
    return "".join(f"{name} {hashlib.sha256(values.tobytes()).hexdigest()}\n" for name, values in of.items())


def errors(path: Path) -> list[str]:
    """Write what regressors said of the same cases, and return the command that ranks them."""
    random, names = Random(0), [f"m{i}" for i in range(20)]
    rows = [["truth", *names]]
    for _ in range(400):
        truth = random.uniform(-1, 1)
        rows.append([f"{truth:.4f}", *(f"{truth + random.uniform(-1, 1) * (0.5 + 0.02 * i):.4f}" for i in range(20))])
    path.write_text("".join(",".join(row) + "\n" for row in rows))
    reading = ["--task", "regression", "--truth", "truth", *(part for name in names for part in ("--prediction", name))]
    return ["rank", path.name, *reading, "--by", "mae", "--uncertainty", "--draws", "300", "--format", "json"]


def table(number: int, path: Path) -> list[str]:
    """Write one of the inputs, of counts, floats, averages, cases or rates, and return the options that read it."""
    random = Random(number)
    kind, names = number % 5, [f"m{i}" for i in range(2 + random.randrange(7))]
    skills = {name: 0.6 + 0.39 * random.random() for name in names}
    if kind == 3:
        rows = [["truth", *names]]
        for _ in range(60):
            truth, luck = int(random.random() < 0.4), random.random()
            right = {name: 0.3 * luck + 0.7 * random.random() < skill for name, skill in skills.items()}
            rows.append([str(truth), *(str(truth if right[name] else 1 - truth) for name in names)])
        path.write_text("".join(",".join(row) + "\n" for row in rows))
        return ["--truth", "truth", *(option for name in names for option in ("--prediction", name))]
    negatives, positives = 20 + random.randrange(2000), 20 + random.randrange(500)
    rows = [
        [
            "entity",
            *(["domain"] if kind == 2 else []),
            *(["tnr", "tpr", "prior"] if kind == 4 else ["tn", "fp", "fn", "tp"]),
        ]
    ]
    prior = f"{random.uniform(0.1, 0.9):.3f}"
    for name, skill in skills.items():
        for domain in ("x", "y", "z")[: 3 if kind == 2 else 1]:
            tnr, tpr = (min(1.0, skill + 0.1 * random.random() - 0.05) for _ in range(2))
            tn, tp = round(negatives * tnr), round(positives * tpr)
            cells = [str(count) for count in (tn, negatives - tn, positives - tp, tp)]
            if kind == 1:
                cells = [repr(float(cell) / (negatives + positives)) for cell in cells]
            if kind == 4:
                cells = [f"{tnr:.3f}", f"{tpr:.3f}", prior]
            rows.append([name, *([domain] if kind == 2 else []), *cells])
    path.write_text("".join(",".join(row) + "\n" for row in rows))
    return []


def commands(number: int) -> Iterator[tuple[str, list[str]]]:
    """Yield what is run on an input, in the folder where it is, with the file that each writes."""
    if number == 0:
        yield "", errors(Path("errors.csv"))
    reading = table(number, Path("in.csv"))
    of_rates, others = ("f1", "accuracy", "f2", "f0.5", "ppv"), ("f1", "accuracy", "mcc", "log(f2)", "sqrt(tpr*tnr)")
    by = ["--by", (of_rates if number % 5 == 4 else others)[number // 5 % 5]]
    yield "", ["rank", "in.csv", *reading, *by, "--format", "json"]
    if number % 5 == 4:
        yield "", ["rank", "in.csv", *by]
        return
    if number % 5 != 1:
        yield "", ["rank", "in.csv", *reading, *by, "--uncertainty", "--draws", "300", "--format", "json"]
        other = [] if reading else ["--against", "in.csv"]
        models = [*other, "--entity", "m0", "--against-entity", "m1"]
        yield "", ["gate", "in.csv", *reading, *models, "--draws", "300", "--format", "json"]
    yield "card.md", ["report", "in.csv", *reading, "--no-figures", "--draws", "200", "--output", "card.md"]
    yield "page.html", ["explore", "in.csv", *reading, "--draws", "200", "--output", "page.html"]


def write(folder: Path, inputs: int) -> None:
    """Write what the package stores and prints, under the setting of this process."""
    from click.testing import CliRunner

    sys.path.insert(0, str(ROOT))
    from tests.golden.results import results

    from rankscape.cli import main

    (folder / "acts.json").write_text(json.dumps(acts()))
    out = folder / "written"
    out.mkdir()
    now = [f"{number} {way} {held}" for number in range(GOLDEN) for way, held in results(number).items()]
    (out / "arithmetic").write_text(arithmetic())
    (out / "golden").write_text("\n".join(now))
    for number in range(inputs):
        (here := folder / "work").mkdir(exist_ok=True)
        os.chdir(here)
        for place, (file, command) in enumerate(commands(number)):
            done = CliRunner().invoke(main, command, catch_exceptions=False)
            if done.exit_code in (2, 3):
                raise SystemExit(f"input {number}: {' '.join(command)}: {done.output}")
            written = Path(file).read_text("utf-8") if file and done.exit_code == 0 else ""
            text = f"{' '.join(command)}\nstatus {done.exit_code}\n{done.output}\n{written}"
            (out / f"{number:04}-{place}-{command[0]}").write_text(text, "utf-8")


def differing(one: Path, other: Path) -> list[str]:
    """Return the files that two settings wrote differently, each with the first line that shows it."""
    lines = []
    for path in sorted({*(file.name for file in one.iterdir()), *(file.name for file in other.iterdir())}):
        texts = [
            (side / path).read_text("utf-8").splitlines() if (side / path).exists() else [] for side in (one, other)
        ]
        if texts[0] != texts[1]:
            rows = zip(*(text + [""] * (max(map(len, texts)) - len(text)) for text in texts), strict=True)
            row, pair = next((row, pair) for row, pair in enumerate(rows, 1) if pair[0] != pair[1])
            lines.append(f"  {path}, line {row}: {pair[0][:150]!r} and {pair[1][:150]!r}")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=10, help="how many tables are ranked, gated and shown")
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.write:
        write(asked.write, asked.inputs)
        return 0
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        first: Path | None = None
        for place, (name, setting) in enumerate(settings()):
            here = Path(folder, str(place))
            here.mkdir()
            command = [sys.executable, __file__, "--write", str(here), "--inputs", str(asked.inputs)]
            subprocess.run(command, check=True, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"} | setting)
            if first is None:
                first = here
                print(f"{name}: {len(list((here / 'written').iterdir()))} outputs")
                continue
            before, now = (json.loads((side / "acts.json").read_text()) for side in (first, here))
            changed = " and ".join(kind for kind in now if now[kind] != before[kind])
            lines = differing(first / "written", here / "written")
            failed |= bool(lines)
            print(f"{name}: {f'changes {changed}' if changed else 'does not act on this processor'}; "
                  f"{len(lines)} outputs differ", *lines, sep="\n", flush=True)  # fmt: skip
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
