"""Frequency responses that are measured, and spectra of results."""

import csv
import math
import os
import signal
import subprocess
import threading

import numpy as np
import pytest

import davit

M, C, K = 10.0, 6.0, 394.784  # of systems/mass_spring.xml


@pytest.fixture
def spring(systems):
    return systems / "mass_spring.xml"


def test_a_measured_response_is_that_of_the_equation(spring):
    # Periods of 100, 50 and 25 TimeSteps; the input is held for a TimeStep, and its own amplitude is measured with it.
    found = davit.frequency_response(spring, "load.weight", ["load.x", "load.v"], ("1 Hz", "4 Hz"), amplitude="10 N", points=3)
    s = 2j * math.pi * found.frequency
    exact = -1 / (M * s * s + C * s + K)  # the weight acts downwards
    assert found.outputs == ["load.x", "load.v"] and found.gain.shape == found.coherence.shape == (3, 2)
    assert found.frequency == pytest.approx([1, 2, 4])
    assert np.all(abs(found.gain[:, 0] / exact - 1) < 0.02)
    assert np.all(abs(found.gain[:, 1] / found.gain[:, 0] / s - 1) < 0.02)
    assert np.all(found.coherence > 0.99) and np.all(found.distortion < 0.05)
    assert np.allclose(abs(found.gain) * np.exp(1j * np.radians(found.phase)), found.gain)


def test_a_measured_response_has_the_numbers_of_the_program(spring, program, tmp_path):
    file = tmp_path / "response.csv"
    subprocess.run([program, "frequency", spring, "--input", "load.weight", "--output", "load.x", "--from", "1 Hz", "--to",
                    "4 Hz", "--points", "2", "--amplitude", "10 N", "--set", "damper.coefficient=60", "-o", file], check=True,
                   capture_output=True)
    rows = list(csv.DictReader(file.open()))
    for source, options in ((spring, {"set": {"damper.coefficient": 60}}),
                            (davit.load(spring, set={"damper.coefficient": 60}), {}),
                            (davit.SystemText(spring.read_text(), str(spring)), {"set": {"damper.coefficient": 60}})):
        found = davit.frequency_response(source, "load.weight", "load.x", (1, 4), amplitude=10, points=2, **options)
        assert [float(row["frequency"]) for row in rows] == list(found.frequency)
        assert [float(row["load.x.gain"]) for row in rows] == [abs(gain) for gain in found.gain[:, 0].tolist()]
        assert [float(row["load.x.coherence"]) for row in rows] == list(found.coherence[:, 0])


def test_wrong_measurements(spring):
    with pytest.raises(davit.InputError, match="no variable|weigh"):
        davit.frequency_response(spring, "load.weigh", "load.x", (1, 2), amplitude=1)
    with pytest.raises(davit.InputError, match="higher frequency last"):
        davit.frequency_response(spring, "load.weight", "load.x", (2, 1), amplitude=1)
    with pytest.raises(davit.InputError, match="above 0"):
        davit.frequency_response(spring, "load.weight", "load.x", (1, 2), amplitude=0)


def test_ctrl_c_ends_a_measurement(spring):
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        davit.frequency_response(spring, "load.weight", "load.x", (0.5, 10), amplitude=1, points=1000)


DT, COUNT = 0.01, 1000


def result(tmp_path, **columns):
    file = tmp_path / "signals.csv"
    t = DT * np.arange(COUNT)
    with file.open("w") as out:
        out.write(",".join(["time", *columns]) + "\n")
        for row in zip(t, *columns.values()):
            out.write(",".join(repr(float(one)) for one in row) + "\n")
    return davit.read(file)


def test_amplitudes_are_those_of_the_sines(tmp_path):
    t = DT * np.arange(COUNT)
    r = result(tmp_path, y=0.5 + 3 * np.sin(2 * math.pi * 4 * t) + 0.2 * np.cos(2 * math.pi * 11 * t))
    lines = davit.spectrum(r, "y", window="rectangular")
    exact = np.zeros(COUNT // 2 + 1)
    exact[[0, 40, 110]] = 0.5, 3, 0.2  # lines are 0.1 Hz apart
    assert lines.frequency == pytest.approx(0.1 * np.arange(COUNT // 2 + 1))
    assert np.max(abs(lines["y"] - exact)) < 1e-9 and not lines.is_resampled and lines.coherence == {}


def test_a_density_has_the_variance_as_integral(tmp_path):
    noise = np.random.default_rng(1).normal(size=COUNT)
    r = result(tmp_path, y=noise)
    lines = davit.spectrum(r, ["y"], density=True, segment="1 s")
    # Of white noise; the variance of the estimate falls with the number of stretches (19 here, overlapping by half).
    assert np.sum(lines["y"]) * lines.frequency[1] == pytest.approx(noise.var(), rel=0.15)


def test_a_transfer_function_is_that_between_signals(tmp_path):
    u = np.random.default_rng(2).normal(size=COUNT)
    r = result(tmp_path, u=u, y=-2.5 * u, z=np.random.default_rng(3).normal(size=COUNT))
    lines = davit.spectrum(r, ["y", "z"], over="u", segment=1)
    assert np.allclose(lines["y"][1:], -2.5, rtol=1e-9) and np.allclose(lines.coherence["y"][1:], 1, rtol=1e-9)
    assert np.median(lines.coherence["z"]) < 0.3  # nothing but chance


def test_a_spectrum_has_the_numbers_of_the_program(tmp_path, spring, program):
    run, table = tmp_path / "run.csv", tmp_path / "lines.csv"
    subprocess.run([program, "run", spring, "-o", run], check=True, capture_output=True)
    subprocess.run([program, "spectrum", run, "load.x", "--begin", "1 s", "-o", table], check=True, capture_output=True)
    rows = list(csv.DictReader(table.open()))
    lines = davit.spectrum(davit.read(run), "load.x", begin="1 s")
    assert [float(row["frequency"]) for row in rows] == list(lines.frequency)
    assert [float(row["load.x"]) for row in rows] == list(lines["load.x"])


def test_wrong_spectra(tmp_path):
    r = result(tmp_path, y=np.ones(COUNT), hole=np.where(np.arange(COUNT) == 5, np.nan, 1))
    with pytest.raises(KeyError):
        davit.spectrum(r, "x")
    with pytest.raises(davit.InputError, match="there are rectangular, hann"):
        davit.spectrum(r, "y", window="hat")
    with pytest.raises(davit.InputError, match="at least 8"):
        davit.spectrum(r, "y", begin=9.99)
    with pytest.raises(davit.InputError, match="whole span"):
        davit.spectrum(r, "y", density=True, segment="100 s")
    with pytest.raises(davit.InputError, match="not finite"):
        davit.spectrum(r, "hole")
    with pytest.raises(davit.InputError, match="leave out"):
        davit.spectrum(r, "y", over="y", density=True)
