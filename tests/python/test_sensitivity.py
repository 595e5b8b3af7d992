"""Slopes, shares of the variance, and files with studies."""

import csv
import math
import subprocess

import numpy as np
import pytest

import davit


@pytest.fixture
def spring(systems):
    return systems / "mass_spring.xml"


@pytest.fixture
def rise():
    """x = a t + 3 b t^2: at 1 s a + 3 b."""
    s = davit.System("rise", time_step="10 ms", stop="1 s").add("user.Equation", "e")
    for name, value in (("a", 2), ("b", 5)):
        s.inside("e", "Parameter", name=name, value=value)
    return s.inside("e", "State", name="t", der="1").inside("e", "State", name="x", der="a + 6*b*t")


@pytest.mark.parametrize("method", ["auto", "variational", "differences"])
def test_slopes_are_those_of_the_solution(rise, method):
    found = davit.sensitivity(rise, {"end": "final(e.x)", "double": "2*final(e.x)"}, ["e.a", "e.b"], method=method)
    assert found.measures == ["end", "double"] and found.parameters == ["e.a", "e.b"]
    assert found.values == pytest.approx([17, 34], rel=1e-5)
    assert found.slopes == pytest.approx(np.array([[1, 3], [2, 6]]), rel=1e-5)
    assert found.normalized == pytest.approx(np.array([[2 / 17, 15 / 17]] * 2), rel=1e-5)
    assert found["double", "e.b"] == pytest.approx(6, rel=1e-5) and list(found.parameter_values) == [2, 5]
    assert found.method == ("differences" if method == "differences" else "variational") and found.reason == ""


def test_slopes_have_the_numbers_of_the_program(spring, program, tmp_path):
    file = tmp_path / "slopes.csv"
    subprocess.run([program, "sensitivity", spring, "--of", "min(load.x)", "--to", "load.mass", "--to", "damper.coefficient",
                    "-o", file], check=True, capture_output=True)
    rows = list(csv.DictReader(file.open()))
    found = davit.sensitivity(spring, "min(load.x)", ["load.mass", "damper.coefficient"])
    assert [float(row["slope"]) for row in rows] == list(found.slopes[0])
    assert {row["method"] for row in rows} == {found.method} and found.units == ["m"]


def test_shares_of_the_variance_are_those_of_a_sum(rise):
    # Of a + 3 b with uniform a, b: variances 1/12 of the squared widths. A sum has no interactions.
    to = {"e.a": "uniform(0, 6)", "e.b": "uniform(0, 1)"}
    found = davit.sobol(rise, "final(e.x)", to, samples=512, seed=2)
    exact = np.array([36, 9]) / 45
    assert np.all(abs(found.first[0] - exact) < 4 * found.first_error[0] + 0.01)
    assert np.all(abs(found.total[0] - exact) < 4 * found.total_error[0] + 0.01)
    assert found.cases == 4 * 512 and found.mean[0] == pytest.approx(4.5, rel=0.02)
    assert found.deviation[0] == pytest.approx(math.sqrt(45 / 12), rel=0.05)
    again = davit.sobol(rise, "final(e.x)", to, samples=512, seed=2, jobs=1)
    assert np.array_equal(again.first, found.first)


def test_wrong_sensitivities(spring):
    with pytest.raises(davit.InputError, match="did you mean 'mass'"):
        davit.sensitivity(spring, "max(load.x)", "load.mas")
    with pytest.raises(davit.InputError, match="given twice"):
        davit.sensitivity(spring, "max(load.x)", ["load.mass", "load.mass"])
    with pytest.raises(davit.InputError, match="use auto"):
        davit.sensitivity(spring, "max(load.x)", "load.mass", method="newton")
    with pytest.raises(davit.InputError, match="load.y|no variable"):
        davit.sobol(spring, "max(load.y)", {"load.mass": "uniform(5, 6)"}, samples=4)
    with pytest.raises(davit.InputError, match="from 2 to 1000000"):
        davit.sobol(spring, "max(load.x)", {"load.mass": "uniform(5, 6)"}, samples=1)


STUDY = """<Study>
  <Sweep system="{spring}" output="lows.csv" stop="1 s">
    <Vary path="load.mass" values="8:1:12"/> <Measure name="low" expr="min(load.x)"/> <Set path="damper.coefficient" value="8"/>
  </Sweep>
  <Sweep system="{spring}" output="cases.csv" cases="few.csv" stop="1 s"> <Measure name="low" expr="min(load.x)"/> </Sweep>
  <Optimize system="{spring}" stop="1 s" budget="40">
    <Vary path="damper.coefficient" values="1:60"/> <Minimize expr="rms(load.x)"/>
  </Optimize>
  <Fit system="{spring}" data="measured.csv" stop="2 s">
    <Vary path="spring.stiffness" values="200:800"/> <Match path="load.x" column="x"/>
  </Fit>
  <Sensitivity system="{spring}" stop="1 s"> <Of expr="min(load.x)"/> <To path="load.mass"/> </Sensitivity>
  <Sensitivity system="{spring}" stop="1 s" sobol="8" seed="3">
    <Of name="low" expr="min(load.x)"/> <To path="load.mass" values="uniform(8, 12)"/>
  </Sensitivity>
</Study>
"""


def test_a_file_has_what_the_functions_give(spring, tmp_path):
    (tmp_path / "few.csv").write_text("load.mass\n9 kg\n11\n")
    measured = davit.load(spring, set={"spring.stiffness": 420}, stop="2 s").run()
    lines = [f"{t!r},{x!r}" for t, x in zip(measured.time.tolist(), measured["load.x"].tolist())]
    (tmp_path / "measured.csv").write_text("\n".join(["time,x", *lines]) + "\n")
    file = tmp_path / "study.xml"
    file.write_text(STUDY.format(spring=spring))
    table, few, best, found, slopes, shares = davit.study(file, jobs=2)
    assert np.array_equal(table["low"], davit.sweep(spring, {"load.mass": "8:1:12"}, {"low": "min(load.x)"}, stop="1 s",
                                                    set={"damper.coefficient": 8})["low"])
    assert list(few["load.mass"]) == [9, 11]
    assert best.table["case"][-1] <= 40 and "damper.coefficient" in best.values
    assert found["spring.stiffness"] == pytest.approx(420, rel=1e-5)
    assert np.array_equal(slopes.slopes, davit.sensitivity(spring, "min(load.x)", "load.mass", stop="1 s").slopes)
    assert shares.measures == ["low"] and shares.cases == 24
    assert not (tmp_path / "lows.csv").exists()


def test_wrong_files(spring, tmp_path):
    file = tmp_path / "study.xml"
    file.write_text("<Study><Sweep output='a.csv'/></Study>")
    with pytest.raises(davit.InputError, match="study.xml:1: error: .*system"):
        davit.study(file)
    file.write_text(f"<Study>\n<Optimize system='{spring}' budget='many'><Vary path='load.mass' values='1:2'/></Optimize></Study>")
    with pytest.raises(davit.InputError, match="study.xml:2: error: budget"):
        davit.study(file)
    file.write_text(f"<Study><Optimize system='{spring}'><Vary path='load.mass' values='1:2'/></Optimize></Study>")
    with pytest.raises(davit.InputError, match='nothing is minimised; give for example <Minimize expr="rms'):
        davit.study(file)
    with pytest.raises(davit.InputError, match="nothing.xml"):
        davit.study(tmp_path / "nothing.xml")


def test_elementary_effects_of_a_sum_are_its_coefficients(rise):
    found = davit.sensitivity(rise, "final(e.x)", {"e.a": "uniform(0, 6)", "e.b": "uniform(0, 1)"}, morris=4)
    assert found.parameters == ["e.a", "e.b"] and found.cases == 4 * 3
    # Over the whole range: 6 and 3.
    assert found.mu_star[0] == pytest.approx([6, 3], rel=1e-5) and found.sigma[0] == pytest.approx([0, 0], abs=1e-4)


def test_a_parameter_that_is_zero_has_its_slope(rise):
    found = davit.sensitivity(davit.load(rise, set={"e.a": 0}), "final(e.x)", "e.a")
    assert found["final(e.x)", "e.a"] == pytest.approx(1, rel=1e-5) and "e.a is 0" in found.notes[0]
