"""Error and cost of automatic levels against those that stay, as in docs/levels.md.

    ./davit python benchmarks/automatic_levels.py

The error of a signal is its mean deviation over time from the run at Advanced, in percent of its range there; of the signals
that the file records, the median and the worst. The cost is the evaluations relative to those at Advanced. A run that costs
more than MOST of them is given up.
"""

import pathlib
import warnings

import davit
import numpy

SYSTEMS = pathlib.Path(__file__).parents[1] / "systems"
NAMES = ("lifting_cylinder cylinder_test operated_lift knuckle_boom_crane hydrostatic_transmission spool_types load_holding "
         "paired_cylinders two_pumps laboratory_crane accumulators electric_winch pump_characteristics oil_cooling "
         "wheel_loader a_frame forestry_crane excavator stewart_platform").split()
MOST = 4


def run(name, level, **options):
    system = davit.load(SYSTEMS / f"{name}.xml", level={"*": level}, **options)
    return system.run(), system.statistics()


def costs_more(name, level, evaluations):
    system = davit.load(SYSTEMS / f"{name}.xml", level={"*": level})
    system.initialize()
    while not system.is_finished and system.statistics()["evaluations"] <= evaluations:
        system.step()
    return not system.is_finished


def errors(result, reference):
    """In percent, by signal; levels and other options left out."""
    found = {}
    for path in reference.units:
        values = reference[path]
        if path in reference.options or not numpy.ptp(values) > 0:
            continue
        deviation = numpy.interp(reference.time, result.time, result[path]) - values
        found[path] = 100 * numpy.abs(deviation).mean() / numpy.ptp(values)
    return found


def text(error):
    return f"{error:.0f}" if error >= 10 else f"{error:.2g}" if error >= 0.005 else "0"


def main():
    warnings.simplefilter("ignore", davit.InputWarning)
    for name in NAMES:
        reference, cost = run(name, "Advanced")
        cells = []
        for level in ("Ideal", "Standard", "automatic"):
            if costs_more(name, level, MOST * cost["evaluations"]):
                cells.append(f"- | more than {MOST}")
                continue
            result, statistics = run(name, level)
            of = errors(result, reference)
            worst = max(of, key=of.get)
            cells.append(f"{text(numpy.median(list(of.values())))}, {text(of[worst])} | "
                         f"{statistics['evaluations'] / cost['evaluations']:.2f}")
        print(f"| {name} | {' | '.join(cells)} | {worst if of[worst] >= 0.005 else '-'} | {statistics['level_switches']} |",
              flush=True)
    reference, cost = run("lifting_cylinder", "Advanced")
    for tolerance in (0.002, 0.01, 0.02, 0.05, 0.1):
        result, statistics = run("lifting_cylinder", "automatic", set={"SimulatorManager.level_tolerance": tolerance})
        of = errors(result, reference)
        shown = " | ".join(text(of[path]) for path in ("load.x", "cylinder.p_a", "pump.p_out"))
        print(f"| {tolerance} | {shown} | {statistics['evaluations'] / cost['evaluations']:.2f} | {statistics['level_switches']} |")


if __name__ == "__main__":
    main()
