#!/usr/bin/env python3
"""Measures OpenBLAS on the products that `go test -bench Mul ./internal/gemm` measures.

Needs NumPy and a libopenblas of the system:

    OPENBLAS_CORETYPE=SkylakeX OPENBLAS_NUM_THREADS=2 /usr/bin/python3 docs/engine-openblas.py

Without a core type OpenBLAS may not know the processor, and take its slowest kernels: the first line of the
output says which. Those two variables are set so unless they are set before.

It prints the median of warm calls to cblas_sgemm, through ctypes, in GFLOP/s. With --against PROGRAM, the
test program that `go test -c -o PROGRAM ./internal/gemm` builds, it measures both in turns, some rounds, and
prints the medians of the rounds and their ratio: on a machine that does other things too, no other
comparison says much.
"""
import argparse
import ctypes
import ctypes.util
import os
import re
import statistics
import subprocess
import time

# Before NumPy, which may load the library too.
os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "2")
import numpy as np

# m, k, n, whether a and b lie transposed (N or T), whether the product is added to dst: as benchShapes has them.
SHAPES = [
    (1024, 1024, 1024, "NN", False),
    (2048, 2048, 2048, "NN", False),
    (20, 200, 800, "NN", False),
    (20, 650, 2600, "NN", False),
    (400, 200, 10000, "NN", False),
    (200, 400, 10000, "TN", False),
    (400, 10000, 200, "NT", False),
    (700, 650, 10000, "NN", False),
    (20, 800, 200, "NT", False),
    (20, 2600, 650, "NT", False),
    (200, 20, 800, "TN", True),
    (650, 20, 2600, "TN", True),
    (1, 650, 2600, "NN", False),
    (4, 650, 2600, "NN", False),
    (8, 650, 2600, "NN", False),
    (1, 2600, 650, "NT", False),
    (8, 2600, 650, "NT", False),
    (1024, 32, 32, "NN", False),
]


def name(shape):
    m, k, n, kind, _ = shape
    return f"{m}x{k}x{n}-{kind}"


class OpenBLAS:
    ROW_MAJOR, PLAIN, TRANSPOSED = 101, 111, 112

    def __init__(self):
        path = ctypes.util.find_library("openblas")
        if path is None:
            raise SystemExit("no libopenblas found: install libopenblas0")
        self.lib = ctypes.CDLL(path)
        self.lib.openblas_get_corename.restype = ctypes.c_char_p

    def __str__(self):
        core = self.lib.openblas_get_corename().decode()
        return f"OpenBLAS for {core}, {self.lib.openblas_get_num_threads()} threads"

    def product(self, shape):
        """A function that computes the product once."""
        m, k, n, kind, add = shape
        rng = np.random.default_rng(1)
        a, b, c = (rng.random(size, dtype=np.float32) for size in (m * k, k * n, m * n))
        order = {"N": self.PLAIN, "T": self.TRANSPOSED}
        lda, ldb = (m if kind[0] == "T" else k), (k if kind[1] == "T" else n)
        pointer = ctypes.POINTER(ctypes.c_float)
        args = (self.ROW_MAJOR, order[kind[0]], order[kind[1]], m, n, k, ctypes.c_float(1), a.ctypes.data_as(pointer), lda,
                b.ctypes.data_as(pointer), ldb, ctypes.c_float(add), c.ctypes.data_as(pointer), n)

        def call(keep=(a, b, c)):
            self.lib.cblas_sgemm(*args)

        return call


def measure(call, shape, seconds):
    """The median of calls in GFLOP/s."""
    call()
    times, end = [], time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    m, k, n = shape[:3]
    return 2 * m * k * n / statistics.median(times) / 1e9


def measure_ours(program, shape, seconds):
    """The same of the Go test program, which prints the median of its calls."""
    time.sleep(0.3)  # OpenBLAS's threads look for work for a while, and would take the processors from ours
    out = subprocess.run([program, "-test.run", "^$", "-test.bench", f"^BenchmarkMul$/^{name(shape)}$",
                          "-test.benchtime", f"{seconds}s"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"([\d.e+]+) median-GFLOP/s", out)
    if found is None:
        raise SystemExit(f"{program} printed no result for {name(shape)}:\n{out}")
    return float(found[1])


def main():
    options = argparse.ArgumentParser(description="measure OpenBLAS on the products of internal/gemm's benchmarks")
    options.add_argument("--against", metavar="PROGRAM", help="the test program of internal/gemm, measured in turns")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seconds", type=float, default=0.2, help="of each measurement")
    options.add_argument("--shapes", default="", help="only the products whose name has this in it")
    o = options.parse_args()
    blas = OpenBLAS()
    print(blas)
    for shape in (s for s in SHAPES if o.shapes in name(s)):
        call, theirs, ours = blas.product(shape), [], []
        for _ in range(o.rounds):
            theirs.append(measure(call, shape, o.seconds))
            if o.against:
                ours.append(measure_ours(o.against, shape, o.seconds))
        line = f"{name(shape):20} OpenBLAS {statistics.median(theirs):6.1f} GFLOP/s"
        if o.against:
            ratio = statistics.median(x / y for x, y in zip(ours, theirs))
            line += f"   gemm {statistics.median(ours):6.1f}   ratio {ratio:.2f}   best {max(theirs):6.1f} {max(ours):6.1f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
