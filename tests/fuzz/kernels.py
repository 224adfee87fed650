"""Random calls of every compiled kernel, built with address and undefined-behavior sanitizers, against its NumPy twin.

python tests/fuzz/kernels.py --seed 0 --seconds 20
"""

import argparse
import os
import subprocess
import sys
import sysconfig
import time
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "asan"
FLAGS = "-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g"
INSIDE = "RANKSCAPE_UNDER_SANITIZERS"


def build() -> Path:
    """Compile the kernels with sanitizers, beside those that are installed; only what has changed."""
    tools = ROOT / "build" / "asan-tools"
    if not (tools / "nanobind").is_dir():
        command = [
            sys.executable,
            "-m",
            "pip",
            "--quiet",
            "--disable-pip-version-check",
            "install",
            "--target",
            str(tools),
        ]
        subprocess.run([*command, "nanobind>=2.4", "cmake>=3.26,<5", "ninja"], check=True)
    environment = {**os.environ, "PYTHONPATH": str(tools), "PATH": f"{tools / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    environment.pop("MAKEFLAGS", "")  # of a make above, whose job server ninja cannot reach
    options = [
        "-G", "Ninja", f"-DPython_EXECUTABLE={sys.executable}", f"-Dnanobind_DIR={tools / 'nanobind' / 'cmake'}",
        "-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_CXX_FLAGS={FLAGS}", f"-DCMAKE_MODULE_LINKER_FLAGS={FLAGS}",
    ]  # fmt: skip
    cmake = [str(tools / "bin" / "cmake")]
    for step in (["-S", str(ROOT / "src" / "native"), "-B", str(BUILD), *options], ["--build", str(BUILD)]):
        subprocess.run([*cmake, *step], check=True, env=environment, stdout=subprocess.DEVNULL)
    return BUILD / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"


def under_sanitizers(arguments: list[str]) -> int:
    """Start again, with the library of the sanitizer loaded first, which Python was not linked with."""
    name = ["gcc", "-print-file-name=libasan.so"], ["gcc", "-print-file-name=libstdc++.so"]
    libraries = [subprocess.run(one, check=True, capture_output=True, text=True).stdout.strip() for one in name]
    environment = {
        **os.environ,
        INSIDE: str(build()),
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": "detect_leaks=0,abort_on_error=0,exitcode=1",  # Python itself never frees all
        "UBSAN_OPTIONS": "print_stacktrace=1,halt_on_error=1,exitcode=1",
    }
    return subprocess.run([sys.executable, __file__, *arguments], env=environment, check=False).returncode


def calls(seed: int, seconds: float) -> int:
    """Call kernels until the time is over; return how many calls there were."""
    import numpy as np

    sys.path.insert(0, str(ROOT / "src"))
    spec = spec_from_file_location("rankscape.kernels._native", os.environ[INSIDE])
    if spec is None or spec.loader is None:
        raise SystemExit("the kernels were not built")
    built = module_from_spec(spec)
    spec.loader.exec_module(built)
    from rankscape.kernels import crossings, draws, maps, native, reference
    from rankscape.kernels.grid import Sides

    native.extension = built

    def measures(rng: np.random.Generator, most: int) -> np.ndarray:
        """Integer measures with zeros, ties and one-hot rows, small and large."""
        size = int(rng.choice([1, 2, 5, 100, 2**20, 2**40]))
        rows = rng.integers(0, size, (int(rng.integers(1, most)), 4), endpoint=True)
        rows[rng.random(rows.shape) < 0.2] = 0
        rows[rows.sum(axis=1) == 0, int(rng.integers(4))] = 1
        if rng.random() < 0.4:  # beyond 64 bits: equal up to a factor, or one apart
            factors = [int(factor) ** 3 for factor in rng.integers(1, 2**30, len(rows) if rng.random() < 0.5 else 1)]
            rows = rows.astype(object) * np.array(factors, dtype=object)[:, None]
            return rows + rng.integers(0, 2, rows.shape) * (rows > 0)
        return rows[rng.integers(0, len(rows), len(rows))] if rng.random() < 0.3 else rows

    def inversions(rng: np.random.Generator) -> object:
        return maps.backend.inversions(rng.integers(0, int(rng.choice([1, 3, 50, 2**31])), int(rng.integers(0, 3000))))

    def correlation(rng: np.random.Generator) -> object:
        rows = measures(rng, 60)
        levels = rng.integers(-1, max(1, len(rows)), len(rows))
        kind = maps.tau_b_map if rng.random() < 0.5 else maps.spearman_map
        return kind(rows, levels, int(rng.integers(2, 9)), int(rng.integers(1, 4)))

    def ranks(rng: np.random.Generator) -> object:
        rows = measures(rng, 20).astype(np.float64)
        sizes = rng.integers(1, 4, len(rows))
        sides = Sides(rows, int(rng.integers(2, 12)))
        return maps.rank_at(sides, sizes, int(rng.integers(1, sizes.sum() + 1)), int(rng.integers(1, 4)))

    def values(rng: np.random.Generator) -> object:
        a, b = (rng.random(int(rng.integers(1, 80))).round(int(rng.integers(1, 5))) for _ in range(2))
        with np.errstate(invalid="ignore"):
            return maps.value_maps(rng.dirichlet([0.3] * 4, int(rng.integers(1, 6))), a, b)

    def lines(rng: np.random.Generator) -> object:
        rows = measures(rng, 60)[:, :3]
        rows[rows[:, 2] == 0, 2] = 1
        crossing = crossings.Crossings(crossings.lines_of_integers(rows))
        return crossing.every(), crossing.distinct()

    def inverted(rng: np.random.Generator) -> object:
        found = crossings.backend.inverted_pairs(rng.permutation(int(rng.integers(0, 300))))
        return sorted(zip(*(part.tolist() for part in found), strict=True))

    def firsts(rng: np.random.Generator) -> object:
        rows = measures(rng, 12)
        several = np.stack([rng.permutation(rows) for _ in range(int(rng.integers(1, 8)))])
        several = several.astype(np.float64) if several.dtype == object else several
        chosen = several if rng.random() < 0.5 else several / several.sum(axis=-1, keepdims=True)
        return draws.first_counts(chosen, int(rng.integers(2, 12)), int(rng.integers(1, 4)))

    kernels = (firsts, inversions, correlation, ranks, values, lines, inverted)

    def same(one: object, two: object) -> bool:
        if isinstance(one, tuple) and isinstance(two, tuple):
            return len(one) == len(two) and all(map(same, one, two))
        if isinstance(one, np.ndarray):
            return np.array_equal(one, two, equal_nan=one.dtype.kind == "f")
        return one == two

    end, number = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        for kernel in kernels:
            answers = []
            for module in (native, reference):
                maps.backend = crossings.backend = draws.backend = module
                answers.append(kernel(np.random.default_rng([seed, number])))
            if not same(*answers):
                one, two = answers
                print(
                    f"{kernel.__name__}, seed [{seed}, {number}]:\ncompiled {one!r}\ntwin     {two!r}", file=sys.stderr
                )
                raise SystemExit(1)
            number += 1
    return number


def main() -> int:
    """Run as a program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    if INSIDE not in os.environ:
        return under_sanitizers(sys.argv[1:])
    print(f"kernels: {calls(options.seed, options.seconds)} calls, no difference")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
