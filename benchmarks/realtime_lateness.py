#!/usr/bin/env python3
"""Lateness of a paced run next to cyclictest (package rt-tests), at the same time, under whatever load the machine has.

    python3 benchmarks/realtime_lateness.py build/release/bin/davit [SECONDS] [TURNS] [SYSTEM]

The system (default: mass_spring, whose steps are short) runs at TimeStep 1 ms with fs 1 kHz; cyclictest has one thread
of the same period and priority. Each has a processor for itself; they exchange them with each turn. Run it as root, or
with the limits that docs/running.md#real-time names.
"""

import concurrent.futures
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

SHARES = {"p50": 0.5, "p99": 0.99, "p999": 0.999}
SYSTEMS = pathlib.Path(__file__).parent.parent / "systems"


def of_davit(davit, system, seconds, processor):
    with tempfile.NamedTemporaryFile(suffix=".json") as summary:
        subprocess.run(["taskset", "-c", str(processor), davit, "run", SYSTEMS / f"{system}.xml", "--realtime", "--stop", f"{seconds} s", "--quiet", "--set",
                        "SimulatorManager.TimeStep=1 ms", "--set", "SimulatorManager.fs=1 kHz", "--summary",
                        summary.name], check=True)
        run = json.load(open(summary.name))
    lateness = run["lateness"]
    print(f"  steps: 99.9 % in {1e6 * run['step_duration']['p999_s']:.0f} us, {run['missed_periods']} periods missed")
    return {name: 1e6 * lateness[f"{name}_s"] for name in [*SHARES, "max"]}


def of_cyclictest(seconds, processor):
    shown = subprocess.run(["cyclictest", "-q", "-a", str(processor), "-m", "-p", "80", "-i", "1000", "-t", "1", "-D", str(seconds),
                            "-h", "100000"], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in shown.splitlines() if line and line[0].isdigit()]
    counts = [(int(row[0]), int(row[1])) for row in rows]
    total = sum(count for _, count in counts)
    found = {"max": max(us for us, count in counts if count)}
    for name, share in SHARES.items():
        seen = 0
        for us, count in counts:
            seen += count
            if seen >= share * total:
                found[name] = us + 1  # it counts whole microseconds
                break
    return found


def main():
    davit = sys.argv[1]
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    turns = int(sys.argv[3]) if len(sys.argv) > 3 else 4
    system = sys.argv[4] if len(sys.argv) > 4 else "mass_spring"
    ratios = []
    for turn in range(turns):
        with concurrent.futures.ThreadPoolExecutor() as pool:
            other = pool.submit(of_cyclictest, seconds, 1 - turn % 2)
            ours = of_davit(davit, system, seconds, turn % 2)
            theirs = other.result()
        for name, found in (("davit", ours), ("cyclictest", theirs)):
            print(f"{turn} {name:10} " + ", ".join(f"{key} {found[key]:.0f} us" for key in [*SHARES, "max"]))
        ratios.append(ours["p999"] / theirs["p999"])
    print("ratio of the 99.9 % quantiles: " + ", ".join(f"{ratio:.2f}" for ratio in ratios)
          + f"; median {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
