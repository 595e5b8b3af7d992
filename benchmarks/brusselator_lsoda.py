#!/usr/bin/env python3
"""The Brusselator of brusselator_benchmark.cc with LSODA of SciPy, with its banded Jacobian, beside davit.

    python3 benchmarks/brusselator_lsoda.py [--davit build/release/bin/davit] [N ...]

For each N: time, steps or evaluations of both, and the largest difference of the values at t = 10. davit runs one
user.Equation with arrays, method ida; both have rtol and atol 1e-6. The time of davit is that of the run without
loading. Without SciPy it says so and measures davit alone.
"""

import argparse
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time

try:
    import numpy
    import scipy.integrate
except ImportError:
    scipy = None

SYSTEM = """<System name="brusselator">
  <SimulatorManager TimeStep="1 s" StopTime="10 s">
    <Integration solver="ODE" method="ida" rtol="1e-6" atol="1e-6"/>
  </SimulatorManager>
  <user.Equation name="b"><Parameter name="k" value="{k}"/>
    <State name="u" size="{n}" start="1 + sin(2*pi*(i+1)/({n}+1))" before="1" after="1"
           der="1 + u[i]*u[i]*v[i] - 4*u[i] + k*(u[i-1] - 2*u[i] + u[i+1])"/>
    <State name="v" size="{n}" start="3" before="3" after="3"
           der="3*u[i] - u[i]*u[i]*v[i] + k*(v[i-1] - 2*v[i] + v[i+1])"/>
  </user.Equation>
  <Record signals="b.*" times="10 s"/>
</System>
"""


def run_davit(davit, n, k):
    """The end values u_1, v_1, u_2, v_2 ..., and the summary of the run."""
    with tempfile.TemporaryDirectory() as folder:
        system = pathlib.Path(folder) / "brusselator.xml"
        system.write_text(SYSTEM.format(n=n, k=repr(k)))
        result = system.with_suffix(".csv")
        summary = system.with_suffix(".json")
        subprocess.run([davit, "run", system, "-o", result, "--summary", summary, "--quiet"], check=True)
        with open(result, newline="") as file:
            rows = list(csv.reader(file))
        last = dict(zip(rows[0], rows[-1]))
        values = [float(last[f"b.{name}[{i}]"]) for i in range(n) for name in "uv"]
        return values, json.loads(summary.read_text())


def run_lsoda(n, k):
    """The end values in the same order, seconds, and the number of evaluations."""
    y0 = numpy.empty(2 * n)
    y0[0::2] = 1 + numpy.sin(2 * math.pi * numpy.arange(1, n + 1) / (n + 1))
    y0[1::2] = 3

    def derivatives(_t, y):
        u, v = y[0::2], y[1::2]
        around_u = numpy.concatenate(([1.0], u, [1.0]))
        around_v = numpy.concatenate(([3.0], v, [3.0]))
        reaction = u * u * v
        ddt = numpy.empty_like(y)
        ddt[0::2] = 1 + reaction - 4 * u + k * (around_u[:-2] - 2 * u + around_u[2:])
        ddt[1::2] = 3 * u - reaction + k * (around_v[:-2] - 2 * v + around_v[2:])
        return ddt

    begin = time.perf_counter()
    solution = scipy.integrate.solve_ivp(
        derivatives, (0, 10), y0, method="LSODA", rtol=1e-6, atol=1e-6, lband=2, uband=2, t_eval=[10])
    seconds = time.perf_counter() - begin
    if not solution.success:
        sys.exit(f"LSODA failed: {solution.message}")
    return solution.y[:, -1], seconds, solution.nfev


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--davit", default=pathlib.Path(__file__).parents[1] / "build/release/bin/davit")
    parser.add_argument("n", nargs="*", type=int, default=[50, 500, 2000, 10_000])
    options = parser.parse_args()
    if scipy is None:
        print("SciPy is not installed (Debian: python3-scipy): davit alone", file=sys.stderr)
    print("N,davit_s,davit_evaluations,lsoda_s,lsoda_evaluations,ratio,largest_difference")
    for n in options.n:
        k = (n + 1) ** 2 / 50
        values, summary = run_davit(options.davit, n, k)
        row = [n, f"{summary['wall_s']:.4g}", summary["evaluations"]]
        if scipy is not None:
            expected, seconds, evaluations = run_lsoda(n, k)
            difference = max(abs(a - b) for a, b in zip(values, expected))
            row += [f"{seconds:.4g}", evaluations, f"{summary['wall_s'] / seconds:.3g}", f"{difference:.2g}"]
        print(*row, sep=",")


if __name__ == "__main__":
    main()
