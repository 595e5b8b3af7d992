"""Systems that are built in Python, and components that are written in it."""

import math
import pickle

import numpy as np
import pytest

import davit


class Oscillator(davit.Component):
    """m x'' = F - c x' - k x."""

    F = davit.Input("N", "Force")
    m = davit.Parameter("kg", "Mass", default=10, low=1e-3)
    k = davit.Parameter("N/m", default=394.784)
    c = davit.Parameter("N.s/m", default=6)
    x = davit.State("m", start=0.1)
    v = davit.State("m/s")
    energy = davit.Output("J")

    def derivatives(self, t):
        self.energy = self.m * self.v**2 / 2 + self.k * self.x**2 / 2
        return self.v, (self.F - self.c * self.v - self.k * self.x) / self.m


class Integrator(davit.Component):
    """A discrete integrator with a limit."""

    u = davit.Input()
    limit = davit.Parameter(default=1)
    y = davit.Output()

    def __init__(self):
        self.sum = 0.0
        self.times = []

    def step(self):
        self.sum = min(self.sum + 0.01 * self.u, self.limit)
        self.times.append(self.time)
        self.y = self.sum


class Faulty(davit.Component):
    u = davit.Input()
    x = davit.State()

    def derivatives(self, t):
        if t > 0.5:
            return 1 / self.u
        return 1.0


def oscillator(**parameters):
    s = davit.System("oscillator", time_step="10 ms", stop="2 s")
    s.integration(solver="ODE", method="runge_kutta_dopri5", rtol=1e-9, atol=1e-11)
    s.add(Oscillator, "mass", **parameters)
    return s.record("mass.*", interval="10 ms")


def lift():
    s = davit.System("lift", time_step="1 ms", stop="1 s")
    s.add("mechanical.Fixed", "wall").add("mechanical.Spring", "spring", stiffness="394.784 N/m")
    s.add("mechanical.Mass", "load", mass=10, start={"x": "0.1 m"})
    s.connect("wall.port", "spring.a").connect("spring.b", "load.a")
    return s.record("load.x", interval=0.01)


def test_a_system_is_built_like_a_file(tmp_path):
    s = lift().at("0.5 s", {"load.mass": "11 kg"})
    file = tmp_path / "lift.xml"
    file.write_text(s.to_xml())
    of_file, built = davit.load(file).run(), s.run()
    assert np.array_equal(of_file["load.x"], built["load.x"])
    omega = 2 * math.pi
    assert abs(built["load.x"][50] - 0.1 * math.cos(omega * 0.5)) < 1e-5
    assert s.load(set={"load.mass": "12 kg"})["load.mass"] == 12


def test_a_built_system_is_checked():
    with pytest.raises(davit.InputError, match="did you mean 'mass'") as wrong:
        lift().add("mechanical.Mass", "other", mas=1).connect("other.a", "spring.c").load()
    assert {fault.path for fault in wrong.value.faults} >= {"/other"} and len(wrong.value.faults) >= 2
    with pytest.raises(davit.InputError, match="no component"):
        lift().inside("nothing", "Start", x=1)


def test_a_built_system_is_cloned_pickled_and_studied():
    s = lift().load()
    s.initialize()
    s.step()
    twin, other = s.clone(), pickle.loads(pickle.dumps(s))
    for one in s, twin, other:
        one.step()
    assert s["load.x"] == twin["load.x"] == other["load.x"]
    table = davit.sweep(lift(), {"load.mass": [9, 10]}, {"low": "min(load.x)"})
    assert list(table["status"]) == ["done", "done"]


def test_derivatives_in_python_have_the_analytic_solution():
    r = oscillator().run()
    decay, omega0 = 6 / 20, math.sqrt(394.784 / 10)
    omega = math.sqrt(omega0**2 - decay**2)
    x = 0.1 * np.exp(-decay * r.time) * (np.cos(omega * r.time) + decay / omega * np.sin(omega * r.time))
    assert np.abs(r["mass.x"] - x).max() < 1e-7 * 0.1 * 10
    assert np.allclose(r["mass.energy"], 5 * r["mass.v"]**2 + 394.784 / 2 * r["mass.x"]**2, rtol=1e-12)
    assert r.units["mass.energy"] == "J"
    assert any("slower" in event.text for event in r.events)


def test_parameters_have_units_ranges_and_values():
    s = oscillator(m="20 kg").load(set={"mass.k": "2 N/m"})
    assert s["mass.m"] == 20 and s["mass.k"] == 2
    item = s.components["mass"].parameters["m"]
    assert (item.unit, item.text, item.default) == ("kg", "Mass", 10) and item.range[0] == 1e-3
    with pytest.raises(davit.InputError, match="kg is needed"):
        oscillator(m="20 m").load()
    with pytest.raises(davit.InputError, match="out of range"):
        oscillator(m=0).load()
    s.initialize()
    s["mass.F"] = 5
    s.step()
    assert s["mass.F"] == 5


def controller(source="1", **more):
    s = davit.System("control", time_step="10 ms", stop="1 s")
    s.add("signal.Constant", "one", value=source)
    s.add(Integrator, "sum", **more).route("one.y", "sum.u")
    return s.record("sum.y", interval="10 ms")


def test_a_step_is_taken_at_each_step_point():
    s = controller().load()
    r = s.run()
    # The sum of n + 1 steps stands at the step point n + 1, in the order in which Python adds.
    y, expected = 0.0, [0.0]
    for _ in range(100):
        y += 0.01
        expected.append(min(y, 1.0))
    assert np.array_equal(r["sum.y"], expected)
    assert np.array_equal(s.run()["sum.y"], expected)  # each run begins anew
    assert controller(limit=0.5).run()["sum.y"].max() == 0.5


def test_what_a_component_remembers_is_in_snapshots():
    s = controller().load()
    s.initialize()
    for _ in range(10):
        s.step()
    twin, snapshot = s.clone(), s.save_state()
    for _ in range(10):
        s.step(), twin.step()
    assert s["sum.y"] == twin["sum.y"] and s["sum.y"] == pytest.approx(0.2)
    s.load_state(snapshot)
    assert s["sum.y"] == pytest.approx(0.1)


def test_faults_name_the_line_of_python():
    s = davit.System("faulty", time_step="10 ms", stop="1 s").add(Faulty, "bad").load()
    with pytest.raises(davit.SimulationError) as failed:
        s.run()
    line = Faulty.derivatives.__code__.co_firstlineno + 2
    assert f"{__file__}:{line}: in derivatives: ZeroDivisionError" in str(failed.value)
    assert failed.value.path == "/bad" and 0.5 < failed.value.time <= 1


def test_wrong_classes_are_told_of_while_the_system_is_loaded():
    def load(**members):
        cls = type("Wrong", (davit.Component,), members)
        return davit.System().add(cls, "c").load()

    with pytest.raises(davit.InputError, match="neither derivatives"):
        load()
    with pytest.raises(davit.InputError, match="has states, but no derivatives"):
        load(x=davit.State(), step=lambda self: None)
    with pytest.raises(davit.InputError, match="unknown unit 'mm/sekunde'"):
        load(u=davit.Input("mm/sekunde"), step=lambda self: None)
    with pytest.raises(davit.InputError, match="no item can have the name 'solver'"):
        load(solver=davit.Input(), step=lambda self: None)
    with pytest.raises(davit.InputError, match="No module named 'nothing_at_all'"):
        davit.System().add("python.Component", "c", **{"class": "nothing_at_all:C"}).load()
    with pytest.raises(davit.InputError, match="class is missing"):
        davit.System().add("python.Component", "c").load()
    s = load(x=davit.State(), y=davit.State(), derivatives=lambda self, t: 1.0)
    with pytest.raises(davit.SimulationError, match="returns 1 value; return one for each state: x, y"):
        s.run()
    s = load(y=davit.Output(), step=lambda self: setattr(self, "y", "text"))
    with pytest.raises(davit.SimulationError, match="must be real number"):
        s.run()


def test_python_components_run_on_several_threads():
    s = davit.System("two", time_step="10 ms", stop="0.2 s").add(Oscillator, "a").add(Oscillator, "b", m=20)
    assert s.load(threads=2).run(signals="*")["b.x"].tolist() == s.load().run(signals="*")["b.x"].tolist()
