"""How measures of a run depend on parameters."""

from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Mapping, Sequence, Tuple, Union

import numpy as np

from .studies import Source, _study, with_options_of

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
    notes: List[str]  #: on the steps of parameters that are 0

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


@dataclass(frozen=True)
class ElementaryEffects:
    """What Morris screening has found: changes of m measures over the range of k parameters."""

    measures: List[str]
    parameters: List[str]
    units: List[str]  #: m, of the measures
    mu_star: np.ndarray  #: m x k, mean of the absolute effects: how much a parameter matters
    mu_star_error: np.ndarray  #: m x k, standard errors
    mu: np.ndarray  #: m x k, mean
    sigma: np.ndarray  #: m x k, standard deviation: curvature and interactions
    cases: int  #: that were run


@with_options_of("sensitivity")
def sensitivity(source: Source, of: Measures, to: Union[str, Iterable[str], Mapping[str, Union[str, Sequence]]],
                **options) -> Union[Sensitivity, SobolIndices, ElementaryEffects]:
    """How measures depend on parameters, inputs or start values, as ``davit sensitivity`` finds it.

    Slopes at the values of the system: a Sensitivity. With `sobol`, shares of the variance: SobolIndices. With `morris`,
    elementary effects: ElementaryEffects. `of`: expressions of measures. `to`: paths; with `sobol` and `morris` by path a
    distribution, "uniform(5 t, 10 t)", "normal(10 t, 1 t)", or a list. Other options are those of load().

    Raises InputError; RuntimeError if a run fails, the variational equations do not describe it, or no sample has a value.
    """
    study, system = _study("sensitivity", source, options, to=to, of=of)
    return _found(study.run(system))


def _found(found: Dict[str, Any]) -> Union[Sensitivity, SobolIndices, ElementaryEffects]:
    return (SobolIndices if "first" in found else ElementaryEffects if "sigma" in found else Sensitivity)(**found)


def sobol(source: Source, of: Measures, to: Mapping[str, Union[str, Sequence]], *, samples: int, seed: int = 1, jobs: int = 0,
          **options) -> SobolIndices:
    """Shares of the variance of measures, by Sobol's method: sensitivity() with `sobol`, the number of samples.

    `samples` times (parameters + 2) cases are run. Other options are those of load().

    Raises InputError; RuntimeError if no sample has a value.
    """
    return sensitivity(source, of, to, sobol=samples, seed=seed, jobs=jobs, **options)
