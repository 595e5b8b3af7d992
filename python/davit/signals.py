"""Frequency responses that are measured, and spectra of results."""

from dataclasses import dataclass
from typing import Dict, Iterable, List, Optional, Tuple, Union

import numpy as np

from . import _core
from .errors import InputError
from .results import Result
from .simulation import Seconds, Value, si
from .studies import Source, _globs, _system

#: A frequency: a number in Hz, or a text with unit.
Frequency = Union[str, float, int]


def _number(value: Union[str, float, int], unit: str) -> float:
    return si(value, unit) if isinstance(value, str) else float(value)


@dataclass(frozen=True)
class FrequencyResponse:
    """What frequency_response() has measured: n frequencies, p outputs. In SI."""

    input: str
    outputs: List[str]
    frequency: np.ndarray  #: n [Hz]
    drive: np.ndarray  #: n, complex amplitudes of the input
    gain: np.ndarray  #: n x p, complex: output over input
    coherence: np.ndarray  #: n x p, the share of the output that is linear in the input
    distortion: np.ndarray  #: n x p, of harmonics 2 to 5 over the first; of a multisine what it has not excited over all
    is_settled: List[bool]  #: n, whether the amplitudes had settled before they were measured

    @property
    def phase(self) -> np.ndarray:
        """n x p [deg], without jumps."""
        return np.stack([_core.continuous_phase(column) for column in self.gain.T], axis=1)


def frequency_response(source: Source, input: str, outputs: Union[str, Iterable[str]], frequency: Tuple[Frequency, Frequency], *,
                       amplitude: Value, points: int = 20, at: Optional[Seconds] = None, multisine: bool = False,
                       settle: int = 3, periods: int = 4, **options) -> FrequencyResponse:
    """Measures the frequency response of the running, nonlinear system, as ``davit frequency`` does.

    `input`: an input, whose route is cut, or a live parameter; it is driven by a sine of `amplitude`. `frequency`: lowest
    and highest. Each of `points` frequencies is measured over `periods`, after `settle` periods at least; with `multisine`
    all of them simultaneously. `at`: when the excitation begins. Other options are those of load(). Of a Simulation: of the system
    as it was loaded.

    Raises InputError; SimulationError.
    """
    names = _globs(outputs)
    low, high = (_number(one, "Hz") for one in frequency)
    found = _core.frequency_response(_system(source, options), input, names, low, high, points,
                                     si(amplitude) if isinstance(amplitude, str) else float(amplitude),
                                     None if at is None else _number(at, "s"), multisine, settle, periods)
    return FrequencyResponse(input=input, outputs=names, **found)


@dataclass(frozen=True)
class Spectrum:
    """Lines of signals, by the signals' names. In SI."""

    frequency: np.ndarray  #: [Hz]
    values: Dict[str, np.ndarray]  #: amplitudes (peak), with `density` densities [unit^2/Hz], with `over` complex gains
    coherence: Dict[str, np.ndarray]  #: with `over`; else empty
    is_resampled: bool  #: whether the times were not even, so that values are interpolated

    def __getitem__(self, name: str) -> np.ndarray:
        """The values of a signal."""
        return self.values[name]


def spectrum(result: Result, signals: Union[str, Iterable[str]], *, over: Optional[str] = None, density: bool = False,
             window: str = "hann", segment: Optional[Seconds] = None, overlap: float = 0.5, begin: Optional[Seconds] = None,
             end: Optional[Seconds] = None) -> Spectrum:
    """The lines of signals of a result, as ``davit spectrum`` computes them.

    Without further options: amplitudes of the sines that a signal consists of. `density`: densities by Welch's method.
    `over`: transfer function and coherence from that signal to each of `signals`. `window`: rectangular, hann, hamming,
    blackman or flattop. `segment`: length in time of the stretches of Welch's method, which overlap by `overlap` (0 to
    0.95). `begin`, `end`: the span that is looked at.

    Raises InputError; KeyError for a signal that the result does not have.
    """
    names = result.select(*_globs(signals))
    if density and over is not None:
        raise InputError("density: the transfer function has no density; leave out density or over")
    if not 0 <= overlap <= 0.95:
        raise InputError(f"overlap: {overlap:g} is not in 0 .. 0.95")
    columns = [result[name] for name in [*names, *([] if over is None else [over])]]
    even = _core.even_samples(result.time, columns, None if begin is None else _number(begin, "s"),
                              None if end is None else _number(end, "s"))
    samples, dt = even["columns"], even["dt"]
    count = len(samples[0]) if samples else 0
    if count < 8:
        raise InputError(f"result: there are {even['given']} points in the span; a spectrum needs at least 8")
    for name, column in zip([*names, over], samples):
        if not np.all(np.isfinite(column)):
            raise InputError(f"{name}: it has values that are not finite; take a span without them, by begin and end")
    length = 0 if segment is None else round(_number(segment, "s") / dt)
    if segment is not None and not 8 <= length <= count:
        raise InputError(f"segment: {segment} is not within {8 * dt:g} s, 8 points, and {count * dt:g} s, the whole span")
    values, coherence = {}, {}
    for name, column in zip(names, samples):
        if over is None and not density:
            frequency, values[name] = _core.amplitudes(column, dt, window)
            continue
        u = column if over is None else samples[-1]
        frequency, of_u, _, gain, share = _core.welch(u, column, dt, window, length, overlap)
        values[name] = of_u if over is None else gain
        if over is not None:
            coherence[name] = share
    return Spectrum(frequency=frequency, values=values, coherence=coherence, is_resampled=even["is_resampled"])
