"""The schedule and chart of davit levels against all levels that never change, as in docs/levels.md.

    ./davit python benchmarks/fixed_levels.py

The lifting cylinder has 5 components with 3 levels each: 243 assignments. For each tolerance the cheapest one within it is
compared with the result of the study, for two metrics and for three. Costs are the evaluations relative to those at Advanced.
"""

import itertools
import pathlib
import tempfile
import warnings

import davit
import numpy

SYSTEM = pathlib.Path(__file__).parents[1] / "systems" / "lifting_cylinder.xml"
COMPONENTS = ("pump", "pipe", "dcv", "cbv", "cylinder")
LEVELS = ("Ideal", "Standard", "Advanced")
METRICS = {"lift": "load.x", "pressure": "cylinder.p_a", "power": "pump.p_out*pump.q_out"}
TIMES = numpy.arange(0, 50.005, 0.01)


def run(levels):
    system = davit.load(SYSTEM, level=dict(zip(COMPONENTS, levels)))
    result = system.run(signals=["load.x", "cylinder.p_a", "pump.p_out", "pump.q_out"], interval=0.01)
    x, p_a, p, q = (numpy.interp(TIMES, result.time, result[path])[1:] for path in result.units)
    return numpy.array([x, p_a, p * q]), system.statistics()["evaluations"]


def main():
    warnings.simplefilter("ignore", davit.InputWarning)
    reference, whole = run(["Advanced"] * len(COMPONENTS))
    scale = numpy.ptp(reference, axis=1)
    fixed = []
    for levels in itertools.product(LEVELS, repeat=len(COMPONENTS)):
        curves, cost = run(levels)
        fixed.append((cost / whole, numpy.sqrt(((curves - reference) ** 2).mean(axis=1)) / scale, levels))
    fixed.sort(key=lambda one: one[0])
    for metrics in (list(METRICS)[:2], list(METRICS)):
        for tolerance in ("10%", "3%", "1%", "0.3%"):
            share = float(tolerance[:-1]) / 100
            cost, error, levels = next(one for one in fixed if (one[1][: len(metrics)] <= share).all())
            with tempfile.TemporaryDirectory() as folder:
                found = davit.levels(SYSTEM, {name: METRICS[name] for name in metrics}, dict.fromkeys(metrics, tolerance),
                                     output=pathlib.Path(folder) / "levels.scxml")
            names = " ".join(f"{name}={level}" for name, level in zip(COMPONENTS, levels) if level != "Ideal")
            print(f"| {len(metrics)} | {tolerance} | {cost:.3f} | {names} | {found.cost / found.reference_cost:.3f} | "
                  f"{found.chart_cost / found.reference_cost:.3f} | {found.runs:.0f} |", flush=True)


if __name__ == "__main__":
    main()
