"""Several threads: two simulations at once, and calls on one simulation that come at the same time."""

import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import davit


def together(*works):
    """Runs each in a thread, all from the same moment on, and returns what they return or raise."""
    barrier = threading.Barrier(len(works))
    outcomes = [None] * len(works)

    def work(i):
        barrier.wait()
        try:
            outcomes[i] = works[i]()
        except BaseException as raised:
            outcomes[i] = raised

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    return outcomes


def wait_until_busy(s):
    while True:
        try:
            s.time
        except davit.StateError:
            return


def test_threads_compute_at_the_same_time_and_alike(systems):
    def work():
        return davit.load(systems / "lifting_cylinder.xml", level={"*": "Standard"}).run(until="5 s")

    results = together(work, work, work, work)
    for r in results[1:]:
        assert all(np.array_equal(r[name], results[0][name]) for name in r)


def test_a_run_is_one_call_from_its_beginning_to_its_end(systems):
    # Runs of a few steps: what comes before and after the steps is most of them.
    s = davit.load(systems / "lifting_cylinder.xml", stop="0.05 s")
    alone = s.run()
    done = refused = 0
    for _ in range(400):
        for one in together(s.run, s.run, s.run):
            if isinstance(one, davit.Result):
                done += 1
                assert all(one[name].tobytes() == alone[name].tobytes() for name in alone)
            else:
                refused += 1
                assert isinstance(one, davit.StateError) and "another thread is inside" in str(one), repr(one)
    assert done >= 400
    assert s.run()["load.x"].tobytes() == alone["load.x"].tobytes()


def test_long_runs_refuse_a_second_one(systems):
    for _ in range(20):
        s = davit.load(systems / "lifting_cylinder.xml")
        outcomes = together(lambda: s.run("1 s"), lambda: s.run("1 s"))
        # The second one is refused, or begins when the first one has ended: then it has nothing left to do.
        assert all(isinstance(one, (davit.Result, davit.StateError)) for one in outcomes)
        assert any(isinstance(one, davit.Result) for one in outcomes)


def calls(s, h, snapshot, tmp_path):
    """Each call on a simulation but stop(), which any thread may make."""
    out = np.empty(len(h))
    return {
        "run": s.run, "initialize": s.initialize, "step": s.step, "advance": lambda: s.advance(1),
        "time": lambda: s.time, "start_time": lambda: s.start_time, "stop_time": lambda: s.stop_time,
        "time_step": lambda: s.time_step, "is_initialized": lambda: s.is_initialized, "is_finished": lambda: s.is_finished,
        "get": lambda: s["load.x"], "set": lambda: s.__setitem__("load.mass", 8000), "text": lambda: s.text("load.mass"),
        "set text": lambda: s.__setitem__("load.mass", "8 t"), "level": lambda: s.level("cylinder", "Ideal"),
        "handles": lambda: s.handles(["load.x"]), "read": lambda: s.read(h, out), "write": lambda: s.write(h, out),
        "send": lambda: s.send("operator", "stop"), "event": lambda: s.event("stop"), "save_state": s.save_state,
        "load_state": lambda: s.load_state(snapshot), "clone": s.clone, "pickle": lambda: pickle.dumps(s),
        "statistics": s.statistics, "hints": s.hints, "components": lambda: s.components,
        "component": lambda: davit.LoadedComponent(s, "cylinder").model,
        "active_states": lambda: davit.LoadedComponent(s, "cylinder").active_states,
        "linearize": lambda: davit.linearize(s),
    }


def test_no_call_gets_into_another_one(systems, tmp_path):
    s = davit.load(systems / "knuckle_boom_crane.xml", stop="1e6 s")
    s.initialize()
    all_calls = calls(s, s.handles(["tank.back_pressure"]), s.save_state(), tmp_path)
    ended = []
    thread = threading.Thread(target=lambda: ended.append(s.run()))
    thread.start()
    wait_until_busy(s)
    for name, call in all_calls.items():
        with pytest.raises(davit.StateError, match="another thread is inside"):
            call()
            pytest.fail(f"{name} got into a run")
    assert "another thread is inside" in repr(s)
    assert s.result is None  # the run that is under way has none yet
    assert s.log is not None and s.events is not None  # these have a lock of their own
    time.sleep(0.1)  # this thread continues meanwhile
    s.stop()
    thread.join(60)
    assert not thread.is_alive() and 0 < s.time < 1e6 and ended[0].time[-1] == s.result.time[-1]


def test_environments_refuse_a_second_thread(systems):
    env = davit.VectorEnvironment(systems / "mass_spring.xml", 3, actions={"load.weight": (-1, 1)}, observations=["load.x"],
                                  reward=lambda o, a: o[..., 0], threads=2)
    env.reset()
    actions = np.zeros((3, 1))
    kinds = set()
    for _ in range(200):
        for one in together(lambda: env.step(actions), lambda: env.step(actions), lambda: env.simulations[1]["load.x"]):
            assert isinstance(one, (tuple, float, davit.StateError)), repr(one)
            kinds.add(type(one))
    assert tuple in kinds


class Watcher(davit.Component):
    """Reads its own simulation while it computes."""

    seen = []
    simulation = None

    p = davit.Parameter("")
    y = davit.Output("")

    def step(self):
        self.y = 1.0
        if Watcher.simulation is None:
            return
        Watcher.seen.append((Watcher.simulation.time, Watcher.simulation["watcher.y"]))
        for call in (Watcher.simulation.step, lambda: Watcher.simulation.__setitem__("watcher.p", 3), Watcher.simulation.run):
            try:
                call()
            except davit.StateError as refused:
                assert "callback" in str(refused)
            else:
                raise AssertionError("a callback has changed the run")


@pytest.mark.parametrize("thread", ["main", "other"])
def test_callbacks_may_read_only(thread):
    system = davit.System("watched", time_step="10 ms", stop="50 ms").add(Watcher, "watcher")
    s = system.load()
    Watcher.simulation, Watcher.seen = s, []
    try:
        outcome = s.run() if thread == "main" else together(s.run)[0]
        assert isinstance(outcome, davit.Result), repr(outcome)
        assert [t for t, _ in Watcher.seen] == pytest.approx([0, 0.01, 0.02, 0.03, 0.04])
    finally:
        Watcher.simulation = None


def test_handlers_of_signals_are_refused(systems):
    s = davit.load(systems / "knuckle_boom_crane.xml", stop="1e6 s")
    told = []

    def look(number, frame):
        for call in (lambda: s.time, s.step):
            try:
                call()
            except davit.StateError as refused:
                told.append(str(refused))
        s.stop()

    before = signal.signal(signal.SIGUSR1, look)
    try:
        threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGUSR1)).start()
        s.run()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert len(told) == 2 and all("another thread is inside" in text for text in told) and 0 < s.time < 1e6
