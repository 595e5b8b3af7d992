"""Linear models."""

from dataclasses import dataclass, replace
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Union

import numpy as np

from . import _core
from .errors import InputError
from .simulation import Simulation
from .studies import Source, _globs, _system

#: One of the inputs or outputs of a model: its path, or its place; None where there is only one.
End = Union[None, str, int]


class Margins(NamedTuple):
    """The margins to instability of a loop closed with the gain -1. None if there is no such crossover."""

    gain: Optional[float]  #: a factor
    gain_frequency: Optional[float]  #: [Hz] where the phase is -180 degrees
    phase: Optional[float]  #: [deg]
    phase_frequency: Optional[float]  #: [Hz] where the gain is 1


class Mode(NamedTuple):
    """A motion exp(eigenvalue t) of a linear model; of a conjugate pair that above the axis."""

    eigenvalue: complex  #: [1/s]
    frequency: float  #: |eigenvalue|/(2 pi) [Hz]
    damping: float  #: 1 for a real one that decays; NaN for 0
    time_constant: float  #: [s]; negative for one that grows
    participation: Dict[str, float]  #: by state, as shares of 1, the largest first


class Bode(NamedTuple):
    """The frequency response from one input to one output."""

    frequency: np.ndarray  #: [Hz]
    gain: np.ndarray  #: in SI units of the output over those of the input
    phase: np.ndarray  #: [deg], without jumps


class Nyquist(NamedTuple):
    """The curve of the frequency response in the complex plane, for frequencies above 0."""

    frequency: np.ndarray  #: [Hz]
    response: np.ndarray  #: complex


class StepResponse(NamedTuple):
    """The outputs after a unit step of one input at t = 0."""

    time: np.ndarray  #: [s]
    outputs: Dict[str, np.ndarray]  #: by path


@dataclass(frozen=True)
class LinearModel:
    """What a system does near an operating point, in changes from it, in SI: x' = A x + B u, y = C x + D u.

    With delays, of lines: x' = A x + B u + B_delay w, y = C x + D u + D_delay w, and w_i(t) = z_i(t - delay_times[i])
    with z = C_delay x + D_input u + D_wave w.

    In methods for one input and one output these are paths or places; they may be omitted if there is only one. For
    modes, zeros and steps a delay is replaced by a Pade approximant of order 4; responses and margins have it exactly.
    """

    time: float  #: of the operating point [s]
    states: List[str]  #: n paths
    inputs: List[str]  #: m paths
    outputs: List[str]  #: p paths
    units: Dict[str, str]  #: by path
    operating_point: Dict[str, float]  #: by path
    A: np.ndarray  #: n x n
    B: np.ndarray  #: n x m
    C: np.ndarray  #: p x n
    D: np.ndarray  #: p x m
    eigenvalues: np.ndarray  #: of A, complex [1/s]; of delays a Pade approximant
    delays: List[str]  #: d waves
    delay_times: np.ndarray  #: d [s]
    B_delay: np.ndarray  #: n x d
    D_delay: np.ndarray  #: p x d
    C_delay: np.ndarray  #: d x n
    D_input: np.ndarray  #: d x m
    D_wave: np.ndarray  #: d x d
    error: float  #: estimated, of the entries as shares of the largest one of their row
    largest_rate: float  #: of a state in its nominal size a second; 0 at rest
    notes: List[str]  #: what should be known: kinks, what is left out

    def response(self, frequency) -> np.ndarray:
        """The transfer function at frequencies [Hz], a number or an array: complex, of its shape + (p, m)."""
        frequency = np.asarray(frequency, dtype=float)
        n, d = len(self.states), len(self.delays)
        answer = np.empty(frequency.shape + self.D.shape, dtype=complex)
        for place in np.ndindex(frequency.shape):
            s = 2j * np.pi * frequency[place]
            late = np.exp(-s * self.delay_times)[:, None]  # w = late z
            left = np.block([[s * np.eye(n) - self.A, -self.B_delay],
                             [-late * self.C_delay, np.eye(d) - late * self.D_wave]])
            right = np.vstack([self.B, late * self.D_input])
            xw = np.linalg.solve(left, right)
            answer[place] = self.C @ xw[:n] + self.D_delay @ xw[n:] + self.D
        return answer

    def modes(self) -> List[Mode]:
        """The modes by natural frequency, ascending."""
        closed = self.without_delays()
        return [Mode(eigenvalue, frequency, damping, time_constant, {closed.states[state]: share for state, share in shares})
                for eigenvalue, frequency, damping, time_constant, shares in _core.linear_modes(self)]

    def zeros(self, input: End = None, output: End = None) -> np.ndarray:
        """The finite zeros from one input to one output, complex [1/s], by size."""
        return _core.linear_zeros(self, self._place("input", input), self._place("output", output))

    def static_gain(self, input: End = None, output: End = None) -> float:
        """The gain at frequency 0; infinite with an integrator in between."""
        return _core.linear_static_gain(self, self._place("input", input), self._place("output", output))

    def margins(self, input: End = None, output: End = None) -> Margins:
        """Gain and phase margin of the open loop from one input to one output."""
        return Margins(*_core.linear_margins(self, self._place("input", input), self._place("output", output)))

    def frequencies(self, points: int = 600) -> np.ndarray:
        """Frequencies [Hz] on a logarithmic axis, where the model does something: those of the diagrams of the program."""
        return _core.linear_frequencies(self, points)

    def bode(self, input: End = None, output: End = None, *, frequency=None) -> Bode:
        """Gain and phase at frequencies [Hz], without them at frequencies()."""
        frequency, response = self.nyquist(input, output, frequency=frequency)
        return Bode(frequency, np.abs(response), _core.continuous_phase(response))

    def nyquist(self, input: End = None, output: End = None, *, frequency=None) -> Nyquist:
        """The response at frequencies [Hz], without them at frequencies()."""
        frequency = self.frequencies() if frequency is None else np.atleast_1d(np.asarray(frequency, dtype=float))
        return Nyquist(frequency, _core.linear_response(self, self._place("input", input), self._place("output", output),
                                                        frequency))

    def step_response(self, input: End = None, *, duration: Optional[float] = None, points: int = 1000) -> StepResponse:
        """All outputs after a unit step of an input, exact at its times. `duration` [s]: without it until the slowest mode
        has decayed."""
        if duration is not None and not duration > 0 or points < 2:
            raise InputError("duration: give a time above 0, and at least 2 points")
        time, outputs = _core.linear_step(self, self._place("input", input), duration, points)
        return StepResponse(time, dict(zip(self.outputs, outputs)))

    def root_locus(self, gains, input: End = None, output: End = None) -> np.ndarray:
        """The eigenvalues [1/s] of the loop that is closed with u = -gain y, complex (gains, n). A column follows one
        eigenvalue from gain to gain. Over a parameter: one linearize() for each value."""
        closed = self.without_delays()
        u, y = self._place("input", input), self._place("output", output)
        b, c, d = closed.B[:, u], closed.C[y], closed.D[y, u]
        rows: List[np.ndarray] = []
        for gain in np.atleast_1d(np.asarray(gains, dtype=float)):
            roots = list(np.linalg.eigvals(closed.A - gain / (1 + gain * d) * np.outer(b, c)))
            if rows:
                roots = [roots.pop(int(np.argmin(np.abs(np.array(roots) - before)))) for before in rows[-1]]
            rows.append(np.array(roots, dtype=complex))
        return np.array(rows)

    def without_delays(self, order: int = 4) -> "LinearModel":
        """The same model with a Pade approximant of `order` in place of each delay; the model itself where it has none."""
        if not self.delays:
            return self
        closed = _fields(_core.linear_closed(self, order))
        return replace(self, **{**closed, "units": {**self.units, **closed["units"]},
                                "operating_point": {**closed["operating_point"], **self.operating_point}})

    def _place(self, kind: str, end: End) -> int:
        paths = self.inputs if kind == "input" else self.outputs
        if end is None and len(paths) == 1:
            return 0
        if isinstance(end, str) and end in paths:
            return paths.index(end)
        if isinstance(end, (int, np.integer)) and 0 <= end < len(paths):
            return int(end)
        raise InputError(f"{kind}: {'not given' if end is None else repr(end)}; the model has {', '.join(paths) or 'none'}")

    def __repr__(self) -> str:
        parts = {"state": self.states, "input": self.inputs, "output": self.outputs, "delay": self.delays}
        counts = [f"{len(part)} {noun}{'s' if len(part) != 1 else ''}" for noun, part in parts.items() if len(part) or noun != "delay"]
        return f"<davit.LinearModel at {self.time:g} s: {', '.join(counts)}>"


def _fields(found: Dict[str, Any]) -> Dict[str, Any]:
    """Lists of (path, unit, value) as the fields of a LinearModel."""
    ends = {kind: found.pop(kind) for kind in ("states", "inputs", "outputs")}
    every = [one for kind in ends.values() for one in kind]
    waves = found.pop("delays")
    return {**{kind: [name for name, _, _ in one] for kind, one in ends.items()},
            "units": {name: unit for name, unit, _ in every}, "operating_point": {name: value for name, _, value in every},
            "delays": [name for name, _ in waves], "delay_times": np.array([time for _, time in waves], dtype=float), **found}


def linearize(source: Source, *, at: Union[None, str, float] = None, inputs: Union[None, str, Iterable[str]] = None,
              outputs: Union[None, str, Iterable[str]] = None, pade: int = 0, **options) -> LinearModel:
    """The linear model of a system, as ``davit linearize`` makes it.

    Of a file: at the start values, with ``steady=True`` at the equilibrium, or at the time `at`. Of a Simulation that runs:
    at its present time; it stays as it is. `inputs`, `outputs`: paths and globs; without them all inputs without a route,
    and what ``<Record>`` names. `pade`: replaces the delays of lines by approximants of this order. Other options are
    those of load().

    Raises InputError; RuntimeError where the equations cannot be linearised.
    """
    if isinstance(source, Simulation) and source.is_initialized:
        if at is not None or options:
            raise InputError("at: the system is at its own time; run it there, or name its file here")
        system = source.clone()
    else:
        system = _system(source, options)
        system.initialize()
        if at is not None:
            system.advance(at)
    return LinearModel(**_fields(_core.linearize(system, _globs(inputs), _globs(outputs), pade)))
