"""Linear models, sweeps, optimisation, fits."""

import csv
import inspect
import json
import math
import os
import signal
import subprocess
import threading

import numpy as np
import pytest

import davit

# The oscillation of systems/mass_spring.xml.
M, C, K = 10, 6, 394.784


@pytest.fixture
def spring(systems):
    return systems / "mass_spring.xml"


def test_a_linear_model_has_the_eigenvalues_of_the_equations(spring):
    linear = davit.linearize(spring, outputs="load.x")
    exact = np.roots([M, C, K])
    found = linear.eigenvalues[np.argsort(linear.eigenvalues.imag)]
    # The matrices are differences with an error that the model states.
    assert np.abs(found - exact[np.argsort(exact.imag)]).max() < 1e-6 * abs(exact[0])
    assert linear.A.shape == (len(linear.states),) * 2 and linear.C.shape == (1, len(linear.states))
    assert linear.outputs == ["load.x"] and linear.units["load.x"] == "m" and linear.delays == []


def test_a_linear_model_is_that_of_the_program(systems, program, tmp_path):
    file = tmp_path / "linear.json"
    subprocess.run([program, "linearize", systems / "lifting_cylinder.xml", "--at", "4 s", "--inputs", "operator.amplitude",
                    "-o", file], check=True, capture_output=True)
    expected = json.loads(file.read_text())
    linear = davit.linearize(systems / "lifting_cylinder.xml", at="4 s", inputs="operator.amplitude")
    assert linear.states == [one if isinstance(one, str) else one["name"] for one in expected["states"]]
    for name in "ABCD":
        assert np.array_equal(getattr(linear, name), np.array(expected[name]).reshape(getattr(linear, name).shape))
    s = davit.load(systems / "lifting_cylinder.xml")
    s.run(until=4)
    of_run = davit.linearize(s, inputs="operator.amplitude")
    assert np.array_equal(of_run.A, linear.A) and of_run.time == 4
    s.step()  # the run goes on


def test_the_response_at_rest_is_the_static_gain(spring):
    linear = davit.linearize(spring, inputs="load.weight", outputs="load.x")
    gain = linear.response([1e-9, 1.0])
    assert gain.shape == (2, 1, 1)
    assert abs(abs(gain[0, 0, 0]) * K - 1) < 1e-6  # x = F/k
    s = 2j * math.pi
    assert abs(abs(gain[1, 0, 0]) * abs(M * s * s + C * s + K) - 1) < 1e-6


def test_a_sweep_is_that_of_the_program(spring, program, tmp_path):
    file = tmp_path / "table.csv"
    subprocess.run([program, "sweep", spring, "--stop", "2 s", "--vary", "load.mass=8:1:12", "--vary",
                    "damper.coefficient=3,6", "--measure", "low=min(load.x)", "-o", file], check=True, capture_output=True)
    rows = list(csv.DictReader(file.open()))
    table = davit.sweep(spring, {"load.mass": "8:1:12", "damper.coefficient": [3, 6]},
                        {"low": "min(load.x)", "own": lambda r: r["load.x"].min()}, stop="2 s", signals="load.x", jobs=2)
    assert len(table["case"]) == 10 and table.units["low"] == "m" and table.units["load.mass"] == "kg"
    assert list(table)[:4] == ["case", "load.mass", "damper.coefficient", "low"]
    assert [float(row["low"]) for row in rows] == list(table["low"])
    # Measures see all step points, and so does the function.
    assert np.array_equal(table["own"], table["low"])
    assert set(table["status"]) == {"done"} and table.rows()[0]["load.mass"] == 8


def test_samples_do_not_depend_on_jobs(spring):
    def study(jobs):
        return davit.sweep(spring, {"load.mass": "normal(10, 1)"}, {"low": "min(load.x)"}, samples=6, seed=3, jobs=jobs,
                           stop=1)
    assert np.array_equal(study(1)["low"], study(2)["low"])


def test_a_case_that_fails_is_a_row(spring):
    table = davit.sweep(spring, {"load.mass": [10, 5]}, {"t": "crossing(load.x, 1 m)"}, stop=1)
    assert np.isnan(table["t"]).all() and "never crosses" in table["message"][0]


@pytest.mark.parametrize("kind", ["expression", "function"])
def test_an_optimum_is_the_analytic_one(spring, kind):
    # x(0.5 s) is smallest where the half period is 0.5 s: the undamped peak of a light damper.
    vary = {"spring.stiffness": (200, 600)}
    goal = "at(load.x, 0.5 s)" if kind == "expression" else lambda r: float(np.interp(0.5, r.time, r["load.x"]))
    best = davit.optimize(spring, vary, minimize=goal, signals="load.x", set={"damper.coefficient": 0}, stop="0.6 s")
    exact = M * (2 * math.pi) ** 2
    # x'' there is 4 pi^2 0.1 m: a share of 1e-4 of the bounds' distance ends the search.
    assert abs(best.values["spring.stiffness"] - exact) < 1e-2 * exact
    assert abs(best.objective + 0.1) < 1e-5 and best.is_feasible and best.at_bound == []
    assert best.objective == np.nanmin(best.table["objective"])
    assert best.front == [int(best.table["case"][np.nanargmin(best.table["objective"])])]


def test_constraints_and_maxima(spring):
    best = davit.optimize(spring, {"damper.coefficient": (1, 60)}, maximize="final(load.x)", subject_to="min(load.x) >= -0.05 m",
                          stop="1 s", budget=60)
    assert best.is_feasible
    assert davit.load(spring, set=best.values, stop=1).run()["load.x"].min() >= -0.05 - 1e-6
    with pytest.raises(davit.InputError, match="same dimension"):
        davit.optimize(spring, {"damper.coefficient": (1, 60)}, minimize="final(load.x)", subject_to="min(load.x) >= 3 kg")


def test_a_fit_finds_what_made_the_data(spring):
    truth = {"spring.stiffness": 420.0, "damper.coefficient": 9.0}
    r = davit.load(spring, set=truth, stop="3 s").run()
    found = davit.fit(spring, {"spring.stiffness": (200, 800), "damper.coefficient": (1, 30)},
                      {"load.x": (r.time, r["load.x"])}, stop="3 s")
    assert found.is_converged and found.names == list(truth)
    for path, value in truth.items():
        assert abs(found[path] / value - 1) < 1e-5
    assert found.correlation.shape == (2, 2) and found.units == ["N/m", "N.s/m"] and found.rms < 1e-7
    again = davit.fit(spring, {"spring.stiffness": "200:800", "damper.coefficient": "1:30"}, r, match={"load.x": "load.x"},
                      stop="3 s")
    assert np.array_equal(again.values, found.values)


def test_wrong_studies(spring):
    with pytest.raises(davit.InputError, match="did you mean 'mass'"):
        davit.sweep(spring, {"load.mas": [1]}, {"a": "max(load.x)"})
    with pytest.raises(davit.InputError, match="load.y|no variable"):
        davit.sweep(spring, {"load.mass": [1]}, {"a": "max(load.y)"})
    with pytest.raises(davit.InputError, match="nelder-mead"):
        davit.optimize(spring, {"load.mass": (1, 2)}, minimize="max(load.x)", method="newton")
    with pytest.raises(davit.InputError, match="the run is from"):
        davit.fit(spring, {"load.mass": (1, 20)}, {"load.x": ([0, 1, 99], [0, 1, 2])})
    with pytest.raises(davit.InputError, match="one value for each time"):
        davit.fit(spring, {"load.mass": (1, 20)}, {"load.x": ([0, 1], [0, 1, 2])})


def test_what_an_objective_raises_comes_out(spring):
    def broken(result):
        return result["load.nothing"]

    with pytest.raises(KeyError, match="load.nothing"):
        davit.sweep(spring, {"load.mass": [1, 2, 3]}, {"a": broken}, jobs=2)
    with pytest.raises(KeyError, match="load.nothing"):
        davit.optimize(spring, {"load.mass": (1, 2)}, minimize=broken)


def test_ctrl_c_ends_a_study(spring):
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        davit.sweep(spring, {"load.mass": "1:0.0001:20"}, {"a": "max(load.x)"})


@pytest.mark.parametrize("kind", ["sweep", "optimize", "fit", "sensitivity", "levels"])
def test_options_are_those_of_the_declaration(kind):
    function = getattr(davit, kind)
    has = {**inspect.signature(davit.Simulation.__init__).parameters, **inspect.signature(function).parameters}
    for option in davit._core.study_options(kind):
        assert option["name"] in has
        if option["name"] not in ("set", "level", "at", "stop", "steady"):  # of load()
            assert f"{option['name']}: " in function.__doc__ and option["text"] in function.__doc__


def test_a_fit_has_several_experiments_and_a_loss(spring):
    # One stiffness, two masses.
    runs = [davit.load(spring, set={"spring.stiffness": 420, "load.mass": mass}, stop="2 s").run() for mass in (9, 12)]
    found = davit.fit(spring, {"spring.stiffness": (200, 800)}, runs, match={"load.x": "load.x"},
                      per_data={"load.mass": [9, 12]}, loss="huber", stop="2 s")
    assert found["spring.stiffness"] == pytest.approx(420, rel=1e-5) and found.is_converged
    with pytest.raises(davit.InputError, match="did you mean 'huber'"):
        davit.fit(spring, {"spring.stiffness": (200, 800)}, runs, match={"load.x": "load.x"}, loss="hubber")


def test_a_sweep_writes_and_continues_a_table(spring, tmp_path):
    file = tmp_path / "table.csv"
    study = dict(vary={"load.mass": "8:1:12"}, measure={"low": "min(load.x)"}, output=file, stop="1 s")
    whole = davit.sweep(spring, **study)
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:3]))
    again = davit.sweep(spring, **study, resume=True)
    assert list(again["low"]) == list(whole["low"])
    # The rows that were there are not run again: their time is the one of the first run.
    assert list(again["wall_s"][:2]) == list(whole["wall_s"][:2]) and len(file.read_text().splitlines()) == 6


def test_levels_stay_within_their_tolerance(systems):
    found = davit.levels(systems / "lifting_cylinder.xml", {"lift": "load.x"}, {"lift": "2%"}, stop="6 s", windows="1 s", rounds=1)
    assert found.is_within and found.true_error["lift"] <= found.tolerance["lift"]
    assert found.cost < found.reference_cost and len(found.starts) == 6
    assert len(found.levels) == len(found.groups) == 5 and {"Ideal", "Standard", "Advanced"}.issuperset(sum(found.levels, []))


def test_faults_have_a_row_each_with_what_detects_them(systems):
    table = davit.faults(systems / "load_holding.xml", ["hose_a.burst", "port_a.burst"], {"sinks": "load.v lt -20 mm/s"},
                         at="6 s", window="0.9 s")
    assert list(table["fault"]) == ["hose_a.burst", "port_a.burst"] and list(table["status"]) == ["done", "done"]
    # The counterbalance valve holds the load against a burst before it, not behind it.
    assert list(table["sinks"]) == [0, 1]
    with pytest.raises(davit.InputError, match="did you mean 'burst'"):
        davit.faults(systems / "load_holding.xml", "hose_a.bursts")
