"""Steps eight cranes together with a policy made by hand: it raises the boom to an angle and calms the load."""

import pathlib
import re
import sys

import numpy as np

import davit

FILE = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "systems") / "laboratory_crane.xml"
# The policy moves the levers in place of the tables of the file.
CRANE = davit.SystemText(re.sub(r'<Route from="(boom|knuckle)_lever\.y"[^>]*/>', "", FILE.read_text()), str(FILE))
GOAL = np.radians(40)


def reward(observation, action):
    """Near the goal, with little effort."""
    return -((observation[..., 0] - GOAL) ** 2) - 0.01 * (action**2).sum(axis=-1)


def sea(simulation, random):
    """Each episode has a sea of its own."""
    simulation["heave.response"] = random.uniform(0.1, 0.5)


cranes = davit.VectorEnvironment(
    CRANE, 8, actions={"boom_dcv.spool": (-1, 1), "knuckle_dcv.spool": (-1, 1)},
    observations=["crane.q1", "crane.q1.ddt", "crane.load_z"], reward=reward, step="100 ms", duration="5 s", randomize=sea)

observations, _ = cranes.reset(seed=1)
total, ended = np.zeros(8), np.zeros(8, dtype=bool)
while not ended.all():
    boom = 3 * (GOAL - observations[:, 0]) - 0.5 * observations[:, 1]
    actions = np.stack([boom, np.zeros(8)], axis=1)  # brought within the bounds
    observations, rewards, terminated, truncated, infos = cranes.step(actions)
    total += rewards * ~ended
    ended |= terminated | truncated

last = infos["final_observation"]
angles = np.degrees(last[:, 0])
print("boom angles [deg]:", " ".join(f"{angle:.3f}" for angle in angles))
print("loads at [m]:", " ".join(f"{height:.3f}" for height in last[:, 2]))
print("returns:", " ".join(f"{one:.3f}" for one in total))
assert np.all(np.abs(angles - 40) < 1)
