"""Errors and costs of the schedule and the chart of davit levels by tolerance, as in docs/levels.md.

    ./davit python benchmarks/level_tolerances.py [lift | crane] [TOLERANCE...]

Metrics are the position of the load, a pressure of the cylinder that lifts it and the power of the pump. Errors are the largest
share of a tolerance, costs the evaluations relative to those of the reference, in which all components are at Advanced. The
file itself, with the levels and charts that it has, is the last pair of columns.
"""

import pathlib
import sys
import tempfile
import warnings

import davit
import numpy

SYSTEMS = pathlib.Path(__file__).parents[1] / "systems"
POWER = "pump.p_out*pump.q_out"
STUDIES = {
    "lift": ("lifting_cylinder", {"lift": "load.x", "pressure": "cylinder.p_a", "power": POWER}, {}),
    "crane": ("knuckle_boom_crane", {"tip": "crane.tip_z", "pressure": "boom_cylinder.p_a", "power": POWER},
              {"group": ["boom_*", "knuckle_*", "slew_*", "p*"], "budget": 10}),
}
TOLERANCES = ("10%", "3%", "1%", "0.3%")


def as_given(system, metrics, **level):
    """The curves of the metrics at each communication step, and the evaluations."""
    run = davit.load(system, **level)
    names = sorted({name for text in metrics.values() for name in text.split("*")})
    result = run.run(signals=names, interval=run.time_step)
    times = run.time_step * numpy.arange(1, round(run.stop_time / run.time_step) + 1)
    curves = {name: numpy.interp(times, result.time, result[name]) for name in names}
    return {metric: numpy.prod([curves[name] for name in text.split("*")], axis=0) for metric, text in metrics.items()}, \
        run.statistics()["evaluations"]


def main():
    warnings.simplefilter("ignore", davit.InputWarning)
    names = [name for name in sys.argv[1:] if name in STUDIES] or list(STUDIES)
    tolerances = [text for text in sys.argv[1:] if text not in STUDIES] or TOLERANCES
    for name in names:
        file, metrics, options = STUDIES[name]
        system = SYSTEMS / f"{file}.xml"
        reference, whole = as_given(system, metrics, level={"*": "Advanced"})
        shipped, shipped_cost = as_given(system, metrics)
        errors = {metric: numpy.sqrt(((shipped[metric] - curve) ** 2).mean()) for metric, curve in reference.items()}
        for tolerance in tolerances:
            with tempfile.TemporaryDirectory() as folder:
                found = davit.levels(system, metrics, dict.fromkeys(metrics, tolerance),
                                     output=pathlib.Path(folder) / "levels.scxml", **options)

            def share(error, found=found):
                return f"{max(error[metric] / found.tolerance[metric] for metric in metrics):.2f}" if error else "-"

            print(f"| {name} | {tolerance} | {share(found.predicted_error)} | {share(found.true_error)} | "
                  f"{found.cost / found.reference_cost:.3f} | {share(found.chart_error)} | "
                  f"{found.chart_cost / found.reference_cost:.3f} | {found.runs:.1f} | {share(errors)} | "
                  f"{shipped_cost / whole:.3f} |", flush=True)


if __name__ == "__main__":
    main()
