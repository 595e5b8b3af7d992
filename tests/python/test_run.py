"""Loading, running, results, faults."""

import copy as copy_module
import html.parser
import math
import multiprocessing
import pickle
import subprocess

import numpy as np
import pytest

import davit


@pytest.fixture
def spring(systems):
    return davit.load(systems / "mass_spring.xml")


def test_a_run_is_the_damped_oscillation(spring):
    r = spring.run()
    # m x'' = -c x' - k x from x = 0.1 m, with the values of the file.
    decay, omega0 = 6 / 20, math.sqrt(394.784 / 10)
    omega = math.sqrt(omega0**2 - decay**2)
    t = r.time
    x = 0.1 * np.exp(-decay * t) * (np.cos(omega * t) + decay / omega * np.sin(omega * t))
    # rtol 1e-6 of each of some hundred steps of the solver.
    assert np.abs(r["load.x"] - x).max() < 1e-4 * 0.1
    assert t[0] == 0 and t[-1] == 10 and len(t) == 1001
    assert r.units["load.x"] == "m" and r.units["spring.force"] == "N"
    assert list(r)[0] == "load.x" and len(r) == 5 and "load.x" in r and "load.y" not in r
    assert np.array_equal(r["time"], t)


def test_a_run_has_the_bits_of_the_program(systems, program, tmp_path):
    file = tmp_path / "lift.csv"
    subprocess.run([program, "run", systems / "lifting_cylinder.xml", "--stop", "8 s", "--set", "load.mass=8 t", "--level",
                    "*=Standard", "--quiet", "-o", file], check=True)
    of_program = davit.read(file)
    s = davit.load(systems / "lifting_cylinder.xml", stop="8 s", level={"*": "Standard"}, set={"load.mass": "8 t"})
    r = s.run()
    assert list(r) == list(of_program)
    assert np.array_equal(r.time, of_program.time)
    for name in r:
        assert np.array_equal(r[name], of_program[name], equal_nan=True), name
    assert r.units == of_program.units


def test_results_share_memory_and_outlive_the_system(spring):
    r = spring.run()
    x = r["load.x"]
    assert np.shares_memory(x, r["load.x"]) and np.shares_memory(r.time, r["time"])
    assert not x.flags.owndata and not x.flags.writeable and x.flags.c_contiguous
    copy = x.copy()
    spring.run()
    del spring, r
    assert np.array_equal(x, copy)


@pytest.mark.parametrize("ending", ["csv", "h5", "mat"])
def test_a_saved_result_reads_back(spring, tmp_path, ending):
    file = tmp_path / f"r.{ending}"
    written = tmp_path / f"w.{ending}"
    r = spring.run(output=written)
    r.save(file)
    for back in davit.read(file), davit.read(str(written)):
        assert np.array_equal(back.time, r.time)
        assert np.array_equal(back["load.v"], r["load.v"])
        assert back.units["load.v"] == "m/s"


def test_runs_continue_and_start_again(spring):
    whole = spring.run()
    first = davit.load(*[spring._arguments["file"]])
    a, b = first.run(until="4 s"), first.run(until=10)
    assert a.time[-1] == 4 and b.time[0] == 4 and b.time[-1] == 10
    assert np.array_equal(np.concatenate([a["load.x"], b["load.x"][1:]]), whole["load.x"])
    again = first.run(until="1 s", signals="load.*", interval="0.1 s")
    assert again.time[0] == 0 and len(again.time) == 11 and list(again)[0] == "load.x"


def test_events_have_times(systems):
    s = davit.load(systems / "level_switching.xml")
    r = s.run()
    switches = [event for event in r.events if event.kind == "level"]
    assert switches and all(0 <= event.time <= s.stop_time and event.path.startswith("/") for event in switches)
    time, path, text = s.log[0]
    assert isinstance(time, float) and isinstance(path, str) and isinstance(text, str)


def test_faults_print_as_the_program_prints_them(tmp_path, program):
    file = tmp_path / "wrong.xml"
    file.write_text('<System name="a">\n  <mechanical.Mass name="m" mas="1 kg"/>\n  <mechanical.Mess name="n"/>\n</System>\n')
    said = subprocess.run([program, "check", file], capture_output=True, text=True)
    assert said.returncode == 2
    with pytest.raises(davit.InputError) as wrong:
        davit.load(file)
    assert str(wrong.value) == said.stderr.rstrip("\n")
    faults = wrong.value.faults
    assert [(fault.file, fault.line) for fault in faults] == [(str(file), 2), (str(file), 3)]
    assert faults[0].path == "/m" and faults[0].what == "no parameter 'mas' on mechanical.Mass"
    assert faults[0].remedy == "did you mean 'mass'?" and faults[0].text in str(wrong.value)
    assert pickle.loads(pickle.dumps(wrong.value)).faults == faults


def test_wrong_names_values_and_files(spring, tmp_path, systems):
    with pytest.raises(davit.InputError, match="did you mean 'mass'"):
        davit.load(systems / "mass_spring.xml", set={"load.mas": 1})
    with pytest.raises(davit.InputError, match="no such file"):
        davit.load(tmp_path / "none.xml")
    with pytest.raises(davit.InputError, match="StopTime"):
        spring.run(until="20 s")
    with pytest.raises(davit.InputError, match="is m, but s is needed"):
        spring.run(until="20 m")
    r = spring.run()
    with pytest.raises(KeyError, match="did you mean 'load.x'"):
        r["load.xx"]
    with pytest.raises(davit.InputError, match=".csv, .mat or .h5"):
        r.save(tmp_path / "x.txt")
    with pytest.raises(OSError):
        r.save(tmp_path / "no" / "folder.csv")
    with pytest.raises(davit.InputError, match="(?i)no such file"):
        davit.read(tmp_path / "none.csv")
    with pytest.raises(davit.InputError, match="info"):
        davit.load(systems / "mass_spring.xml", log="loud")


def test_a_run_that_fails_keeps_its_rows(tmp_path):
    file = tmp_path / "blows_up.xml"
    # x' = x^2 from 1: infinite at t = 1 s.
    file.write_text("""<System name="blows_up"><SimulatorManager TimeStep="10 ms" StopTime="2 s"/>
      <user.Equation name="e"><State name="x" start="1" der="x*x"/></user.Equation>
      <Record signals="e.x" interval="10 ms"/></System>""")
    s = davit.load(file)
    with pytest.raises(davit.SimulationError, match="t = ") as failed:
        s.run()
    assert failed.value.path == "/e" and 0.9 < failed.value.time < 1.01
    r = s.result
    before = r.time < 0.9
    assert before.sum() == 90
    assert np.abs(r["e.x"][before] * (1 - r.time[before]) - 1).max() < 1e-4
    with pytest.raises(davit.StateError, match="initialize"):
        s.step()


def test_si():
    assert davit.si("8 t", "kg") == 8000 and davit.si("1 bar") == 1e5
    with pytest.raises(davit.InputError, match="kg is needed"):
        davit.si("8 m", "kg")


def test_plot_and_pandas_say_what_is_missing(spring):
    r = spring.run()
    for module, call in ("matplotlib", lambda: r.plot("load.*")), ("pandas", r.to_pandas):
        try:
            __import__(module)
        except ImportError:
            with pytest.raises(ImportError, match="install python3-" + module):
                call()
        else:
            call()
    assert r.select("load.*", "*.x") == ["load.x", "load.v", "load.acceleration"]
    with pytest.raises(KeyError, match="no signal matches"):
        r.select("q*")


def test_plot_has_axes_by_unit(spring):
    pytest.importorskip("matplotlib").use("Agg")
    r = spring.run()
    axes = r.plot("load.x", "load.v")
    assert [a.get_ylabel() for a in axes] == [r.units["load.x"], r.units["load.v"]]
    assert [line.get_label() for a in axes for line in a.lines] == ["load.x", "load.v"]
    assert (axes[0].lines[0].get_ydata() == r["load.x"]).all()
    assert r.plot("load.a*", ax=axes[0]) is axes[0] and len(axes[0].lines) == 2


def test_pandas_has_a_column_for_each_signal(spring):
    pytest.importorskip("pandas")
    r = spring.run()
    frame = r.to_pandas()
    assert list(frame.columns) == list(r) and (frame.index.to_numpy() == r.time).all()
    assert all((frame[name].to_numpy() == r[name]).all() for name in r)
    assert frame.attrs["units"] == r.units


def test_what_could_not_be_loaded_is_no_system(tmp_path):
    s = davit.Simulation.__new__(davit.Simulation)
    with pytest.raises(davit.InputError):
        s.__init__(tmp_path / "none.xml")
    assert "not loaded" in repr(s)
    with pytest.raises(davit.StateError, match="not loaded"):
        s.step()


def test_a_result_is_repeated_by_pickle(systems):
    r = davit.load(systems / "operated_lift.xml").run(until="3 s")
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        copy = pickle.loads(pickle.dumps(r, protocol))
        assert list(copy) == list(r) and all(copy[name].tobytes() == r[name].tobytes() for name in [*r, "time"])
        assert (copy.units, copy.texts, copy.options, copy.events) == (r.units, r.texts, r.options, r.events)
        assert repr(copy) == repr(r) and not copy.time.flags.writeable
    empty = davit.load(systems / "mass_spring.xml").run(signals="load.x", interval="20 s", until=0)
    assert repr(pickle.loads(pickle.dumps(empty))) == repr(empty)
    assert copy_module.deepcopy(r)["time"].tobytes() == r.time.tobytes()


def run_one(file):
    return davit.load(file).run(signals="load.x")


def test_process_pools_return_results(systems):
    file = str(systems / "mass_spring.xml")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        r, = pool.map(run_one, [file])
    assert r["load.x"].tobytes() == run_one(file)["load.x"].tobytes()


class Cells(html.parser.HTMLParser):
    """The texts of the cells of tables; what is open must be closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.rows = [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def test_notebooks_show_tables(systems):
    r = davit.load(systems / "mass_spring.xml").run()
    head, *rows = Cells(r._repr_html_()).rows
    assert head == ["signal", "unit", "lowest", "highest", "last", "meaning"] and [row[0] for row in rows] == list(r)[:20]
    row = next(row for row in rows if row[0] == "load.x")
    assert row[1] == "m" and float(row[2]) == pytest.approx(r["load.x"].min(), rel=1e-5)
    table = davit.sweep(systems / "mass_spring.xml", {"load.mass": "8:0.1:12"}, {"low": "min(load.x)"}, stop="0.1 s")
    head, *rows = Cells(table._repr_html_()).rows
    assert head[:3] == ["case", "load.mass [kg]", "low [m]"] and len(rows) == 20 and "and 21 more" in table._repr_html_()
    assert "&lt;" in davit.results._html.cell("a < b") and "<" not in davit.results._html.cell("a < b")


def test_keys_are_completed(systems):
    s = davit.load(systems / "lifting_cylinder.xml")
    r = s.run("0.1 s")
    assert set(r._ipython_key_completions_()) == {*r, "time"}
    paths = s._ipython_key_completions_()
    assert {"load.x", "cylinder.bore", "cylinder.level"} <= set(paths)
    for path in paths:
        s[path]  # each of them is one
    assert s.components._ipython_key_completions_() == list(s.components)
    load = s.components["load"]
    assert set(load._ipython_key_completions_()) == set(load.items)
    table = davit.sweep(systems / "mass_spring.xml", {"load.mass": [9]}, {"low": "min(load.x)"}, stop="0.1 s")
    assert table._ipython_key_completions_() == list(table)


def test_what_things_print(systems):
    s = davit.load(systems / "lifting_cylinder.xml")
    count = len(s.components)
    assert repr(s.components) == f"<davit.Components: {count}: {', '.join(list(s.components)[:8])}, ...>"
    system = davit.System("slide").add("mechanical.Mass", "load").add("mechanical.Fixed", "floor")
    assert repr(system) == "<davit.System slide: 2: load, floor>" and repr(davit.System("s")) == "<davit.System s: none>"
    assert repr(davit.SystemText("<x/>", "a.xml")) == "<davit.SystemText a.xml: 4 characters>"
