"""Stepping, values, snapshots, forks, Ctrl-C."""

import os
import pickle
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import davit


@pytest.fixture
def lift(systems):
    return davit.load(systems / "lifting_cylinder.xml")


def everything(s):
    """All numbers of a system."""
    paths = [item.path for c in s.components.values() for item in c.items.values() if item.kind in ("state", "output")]
    return s.read(s.handles(paths))


def test_stepping_has_the_bits_of_a_run(systems, lift):
    other = davit.load(systems / "lifting_cylinder.xml")
    r = other.run(until="6 s")
    lift.initialize()
    while lift.time < 6:
        lift.step()
    assert lift.time == other.time == r.time[-1] == 6
    assert np.array_equal(everything(lift), everything(other))
    assert lift["load.x"] == r["load.x"][-1]


def test_values_have_units_names_and_kinds(lift):
    lift["load.mass"] = "8 t"
    assert lift["load.mass"] == 8000 and lift.text("load.mass") == "8000 kg"
    lift["load.mass"] = 9000
    assert lift["load.mass"] == 9000
    assert lift["cylinder.level"] == lift.level("cylinder") == "Ideal"
    lift.initialize()
    lift.level("cylinder", "Advanced")
    lift.step()
    assert lift.level("cylinder") == "Advanced"
    lift.level("*", "Standard")
    lift.step()
    assert {c.level for c in lift.components.values() if c.levels} == {"Standard"}
    with pytest.raises(davit.InputError, match="no option|level"):
        lift.level("cylinder", "Advancd")
    with pytest.raises(davit.InputError, match="matches no component"):
        lift.level("*nothing*", "Ideal")
    with pytest.raises(davit.InputError, match="nothing"):
        lift["nothing.bore"] = 1


def test_outputs_and_derivatives_follow_what_is_written(systems):
    s = davit.load(systems / "mass_spring.xml")
    s.initialize()
    s["load.x"] = 0.5  # the spring of 394.784 N/m pulls back: m v' = -k x, m = 10 kg
    assert s["spring.force"] == pytest.approx(-394.784 * 0.5, rel=1e-12)
    assert s["load.v.ddt"] == pytest.approx(-39.4784 * 0.5, rel=1e-12)
    s["spring.stiffness"] = 200
    assert s.read(s.handles(["load.v.ddt"]))[0] == pytest.approx(-20 * 0.5, rel=1e-12)
    twin = s.clone()
    s.step(), twin.step()  # whether somebody has read makes no difference
    assert np.array_equal(everything(s), everything(twin))


def test_handles_read_and_write(lift, systems):
    h = lift.handles(["load.mass", "pump.speed", "load.x"])
    assert len(h) == 3 and h.paths == ["load.mass", "pump.speed", "load.x"] and h.units == ["kg", "rad/s", "m"]
    assert h.writable == [True, True, True]
    out = np.empty(3)
    assert lift.read(h, out) is out and out[0] == 10000
    inputs = lift.handles(["load.mass", "pump.speed"])
    lift.write(inputs, np.array([8000.0, 150.0]))
    assert list(lift.read(inputs)) == [8000, 150]
    lift.write(inputs, ["9 t", 140])
    assert list(lift.read(inputs)) == [9000, 140]
    with pytest.raises(davit.InputError, match="2 items|for 2"):
        lift.write(inputs, np.array([1.0]))
    with pytest.raises(davit.InputError):
        lift.write(inputs, np.array([-1.0, 100.0]))  # a mass below 0: nothing is written
    assert list(lift.read(inputs)) == [9000, 140]
    with pytest.raises(davit.InputError, match="float64"):
        lift.read(h, np.empty(3, dtype=np.float32))
    with pytest.raises(davit.InputError):
        lift.read(h, np.empty(2))
    with pytest.raises(davit.InputError, match="written"):
        frozen = np.empty(3)
        frozen.flags.writeable = False
        lift.read(h, frozen)
    with pytest.raises(davit.InputError, match="(?s)nothing.*neither|no component"):
        lift.handles(["nothing.x", "neither.x"])
    with pytest.raises(davit.InputError, match="another simulation"):
        davit.load(systems / "lifting_cylinder.xml").read(h)


def test_order_of_calls(lift):
    with pytest.raises(davit.StateError, match="initialize"):
        lift.step()
    with pytest.raises(davit.StateError, match="initialize"):
        lift.save_state()
    with pytest.raises(davit.StateError, match="initialize"):
        lift.send("operator", "lift")
    assert not lift.is_initialized and lift.time_step == 0.01 and lift.stop_time == 50


def test_events_to_charts(systems):
    s = davit.load(systems / "operated_lift.xml")
    s.initialize()
    before = s.components["operator"].active_states
    s.send("operator", "start")
    for _ in range(300):
        s.step()
    assert s.components["operator"].active_states != before
    s.event("stop")
    with pytest.raises(davit.InputError, match="operator"):
        s.send("operator", "strat")
    with pytest.raises(davit.InputError):
        s.send("operatr", "start")


def test_advance_inside_of_a_step(systems):
    s = davit.load(systems / "mass_spring.xml")
    s.initialize()
    s.advance("3.7 ms")
    assert s.time == 0.0037
    s.step()
    assert s.time == 0.01


@pytest.mark.parametrize("name", ["lifting_cylinder.xml", "operated_lift.xml", "bouncing_ball.xml", "algebraic_loop.xml"])
def test_snapshots_and_clones_continue_bit_for_bit(systems, name):
    s = davit.load(systems / name)
    s.initialize()
    for _ in range(20):
        s.step()
    twin = s.clone()
    snapshot = s.save_state()
    assert isinstance(snapshot, bytes)
    other = davit.load(systems / name)
    other.load_state(pickle.loads(pickle.dumps(snapshot)))
    third = pickle.loads(pickle.dumps(s))
    for _ in range(20):
        for one in s, twin, other, third:
            one.step()
    assert everything(s).tobytes() == everything(twin).tobytes() == everything(other).tobytes()
    assert everything(s).tobytes() == everything(third).tobytes()
    s.load_state(snapshot)
    assert s.time == pytest.approx(20 * s.time_step, rel=1e-12)


def test_a_wrong_snapshot_is_refused(systems, lift):
    lift.initialize()
    with pytest.raises(davit.InputError):
        lift.load_state(b"nonsense")
    with pytest.raises(davit.InputError):
        davit.load(systems / "mass_spring.xml").load_state(lift.save_state())


def test_ctrl_c_ends_a_run_which_can_continue(systems):
    s = davit.load(systems / "knuckle_boom_crane.xml", stop="10000 s")
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        s.run()
    assert 0 < s.time < 10000
    r = s.result
    assert len(r.time) > 0 and r.time[-1] <= s.time
    t = s.time
    s.step()
    assert s.time > t


def test_a_fork_is_told(lift):
    lift.initialize()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            lift.step()
        except davit.ForkError as told:
            code = 0 if "fork" in str(told) else 2
        except BaseException:
            code = 3
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    lift.step()


def test_systems_come_and_go_with_flat_memory(systems):
    # In a process of its own: the peak of its memory is looked at.
    code = """
import resource, sys, davit
def make(n):
    for _ in range(n):
        s = davit.load(sys.argv[1])
        s.initialize(); s.step(); s.read(s.handles(["load.x"]))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
first = make(500)
last = make(4500)
print(first, last)
sys.exit(0 if last < 1.05 * first else 1)
"""
    done = subprocess.run([sys.executable, "-c", code, str(systems / "mass_spring.xml")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
