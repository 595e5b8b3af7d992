"""A chart learnt on one lift, used on others, as in docs/levels.md.

    ./davit python benchmarks/level_chart.py [TOLERANCE...]

The chart of `davit levels` is found on the lift of systems/lifting_cylinder.xml and then chooses the levels of other
manoeuvres. The error is the root mean square deviation from the run at Advanced, over the tolerance, which is a percentage
of the range of the signal in that run. The cost is the evaluations relative to those at Advanced.
"""

import pathlib
import sys
import tempfile
import warnings

import davit
import numpy

SYSTEM = pathlib.Path(__file__).parents[1] / "systems" / "lifting_cylinder.xml"
METRICS = {"lift": "load.x", "pressure": "cylinder.p_a"}
MANOEUVRES = {
    "as learnt": {},
    "load of 5 t": {"set": {"load.mass": "5 t", "load.weight": "49.05 kN"}},
    "slower lever": {"set": {"operator.amplitude": 0.6, "operator.frequency": "0.7 rad/s"}},
    "from 0.4 m": {"set": {"cylinder.x": "0.4 m"}},
}


def run(options, **choice):
    system = davit.load(SYSTEM, stop="50 s", **options, **choice)
    result = system.run(signals=list(METRICS.values()), interval=0.01)
    # Two rows at a switch: one of each time.
    times = numpy.arange(0, 50.005, 0.01)
    return {path: numpy.interp(times, result.time, result[path]) for path in METRICS.values()}, system.statistics()


def main():
    warnings.simplefilter("ignore", davit.InputWarning)
    for tolerance in sys.argv[1:] or ("10%", "3%", "1%"):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "levels.scxml"
            found = davit.levels(SYSTEM, METRICS, dict.fromkeys(METRICS, tolerance), stop="50 s", output=file)
            print(f"{found.cost / found.reference_cost:.2f} scheduled, {found.chart_cost / found.reference_cost:.2f} by the chart")
            for name, options in MANOEUVRES.items():
                reference, cost = run(options, level={"*": "Advanced"})
                curves, statistics = run(options, level_chart=file)
                shares = []
                for path, values in reference.items():
                    error = numpy.sqrt(numpy.mean((curves[path] - values) ** 2))
                    shares.append(f"{error / (float(tolerance[:-1]) / 100 * numpy.ptp(values)):.2f}")
                print(f"| {tolerance} | {name} | {' | '.join(shares)} | "
                      f"{statistics['evaluations'] / cost['evaluations']:.2f} | {statistics['level_switches']} |", flush=True)


if __name__ == "__main__":
    main()
