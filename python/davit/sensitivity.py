"""How measures of a run depend on parameters."""

from dataclasses import dataclass
from typing import Iterable, List, Mapping, Sequence, Tuple, Union

import numpy as np

from . import _core
from .errors import InputError
from .studies import Source, _system, _varied

#: Expressions of measures by name; or without names, which are then the expressions.
Measures = Union[str, Sequence[str], Mapping[str, str]]


@dataclass(frozen=True)
class Sensitivity:
    """Slopes of m measures by k parameters, in SI: what sensitivity() has found."""

    measures: List[str]
    parameters: List[str]
    units: List[str]  #: m, of the measures
    parameter_units: List[str]  #: k
    values: np.ndarray  #: m, of the run itself
    parameter_values: np.ndarray  #: k
    slopes: np.ndarray  #: m x k
    normalized: np.ndarray  #: m x k, percent for one percent of the parameter; NaN for a measure that is 0
    errors: np.ndarray  #: m x k, estimated, of the slopes; NaN where there is no estimate
    method: str  #: "variational" or "differences"
    reason: str  #: why not the variational equations, or what they leave in doubt; may be empty

    def __getitem__(self, pair: Tuple[str, str]) -> float:
        """The slope of a measure by a parameter: ``found["max(load.x)", "load.mass"]``."""
        return float(self.slopes[self.measures.index(pair[0]), self.parameters.index(pair[1])])


@dataclass(frozen=True)
class SobolIndices:
    """Shares of the variance of m measures that k parameters make: what sobol() has found."""

    measures: List[str]
    parameters: List[str]
    units: List[str]  #: m, of the measures
    mean: np.ndarray  #: m
    deviation: np.ndarray  #: m, standard deviations
    first: np.ndarray  #: m x k, that which a parameter makes alone
    first_error: np.ndarray  #: m x k, standard errors
    total: np.ndarray  #: m x k, with all its interactions
    total_error: np.ndarray  #: m x k, standard errors
    cases: int  #: that were run


def _named(of: Measures) -> Tuple[List[str], List[Tuple[str, str]]]:
    """Labels, and pairs of name and expression."""
    if isinstance(of, Mapping):
        return list(of), list(of.items())
    texts = [of] if isinstance(of, str) else list(of)
    return texts, [(f"measure_{i + 1}", text) for i, text in enumerate(texts)]


def sensitivity(source: Source, of: Measures, to: Union[str, Iterable[str]], *, method: str = "auto", step: float = 0.01,
                jobs: int = 0, **options) -> Sensitivity:
    """The slopes of measures by parameters, inputs or start values, at the values of the system, as ``davit sensitivity``
    finds them.

    `of`: expressions of measures. `to`: paths. `method`: "variational" (the equations of the slopes, along one run),
    "differences" (of runs, with steps of a share `step` of each value), "auto": the first where it describes the run. Other
    options are those of load().

    Raises InputError; RuntimeError where a run fails, or the variational equations do not describe it.
    """
    paths = [to] if isinstance(to, str) else list(to)
    labels, measures = _named(of)
    if not paths or not measures:
        raise InputError("nothing is measured, or no parameter is given; give for example of='max(load.x)', to='load.mass'")
    if method not in ("auto", "variational", "differences"):
        raise InputError(f"method: no method {method!r}; there are auto, variational, differences")
    if not 1e-8 <= step <= 0.5:
        raise InputError(f"step: {step:g} is not in 1e-8 .. 0.5")
    if len(set(paths)) < len(paths):
        raise InputError("to: a path is given twice; give it once")
    found = _core.sensitivity(_system(source, options), paths, measures, method, step, jobs)
    return Sensitivity(measures=labels, parameters=paths, **found)


def sobol(source: Source, of: Measures, to: Mapping[str, Union[str, Sequence]], *, samples: int, seed: int = 1, jobs: int = 0,
          **options) -> SobolIndices:
    """Shares of the variance of measures, by Sobol's method, as ``davit sensitivity --sobol`` finds them.

    `of`: expressions of measures. `to`: by path a distribution, "uniform(5 t, 10 t)", "normal(10 t, 1 t)", or a list.
    `samples` times (parameters + 2) cases are run. Other options are those of load().

    Raises InputError; RuntimeError where no sample has a value.
    """
    labels, measures = _named(of)
    if not to or not measures:
        raise InputError("nothing is measured, or no parameter is given; give for example of='max(load.x)', "
                         "to={'load.mass': 'uniform(5 t, 10 t)'}")
    if not 2 <= samples <= 1_000_000:
        raise InputError(f"samples: {samples} is not in 2 .. 1000000")
    found = _core.sobol(_system(source, options), _varied(to), measures, samples, seed, jobs)
    return SobolIndices(measures=labels, parameters=list(to), **found)
