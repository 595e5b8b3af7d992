#!/usr/bin/env python3
"""One system of 50,000 components over 1, 2 and 4 processes, and what 64 would take.

The system: 250 groups of 200 fixed-step (TLM) components, a ring. A group is nine servos of
systems/position_servo.xml, whose valve volumes orifices join; a hydraulic.Line of 29 TimeSteps leads to the next
group. Shown: whether the CSV has the same bytes, the work and the waiting of each process, messages and bytes.

    python3 benchmarks/part_run_benchmark.py build/release/bin/davit [--groups 250] [--stop '200 ms']

The paper run takes the work of a process in proportion to its groups from the measured runs (time of the
processor, waiting left out), and for each
message a latency and an overhead of the network that is stated (--latency, --overhead): a process computes on while
messages are under way, and waits only where the wave it needs has left its neighbour less than the latency ago.
"""

import argparse
import json
import math
import os
import pathlib
import re
import resource
import subprocess
import tempfile

SERVOS = 9


def servo_text():
    text = (pathlib.Path(__file__).parent.parent / "systems/position_servo.xml").read_text()
    text = text[text.index("<signal.Step"):text.index("<Record")]
    return re.sub(r' (name|from|to)="', r' \1="@', text)


def group_text(servo, group, groups):
    def name(number):
        return f"g{group}_s{number}_"

    parts = [servo.replace("@", name(i)) for i in range(SERVOS)]
    for i in range(SERVOS - 1):
        parts.append(f'<hydraulic.Orifice name="g{group}_join{i}" area="1 mm2"/>'
                     f'<Connect from="{name(i)}line_a.port" to="g{group}_join{i}.a"/>'
                     f'<Connect from="g{group}_join{i}.b" to="{name(i + 1)}line_a.port"/>')
    after = (group + 1) % groups
    parts.append(f'<hydraulic.Orifice name="g{group}_out" area="2 mm2"/>'
                 f'<hydraulic.Orifice name="g{group}_in" area="2 mm2"/>'
                 f'<hydraulic.Line name="g{group}_line" length="4 m"><Start p="49 bar"/></hydraulic.Line>'
                 f'<Connect from="{name(0)}line_a.port" to="g{group}_out.a"/>'
                 f'<Connect from="g{group}_out.b" to="g{group}_line.a"/>'
                 f'<Connect from="g{group}_line.b" to="g{after}_in.a"/>'
                 f'<Connect from="g{group}_in.b" to="{name(1)}line_b.port"/>')
    return "\n".join(parts)


def system_text(groups, stop):
    servo = servo_text()
    body = "\n".join(group_text(servo, g, groups) for g in range(groups))
    return (f'<System name="groups" xmlns="urn:davit:system:1">\n<SimulatorManager TimeStep="0.1 ms" StopTime="{stop}"/>\n'
            f'{body}\n<Record signals="g*_s0_load.x g*_s0_line_a.p g*_out.q" interval="1 ms"/>\n</System>\n')


def run(command, folder, name):
    subprocess.run(command + ["-o", f"{folder}/{name}.csv", "--summary", f"{folder}/{name}.json", "--quiet"], check=True)
    return (folder / f"{name}.csv").read_bytes(), json.loads((folder / f"{name}.json").read_text())


def paper(ranks, groups, seconds_per_group_step, lag, bundle, neighbours, latency, overhead, steps):
    """The time of a step of the process with the most groups, in a ring: work, overhead of messages, waiting."""
    work = math.ceil(groups / ranks) * seconds_per_group_step
    busy = work + neighbours * 2 * overhead / bundle
    # A wave is needed lag - bundle steps after its message has left, at the earliest.
    slack = (lag - bundle + 1) * busy
    wait = max(0.0, latency - slack) / bundle
    return work, busy - work, wait, steps * (busy + wait)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("davit")
    parser.add_argument("--groups", type=int, default=250)
    parser.add_argument("--stop", default="200 ms")
    parser.add_argument("--ranks", type=int, nargs="*", default=[2, 4])
    parser.add_argument("--latency", type=float, default=2e-6, help="of a message [s]")
    parser.add_argument("--overhead", type=float, default=1e-6, help="of the processor, to send or take one [s]")
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp())
    system = folder / "groups.xml"
    system.write_text(system_text(arguments.groups, arguments.stop))
    davit = [arguments.davit, "run", str(system)]
    expected, one = run(davit, folder, "one")
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{one['components']} components, {one['steps']} steps; alone: load {one['load_s']:.2f} s, run {one['wall_s']:.2f} s, {memory:.0f} MB")
    per_step = []
    print(f"{'processes':>9} {'same bytes':>10} {'wall s':>7}   components, work s, wait s (most for), messages, MB of each process")
    for ranks in arguments.ranks:
        rows, summary = run(["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", str(ranks)] + davit, folder, f"on{ranks}")
        each = "; ".join(f"{p['components']}, {p['work_s']:.2f}, {p['wait_s']:.2f} ({p['waits_most_for']}), {p['messages']}, {p['bytes'] / 1e6:.2f}"
                         for p in summary["processes"])
        print(f"{ranks:>9} {'yes' if rows == expected else 'NO':>10} {summary['wall_s']:>7.2f}   {each}")
        per_step.append(sum(p["work_s"] for p in summary["processes"]) / one["steps"] / one["components"])
    per = min(per_step)
    print(f"on paper, {1e9 * per:.1f} ns a component and step, latency {1e6 * arguments.latency:g} us, overhead {1e6 * arguments.overhead:g} us a message:")
    print(f"{'processes':>9} {'waves':>16} {'work us':>8} {'messages us':>11} {'wait us':>8} {'times as fast':>13}")
    for ranks in (1, 4, 16, 64, 250):
        for name, lag, bundle in (("28 steps ahead", 28, 14), ("1 step ahead", 1, 1)):
            neighbours = 0 if ranks == 1 else 2
            work, messages, wait, total = paper(ranks, arguments.groups, per * one["components"] / arguments.groups, lag, bundle, neighbours,
                                                arguments.latency if ranks > 1 else 0, arguments.overhead, one["steps"])
            print(f"{ranks:>9} {name:>16} {1e6 * work:>8.2f} {1e6 * messages:>11.2f} {1e6 * wait:>8.2f} {one['steps'] * one['components'] * per / total:>13.1f}")


if __name__ == "__main__":
    os.environ.setdefault("OMPI_MCA_rmaps_base_oversubscribe", "1")
    main()
