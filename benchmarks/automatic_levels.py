"""Error and cost of automatic levels against those that stay, as in docs/levels.md.

    ./davit python benchmarks/automatic_levels.py [SYSTEM...]

The error of a signal is its mean deviation over time from the run at Advanced, in percent of its range there; of the signals
that the file records, the median and the worst. The cost is the evaluations relative to those at Advanced. A run is given up
when it has cost MOST times those or SLOW times the processor time; what it had cost by then is printed. With systems named, only
these are measured.
"""

import pathlib
import sys
import time
import warnings

import davit
import numpy

SYSTEMS = pathlib.Path(__file__).parents[1] / "systems"
NAMES = ("lifting_cylinder cylinder_test operated_lift knuckle_boom_crane hydrostatic_transmission spool_types load_holding "
         "paired_cylinders two_pumps laboratory_crane pick_and_place accumulators electric_winch pump_characteristics "
         "oil_cooling wheel_loader a_frame forestry_crane excavator stewart_platform").split()
MOST, SLOW = 10, 15
PARTS = 200  # after each it is seen what a run has cost


class Run:
    """A run at a level, of all signals that the file records."""

    def __init__(self, name, level, most=None, slow=None, **options):
        system = davit.load(SYSTEMS / f"{name}.xml", level={"*": level}, **options)
        begin, parts = time.process_time(), []
        for end in numpy.linspace(0, system.stop_time, PARTS + 1)[1:]:
            parts.append(system.run(until=end))
            self.evaluations = system.statistics()["evaluations"]
            self.seconds = time.process_time() - begin
            if system.is_finished or (most and (self.evaluations > most or self.seconds > slow)):
                break
        self.is_whole = system.is_finished
        self.switches = system.statistics()["level_switches"]
        self.options = parts[0].options
        # A part begins with the row that ended the one before.
        self.times = numpy.concatenate([parts[0].time, *(part.time[1:] for part in parts[1:])])
        self.curves = {path: numpy.concatenate([parts[0][path], *(part[path][1:] for part in parts[1:])])
                       for path in parts[0].units}


def errors(run, reference):
    """In percent, by signal; levels and other options left out."""
    found = {}
    for path, values in reference.curves.items():
        if path in reference.options or not numpy.ptp(values) > 0:
            continue
        deviation = numpy.interp(reference.times, run.times, run.curves[path]) - values
        found[path] = 100 * numpy.abs(deviation).mean() / numpy.ptp(values)
    return found


def text(error):
    return f"{error:.0f}" if error >= 10 else f"{error:.2g}" if error >= 0.005 else "0"


def measure(name):
    """A line of the first table."""
    reference = Run(name, "Advanced")
    cells = []
    for level in ("Ideal", "Standard", "automatic"):
        run = Run(name, level, MOST * reference.evaluations, SLOW * reference.seconds)
        cost = run.evaluations / reference.evaluations
        if not run.is_whole:
            cells.append(f"- | more than {cost:.1f}")
            continue
        of = errors(run, reference)
        worst = max(of, key=of.get)
        cells.append(f"{text(numpy.median(list(of.values())))}, {text(of[worst])} | {cost:.2f}")
        last = f"{worst if of[worst] >= 0.005 else '-'} | {run.switches}"
    return f"| {name} | {' | '.join(cells)} | {last if run.is_whole else '- | -'} |"


def main():
    warnings.simplefilter("ignore", davit.InputWarning)
    for name in sys.argv[1:] or NAMES:
        print(measure(name), flush=True)
    if sys.argv[1:]:
        return
    reference = Run("lifting_cylinder", "Advanced")
    for tolerance in (0.002, 0.01, 0.02, 0.05, 0.1):
        run = Run("lifting_cylinder", "automatic", set={"SimulatorManager.level_tolerance": tolerance})
        of = errors(run, reference)
        shown = " | ".join(text(of[path]) for path in ("load.x", "cylinder.p_a", "pump.p_out"))
        print(f"| {tolerance} | {shown} | {run.evaluations / reference.evaluations:.2f} | {run.switches} |", flush=True)


if __name__ == "__main__":
    main()
