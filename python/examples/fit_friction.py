"""Fits a friction law to a measured force. What is measured here is made: a run with a law of its own, with noise."""

import pathlib
import sys

import numpy as np

import davit

STICK_SLIP = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "systems") / "stick_slip.xml"
TRUTH = {"friction.kinetic_friction": 0.9, "friction.static_friction": 1.6, "friction.viscous_friction": 0.5}
BOUNDS = {"friction.kinetic_friction": (0.5, 1.3), "friction.static_friction": (1.31, 2.5), "friction.viscous_friction": (0.05, 1.5)}

measured = davit.load(STICK_SLIP, set=TRUTH, stop="20 s").run(signals="spring.force", interval="50 ms")
noise = 0.005 * np.random.default_rng(1).normal(size=len(measured.time))  # [N]
found = davit.fit(STICK_SLIP, BOUNDS, {"spring.force": (measured.time, measured["spring.force"] + noise)}, stop="20 s")

for name, unit, value, error in zip(found.names, found.units, found.values, found.errors):
    print(f"{name:<26} {value:.5f} +- {error:.5f} {unit}, made with {TRUTH[name]}")
    assert abs(value - TRUTH[name]) < 5 * error
print(f"residual {found.rms:.4f} N after {found.runs} runs")
