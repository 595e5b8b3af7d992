"""Predicted against true errors of random schedules of levels, as in docs/levels.md.

    ./davit python benchmarks/level_additivity.py [PICTURE.svg]

The deviations of the probes of `davit levels` are added up for 200 random schedules of the lifting cylinder, and each
schedule runs. In a schedule a random share of the components and windows has a random lower level. Errors are the root mean
square deviation from the run at Advanced, in percent of the range of the signal in that run.
"""

import csv
import pathlib
import subprocess
import sys
import tempfile
import warnings

import davit
import numpy

SYSTEM = pathlib.Path(__file__).parents[1] / "systems" / "lifting_cylinder.xml"
METRICS = {"load.x": "load.x", "cylinder.p_a": "cylinder.p_a"}
SCHEDULES = 200
STEP = 0.01  # s
TIMES = STEP * numpy.arange(1, 5001)


def probes(folder):
    """The deviations by component, level and begin of the window, and the ends of the windows."""
    table = folder / "probes.csv"
    names = {f"m{i}": signal for i, signal in enumerate(METRICS.values())}
    davit.levels(SYSTEM, names, dict.fromkeys(names, "1%"), rounds=0, budget=1, output=table)
    return read(table)


def read(table):
    """What each lower level adds to the deviation of a window, and the ends of the windows."""
    csv.field_size_limit(sys.maxsize)
    together, alone, others, ends = {}, {}, {}, {}
    with open(table, newline="") as file:
        for row in csv.DictReader(file):
            if row["status"] != "done" or not row["around"].startswith("reference "):
                continue
            begin = float(row["begin"])
            ends[begin] = float(row["end"])
            deviation = numpy.reshape([float(value) for value in row["deviation"].split()], (-1, len(METRICS)))
            if row["group"] == "*":
                together[row["level"], begin] = deviation
            else:
                alone[row["group"], row["level"], begin] = deviation
                others[begin] = row["others"]
    for begin, level in others.items():
        zero = numpy.zeros_like(next(iter(deviation for key, deviation in alone.items() if key[2] == begin)))
        for component in {key[0] for key in alone}:
            alone[component, level, begin] = together.get((level, begin), zero)
    found = {(component, level, begin): deviation - alone[component, "Advanced", begin]
             for (component, level, begin), deviation in alone.items() if level != "Advanced"}
    for level, begin in together:
        if begin not in others:  # where it makes no error
            found.update(((component, level, begin), 0 * together[level, begin]) for component in {key[0] for key in alone})
    return found, ends


def run(**choice):
    result = davit.load(SYSTEM, **choice).run(signals=list(METRICS.values()), interval=STEP)
    return numpy.stack([numpy.interp(TIMES, result.time, result[path]) for path in METRICS.values()], axis=1)


def schedule_text(levels):
    """`<At>` for each change of the levels, by component and window."""
    before, lines = {}, []
    for begin in sorted({begin for _, begin in levels}):
        for component in sorted({component for component, _ in levels}):
            level = levels[component, begin]
            if level != before.get(component, "Advanced"):
                lines.append(f'  <At time="{begin!r} s" set="{component}.level" value="{level}"/>')
            before[component] = level
    return "\n".join(["<Schedule>", *lines, "</Schedule>\n"])


def main():
    warnings.simplefilter("ignore", davit.InputWarning)
    random = numpy.random.default_rng(1)
    points = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        effects, ends = probes(folder)
        reference = run(level={"*": "Advanced"})
        scale = numpy.ptp(reference, axis=0) / 100
        components = sorted({component for component, _, _ in effects})
        for _ in range(SCHEDULES):
            share = 10 ** random.uniform(-2.3, 0)
            predicted = numpy.zeros_like(reference)
            levels = {}
            for component in components:
                for begin in sorted(ends):
                    lower = [key[1] for key in effects if (key[0], key[2]) == (component, begin)]
                    is_lower = random.random() < share
                    levels[component, begin] = str(random.choice(lower)) if is_lower and lower else "Advanced"
                    if levels[component, begin] == "Advanced":
                        continue
                    effect = effects[component, levels[component, begin], begin]
                    first = round(begin / STEP)
                    predicted[first : first + len(effect)] += effect
                    predicted[first + len(effect) :] += effect[-1]
            (folder / "schedule.xml").write_text(schedule_text(levels))
            true = run(schedule=folder / "schedule.xml") - reference
            points.append(numpy.sqrt([(deviation**2).mean(axis=0) for deviation in (predicted, true)]) / scale)
    points = numpy.array(points)  # schedule, predicted or true, signal
    points = points[(points[:, 0] > 0).all(axis=1)]  # others lower nothing
    for i, signal in enumerate(METRICS):
        ratio = points[:, 1, i] / points[:, 0, i]
        low, middle, high = numpy.quantile(ratio, [0.05, 0.5, 0.95])
        within = ((ratio > 0.5) & (ratio < 2)).mean()
        print(f"{signal}: true over predicted error: median {middle:.2f}, 5 % {low:.2f}, 95 % {high:.2f}; "
              f"within a factor of 2: {100 * within:.0f} %", flush=True)
    if len(sys.argv) > 1:
        draw(points, sys.argv[1])


def draw(points, picture):
    data = "\n".join(f"$signal{i} << EOD\n" + "\n".join(f"{p[0, i]:.6g} {p[1, i]:.6g}" for p in points) + "\nEOD"
                     for i in range(len(METRICS)))
    plots = ", ".join(f'$signal{i} title "{signal}" pointtype 7 pointsize 0.35' for i, signal in enumerate(METRICS))
    script = f"""{data}
set terminal svg size 640,480 background "white" enhanced font "sans,12"
set output "{picture}"
set logscale
set format "%g"
set xrange [1e-3:1e3]
set yrange [1e-3:1e3]
set size square
set key top left reverse Left noenhanced
set grid
set xlabel "predicted error [% of the range]"
set ylabel "true error [% of the range]"
plot x title "equal" linecolor "gray40", {plots}
"""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


if __name__ == "__main__":
    main()
