"""What Python costs: ./davit python benchmarks/python_benchmark.py. Each figure is a ratio or a difference of one run.

  run        s.run() beside `davit run` of the same system without files: processor time of the run alone
  step       1 ms steps with 20 values read and 3 written by handles, beside the same steps inside of davit
  cranes     8 crane environments on two threads, beside one thread
"""

import pathlib
import re
import resource
import subprocess
import sys
import time

import numpy as np

import davit

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "build/release/bin/davit"
LIFT = ROOT / "systems/lifting_cylinder.xml"
ROUNDS = 7


def best(call):
    """The shortest of several rounds [s of processor time]: what others do on the machine only adds."""
    times = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        call()
        times.append(time.process_time() - begin)
    return min(times)


def of_program(*options):
    """Processor time of the program [s]."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([PROGRAM, "run", LIFT, "--level", "*=Standard", "--quiet", *options], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def compare_runs():
    s, short = (davit.load(LIFT, level={"*": "Standard"}, stop=stop) for stop in ("50 s", "10 ms"))
    python = best(s.run) - best(short.run)
    program = min(of_program() for _ in range(ROUNDS)) - min(of_program("--stop", "10 ms") for _ in range(ROUNDS))
    print(f"run: {1e3 * python:.1f} ms from Python, {1e3 * program:.1f} ms by davit run, both without their start: "
          f"{python / program:.3f} times")


def compare_steps():
    s = davit.load(ROOT / "systems/mass_spring.xml", stop="20 s", set={"SimulatorManager.TimeStep": "1 ms"}, log="info")
    outputs = s.handles((["load.x", "load.v", "load.acceleration", "spring.force", "damper.force"] * 4))
    inputs = s.handles(["load.mass", "damper.coefficient", "load.weight"])
    values, settings = np.empty(20), s.read(inputs)
    steps = round(s.stop_time / s.time_step)

    def loop():
        s.initialize()
        step, read, write = s.step, s.read, s.write
        for _ in range(steps):
            write(inputs, settings)
            step()
            read(outputs, values)

    def inside():
        s.run(signals="load.x", interval="20 s")

    python, plain = best(loop), best(inside)
    print(f"step: {1e6 * python / steps:.2f} us from Python, {1e6 * plain / steps:.2f} us inside, without reading or "
          f"writing: {1e6 * (python - plain) / steps:.2f} us more")


def compare_cranes():
    file = ROOT / "systems/laboratory_crane.xml"
    crane = davit.SystemText(re.sub(r'<Route from="(boom|knuckle)_lever\.y"[^>]*/>', "", file.read_text()), str(file))

    def make(threads):
        return davit.VectorEnvironment(crane, 8, actions={"boom_dcv.spool": (-1, 1)}, observations=["crane.q1", "crane.q2"],
                                       reward=lambda o, a: o[..., 0], step="20 ms", threads=threads)

    def play(environments):
        environments.reset()
        for _ in range(40):
            environments.step(np.full((8, 1), 0.2))

    def wall(environments):
        begin = time.perf_counter()
        play(environments)
        return time.perf_counter() - begin

    def busiest(environments):
        """Processor time of the thread that has worked most [s]: what the wall would show on an idle machine."""
        before = threads()
        play(environments)
        return max(spent - before.get(thread, 0) for thread, spent in threads().items())

    def threads():
        return {file.parent.name: int(file.read_text().split()[0]) / 1e9 for file in
                pathlib.Path("/proc/self/task").glob("*/schedstat")}

    one, two = make(1), make(2)
    for what, measure in ("wall time", wall), ("processor time of the busiest thread", busiest):
        pairs = [(measure(one), measure(two)) for _ in range(3)]
        alone, together = (min(column) for column in zip(*pairs))
        print(f"cranes, by {what}: 320 steps in {1e3 * alone:.0f} ms on one thread, {1e3 * together:.0f} ms on two: "
              f"{alone / together:.2f} times as fast")


for compare in compare_runs, compare_steps, compare_cranes:
    if len(sys.argv) < 2 or sys.argv[1] in compare.__name__:
        compare()
