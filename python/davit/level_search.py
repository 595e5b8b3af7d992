"""Which levels a system needs, and when."""

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping

import numpy as np

from .studies import Source, _study, with_options_of


@dataclass(frozen=True)
class Levels:
    """Levels of n groups of components in k windows of time, for m metrics, in SI: what levels() has found."""

    groups: List[str]  #: n, paths or globs
    starts: np.ndarray  #: k, when the windows begin [s]
    levels: List[List[str]]  #: n x k, names of levels
    metrics: List[str]  #: m
    units: List[str]  #: m
    tolerance: Dict[str, float]  #: by metric
    predicted_error: Dict[str, float]  #: by metric, before the run with these levels; empty if it was not predicted
    true_error: Dict[str, float]  #: by metric, of the run with these levels
    cost: int  #: evaluations of this run
    reference_cost: int  #: evaluations of the run with the highest levels
    switches: int  #: of levels in this run
    probes: int  #: windows that were run with another level
    runs: float  #: cost of the search, in runs of the reference
    is_within: bool  #: whether all errors are within their tolerances
    status: str  #: "done", "shard" (only some of the probes have run), or "interrupted"
    chart: str = ""  #: a chart (SCXML) that chooses the levels, where `output` names an .scxml file
    chart_error: Dict[str, float] = field(default_factory=dict)  #: by metric, of the run with the chart
    chart_cost: int = 0  #: evaluations of this run
    chart_switches: int = 0  #: of levels in this run


@with_options_of("levels")
def levels(source: Source, metric: Mapping[str, str], tolerance: Mapping[str, str], **options) -> Levels:
    """The cheapest levels over time whose errors stay within tolerances, as ``davit levels`` finds them.

    `metric`: by name a curve, "load.x", or a value, "max(load.x)". `tolerance`: by name a value or percentage, "1%". `output`
    names a file: .xml for the schedule, .scxml for a chart, .csv for all probes. Other options are those of load().

    Raises InputError; RuntimeError if the run with the highest levels fails.
    """
    study, system = _study("levels", source, options, metric=metric, tolerance=tolerance)
    return _levels(study.run(system))


def _levels(found: Dict[str, Any]) -> Levels:
    return Levels(**found)
