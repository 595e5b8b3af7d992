"""Tunes the slow controller of a position servo: the load shall be soon where the reference jumps to, and the spool calm."""

import pathlib
import sys

import numpy as np

import davit

SERVO = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "systems") / "position_servo.xml"
SIGNALS = ["load.x", "spool.y"]
SLOW = {"controller.gain": 4, "prefilter.time_constant": "0.3 s"}


def cost(r: davit.Result) -> float:
    """Mean square of the error times the time [m2 s2], and a share of that of the spool's speed [1/s2]."""
    error = 0.7 - r["load.x"]
    speed = np.diff(r["spool.y"]) / np.diff(r.time)
    return float(np.mean((r.time * error) ** 2) + 1e-5 * np.mean(speed**2))


before = davit.load(SERVO, stop="1.5 s", set=SLOW).run(signals=SIGNALS, interval=0)
best = davit.optimize(SERVO, {"controller.gain": "3:40 log", "prefilter.time_constant": ("20 ms", "400 ms")}, minimize=cost,
                      signals=SIGNALS, stop="1.5 s", set=SLOW, method="bobyqa", tolerance=1e-3, budget=60)
after = davit.load(SERVO, stop="1.5 s", set=best.values).run(signals=SIGNALS, interval=0)

for path, value in best.values.items():
    print(f"{path:<26} {value:.4g} {best.table.units[path]}")
print(f"{'cost before and after':<26} {cost(before):.4g} {cost(after):.4g} in {len(best.table['case'])} runs")
assert cost(after) == best.objective < cost(before)
