"""Linear models: matrices, responses, modes, zeros, margins, loci, steps."""

import math
import pickle
import subprocess

import numpy as np
import pytest

import davit

M, C, K = 10.0, 6.0, 394.784  # of systems/mass_spring.xml


@pytest.fixture
def spring(systems):
    return systems / "mass_spring.xml"


@pytest.fixture
def oscillator(spring):
    """From load.weight, which acts downwards, to load.x: -1/(M s^2 + C s + K), to load.v: s times that."""
    return davit.linearize(spring, inputs="load.weight", outputs=["load.x", "load.v"])


@pytest.fixture
def lag():
    """4/(s + 1)^3 by three lags."""
    s = davit.System("lag", time_step="10 ms", stop="1 s").add("user.Equation", "e")
    s.inside("e", "Input", name="u")
    for name, der in (("a", "-a + 4*u"), ("b", "-b + a"), ("c", "-c + b")):
        s.inside("e", "State", name=name, der=der)
    return davit.linearize(s, inputs="e.u", outputs="e.c")


def oscillator_at(s):
    return -1 / (M * s * s + C * s + K)


def test_modes_are_those_of_the_closed_form(oscillator):
    mode, = oscillator.modes()
    assert mode.frequency == pytest.approx(math.sqrt(K / M) / (2 * math.pi), rel=1e-9)
    assert mode.damping == pytest.approx(C / (2 * math.sqrt(K * M)), rel=1e-9)
    assert mode.time_constant == pytest.approx(2 * M / C, rel=1e-9)
    assert mode.eigenvalue.imag > 0 and abs(mode.eigenvalue - oscillator.eigenvalues[0]) < 1e-12 * abs(mode.eigenvalue)
    assert set(mode.participation) == set(oscillator.states) and sum(mode.participation.values()) == pytest.approx(1)


def test_zeros_and_static_gain(oscillator):
    assert len(oscillator.zeros(output="load.x")) == 0
    assert list(oscillator.zeros("load.weight", "load.v")) == [0]
    assert oscillator.static_gain(output="load.x") == pytest.approx(-1 / K, rel=1e-9)
    assert abs(oscillator.static_gain(output=1)) < 1e-12


def test_margins_are_those_of_the_closed_form(lag):
    margins = lag.margins()
    # The phase -3 atan(w) is -180 degrees at w = sqrt 3, where the gain is 4/8; the gain is 1 at w^2 = 4^(2/3) - 1.
    assert margins.gain == pytest.approx(2, rel=1e-6)
    assert margins.gain_frequency == pytest.approx(math.sqrt(3) / (2 * math.pi), rel=1e-6)
    w = math.sqrt(4 ** (2 / 3) - 1)
    assert margins.phase == pytest.approx(180 - 3 * math.degrees(math.atan(w)), rel=1e-6)
    assert margins.phase_frequency == pytest.approx(w / (2 * math.pi), rel=1e-6)


def test_bode_and_nyquist_are_the_response(oscillator):
    f = np.geomspace(0.01, 50, 40)
    exact = oscillator_at(2j * math.pi * f)
    nyquist = oscillator.nyquist(output="load.x", frequency=f)
    assert np.allclose(nyquist.response, exact, rtol=1e-9, atol=0)
    assert np.allclose(nyquist.response, oscillator.response(f)[:, 0, 0], rtol=1e-9, atol=0)
    bode = oscillator.bode(output="load.x", frequency=f)
    assert np.array_equal(bode.frequency, f) and np.allclose(bode.gain, abs(exact), rtol=1e-9, atol=0)
    assert np.allclose(np.exp(1j * np.radians(bode.phase)), exact / abs(exact), atol=1e-9)
    assert np.all(abs(np.diff(bode.phase)) < 180)
    # Without frequencies: around all that the model does, a decade beyond.
    whole = oscillator.bode(output="load.x")
    assert len(whole.frequency) == 600 and whole.frequency[0] <= 0.1 and whole.frequency[-1] >= 10
    assert np.array_equal(whole.frequency, oscillator.frequencies())


def test_a_root_locus_is_that_of_the_closed_form(lag):
    # The loop with u = -k y: (s + 1)^3 = -4 k.
    gains = np.linspace(0, 3, 31)
    locus = lag.root_locus(gains)
    assert locus.shape == (31, 3)
    for k, roots in zip(gains, locus):
        # A triple eigenvalue moves by the cube root of rounding.
        assert np.all(abs((roots + 1) ** 3 + 4 * k) < 1e-9 * (1 + 4 * k)) or k == 0
    # At the gain margin a pair is on the axis.
    at_margin = lag.root_locus(lag.margins().gain)[0]
    assert sorted(abs(at_margin.real))[:2] == pytest.approx([0, 0], abs=1e-6)
    # A column follows one eigenvalue: it moves by no more than the distance between neighbours.
    assert np.max(abs(np.diff(locus[1:], axis=0))) < 0.3
    assert np.allclose(sorted(lag.root_locus([0])[0].real), [-1, -1, -1], atol=1e-4)


def test_a_step_is_that_of_the_closed_form(lag, oscillator):
    time, outputs = lag.step_response(duration=10, points=101)
    exact = 4 * (1 - np.exp(-time) * (1 + time + time ** 2 / 2))
    assert time[-1] == 10 and np.max(abs(outputs["e.c"] - exact)) < 1e-9
    end = oscillator.step_response().outputs["load.x"][-1]
    assert end == pytest.approx(-1 / K, rel=0.02)  # five time constants


def test_delays_are_exact_in_responses_and_approximated_elsewhere(systems):
    model = davit.linearize(systems / "water_hammer.xml")
    assert model.delays and len(model.without_delays(2).states) > len(model.states)
    closed = model.without_delays(6)
    assert not closed.delays and closed.A.shape == (len(closed.states),) * 2
    f = 0.05 / max(model.delay_times)  # far below what the approximant resolves
    assert np.allclose(closed.response(f), model.response(f), rtol=1e-6, atol=1e-9 * np.max(abs(model.response(f))))
    assert set(closed.operating_point) >= set(model.operating_point)


def test_zeros_and_margins_are_those_of_the_program(systems, program, lag, tmp_path):
    lines = subprocess.run([program, "linearize", systems / "mass_spring.xml", "--inputs", "load.weight", "--outputs", "load.x"],
                           check=True, capture_output=True, text=True).stdout
    model = davit.linearize(systems / "mass_spring.xml", inputs="load.weight", outputs="load.x")
    margins = model.margins()
    assert f"static gain {model.static_gain():.6g}" in lines and "zeros none" in lines
    assert (margins.phase is None) == ("phase margin" not in lines)
    assert (margins.gain is None) == ("gain margin" not in lines)


def test_ends_are_paths_or_places(oscillator, spring):
    assert np.array_equal(oscillator.zeros(0, 1), oscillator.zeros("load.weight", "load.v"))
    for wrong in ("load.y", 2, -1, None):
        with pytest.raises(davit.InputError, match="the model has load.x, load.v"):
            oscillator.zeros(output=wrong)
    with pytest.raises(davit.InputError, match="above 0"):
        oscillator.step_response(duration=0)


def test_a_model_is_repeated_by_pickle(oscillator):
    copy = pickle.loads(pickle.dumps(oscillator))
    assert repr(copy) == repr(oscillator) and np.array_equal(copy.A, oscillator.A)
    assert copy.margins(output=0) == oscillator.margins(output=0)
