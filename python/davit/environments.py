"""Environments to train controllers: gymnasium environments if gymnasium is installed, else with the same interface."""

import os
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from .errors import InputError
from .simulation import Seconds, Simulation, Value, si

try:
    import gymnasium
except ImportError:
    gymnasium = None

#: (lowest, highest) value, in SI or as texts with units.
Bounds = Tuple[Value, Value]
#: Of observations (..., k) and actions (..., m): the rewards (...).
Reward = Callable[[np.ndarray, np.ndarray], Any]


class Box:
    """Vectors of numbers between bounds: a space as environments have it. `low`, `high`: arrays; `shape`, `dtype`."""

    def __init__(self, low: np.ndarray, high: np.ndarray):
        self.low = np.asarray(low, dtype=np.float64)
        self.high = np.asarray(high, dtype=np.float64)
        self.shape = self.low.shape
        self.dtype = self.low.dtype
        self._random = np.random.default_rng()

    def seed(self, seed: Optional[int] = None) -> None:
        """Of sample()."""
        self._random = np.random.default_rng(seed)

    def sample(self) -> np.ndarray:
        """Uniform between the bounds; without bounds, normal with a deviation of 1."""
        bounded = np.isfinite(self.low) & np.isfinite(self.high)
        uniform = self._random.uniform(np.where(bounded, self.low, 0), np.where(bounded, self.high, 1))
        return np.where(bounded, uniform, np.clip(self._random.normal(size=self.shape), self.low, self.high))

    def contains(self, x: Any) -> bool:
        """Whether x has the shape of the space, and lies within the bounds."""
        x = np.asarray(x, dtype=np.float64)
        return x.shape == self.shape and bool(np.all((x >= self.low) & (x <= self.high)))

    __contains__ = contains

    def __repr__(self) -> str:
        return f"Box({self.low}, {self.high})"


def _space(low: np.ndarray, high: np.ndarray) -> Any:
    return Box(low, high) if gymnasium is None else gymnasium.spaces.Box(low, high, dtype=np.float64)


class _Env:
    """The members of gymnasium.Env that Environment needs if gymnasium is not installed."""

    metadata: Dict[str, Any] = {"render_modes": []}
    render_mode: Optional[str] = None
    spec = None
    _np_random: Optional[np.random.Generator] = None

    @property
    def np_random(self) -> np.random.Generator:
        """What is random in an episode comes from it; reset(seed=...) makes a new one."""
        if self._np_random is None:
            self._np_random = np.random.default_rng()
        return self._np_random

    @np_random.setter
    def np_random(self, random: np.random.Generator) -> None:
        self._np_random = random

    @property
    def unwrapped(self) -> "_Env":
        """The environment without wrappers."""
        return self

    def reset(self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Any:
        """Takes the seed."""
        if seed is not None:
            self._np_random = np.random.default_rng(seed)

    def close(self) -> None:
        """Nothing is left to close."""

    def __enter__(self) -> "_Env":
        return self

    def __exit__(self, *raised: Any) -> None:
        self.close()


def _bounds(named: Union[Sequence[str], Mapping[str, Bounds]], units: List[str]) -> Tuple[np.ndarray, np.ndarray]:
    if not isinstance(named, Mapping):
        return np.full(len(named), -np.inf), np.full(len(named), np.inf)
    pairs = [[si(bound, unit) if isinstance(bound, str) else float(bound) for bound in bounds]
             for bounds, unit in zip(named.values(), units)]
    low, high = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
    for path, a, b in zip(named, low, high):
        if not a < b:
            raise InputError(f"{path}: the bounds {a:g} and {b:g} are not an interval; give the lower one first")
    return low, high


class VectorEnvironment:
    """N systems that are stepped together, on threads.

    `actions`: by path of a live parameter or an input without a route its bounds. `observations`: paths, or by path its
    bounds. `reward`: of observations (N, k) and actions (N, m) the rewards (N,). `terminated`: of observations which
    episodes end, (N,) of bool; a run that fails ends its episode, too. `step`: the time between actions, a multiple of the
    TimeStep, which it is without. An episode begins at the start values, or after `warm_up`, and is truncated after
    `duration`, at the latest at the end of the run. `randomize(simulation, random)` may write values when an episode of a
    system begins; `random` is a numpy Generator. `threads`: 0: as many as the machine has processors; results do not
    depend on them. Other options are those of load().

    An environment whose episode ends is reset immediately: step() gives the first observation of its next episode, and
    ``infos["final_observation"]`` the last one of that which ended.
    """

    def __init__(self, source: Union[str, os.PathLike, Any], count: int, *, actions: Mapping[str, Bounds],
                 observations: Union[Sequence[str], Mapping[str, Bounds]], reward: Reward,
                 terminated: Optional[Callable[[np.ndarray], Any]] = None, step: Optional[Seconds] = None,
                 duration: Optional[Seconds] = None, warm_up: Seconds = 0,
                 randomize: Optional[Callable[[Simulation, np.random.Generator], None]] = None, threads: int = 0,
                 **options):
        if count < 1 or not actions or not observations:
            raise InputError("count: an environment needs at least one system, one action and one observation")
        self._simulations = [Simulation(source, **{"log": "info", **options}) for _ in range(count)]
        self._fleet = _core.Fleet(self._simulations, list(actions), list(observations), threads or os.cpu_count() or 1)
        self._reward, self._terminated, self._randomize = reward, terminated, randomize
        self.num_envs = count
        low, high = _bounds(actions, self._fleet.units(True))
        #: Of one system and of all: (m,) and (N, m).
        self.single_action_space = _space(low, high)
        self.action_space = _space(np.tile(low, (count, 1)), np.tile(high, (count, 1)))
        low, high = _bounds(observations, self._fleet.units(False))
        #: Of one system and of all: (k,) and (N, k).
        self.single_observation_space = _space(low, high)
        self.observation_space = _space(np.tile(low, (count, 1)), np.tile(high, (count, 1)))
        first = self._simulations[0]
        self._steps = self._count(step, first.time_step, "step") if step is not None else 1
        #: Seconds between actions.
        self.interval = self._steps * first.time_step
        for simulation in self._simulations:
            simulation.initialize()
            if warm_up:
                simulation.advance(warm_up)
        end = first.stop_time - first.time
        if duration is not None:
            end = min(end, si(duration, "s") if isinstance(duration, str) else float(duration))
        self._length = max(1, int(np.floor(end / self.interval + 1e-9)))
        self._fleet.remember()
        self._random = [np.random.default_rng() for _ in range(count)]
        self._age = np.zeros(count, dtype=np.int64)
        self._begun = False
        self._observations = np.empty(self.observation_space.shape)

    @staticmethod
    def _count(step: Seconds, time_step: float, name: str) -> int:
        seconds = si(step, "s") if isinstance(step, str) else float(step)
        count = round(seconds / time_step)
        if count < 1 or abs(count * time_step - seconds) > 1e-6 * time_step:
            raise InputError(f"{name}: {seconds:g} s is not a multiple of the TimeStep, {time_step:g} s")
        return count

    @property
    def simulations(self) -> List[Simulation]:
        """The systems, to look at."""
        return list(self._simulations)

    def _restart(self, chosen: np.ndarray) -> None:
        self._fleet.reset(chosen)
        self._age[chosen] = 0
        if self._randomize is not None:
            for i in np.flatnonzero(chosen):
                self._randomize(self._simulations[i], self._random[i])

    def reset(self, *, seed: Union[None, int, Sequence[int]] = None,
              options: Optional[Dict[str, Any]] = None) -> Tuple[np.ndarray, Dict[str, Any]]:
        """All episodes begin. `seed`: of `randomize`; of a number system i gets seed + i. Returns observations (N, k), {}."""
        if seed is not None:
            seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, (int, np.integer)) else list(seed)
            self._random = [np.random.default_rng(one) for one in seeds]
        return self._begin(), {}

    def _begin(self) -> np.ndarray:
        self._restart(np.ones(self.num_envs, dtype=bool))
        self._fleet.read(self._observations)
        self._begun = True
        return self._observations.copy()

    def step(self, actions: Any) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Dict[str, Any]]:
        """One interval with actions (N, m), which are brought within their bounds.

        Returns observations (N, k), rewards (N,), terminated (N,), truncated (N,) and infos: "final_observation" (N, k) and
        "failed", the texts of failed runs, for episodes that have ended.
        """
        observations, rewards, terminated, truncated = self._advance(actions)
        ended = terminated | truncated
        infos: Dict[str, Any] = {}
        if ended.any():
            infos["final_observation"] = observations
            infos["failed"] = self._fleet.faults
            self._restart(ended)
            self._fleet.read(self._observations)
        return self._observations.copy(), rewards, terminated, truncated, infos

    def _advance(self, actions: Any) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        if not self._begun:
            raise InputError("step: no episode has begun; call reset first")
        actions = np.ascontiguousarray(np.clip(np.asarray(actions, dtype=np.float64), self.action_space.low,
                                               self.action_space.high))
        if not np.all(np.isfinite(actions)):
            raise InputError("actions: they must be finite numbers")
        self._fleet.step(actions, self._observations, self._steps)
        self._age += 1
        status = np.array(self._fleet.status)
        observations = self._observations.copy()
        rewards = np.asarray(self._reward(observations, actions), dtype=np.float64).reshape(self.num_envs)
        terminated = status == 2
        if self._terminated is not None:
            terminated = terminated | np.asarray(self._terminated(observations), dtype=bool).reshape(self.num_envs)
        truncated = ~terminated & ((self._age >= self._length) | (status == 1))
        return observations, rewards, terminated, truncated

    def close(self) -> None:
        """Nothing is left to close."""

    def __repr__(self) -> str:
        return f"<davit.VectorEnvironment: {self.num_envs} times {self._simulations[0]!r}>"


class Environment(_Env if gymnasium is None else gymnasium.Env):
    """One system to learn from. Where gymnasium is installed it is a ``gymnasium.Env``, else it has the same form.

    The options are those of VectorEnvironment; arrays lack its first axis, and `reward` and `terminated` get arrays whose
    first axis has one element. `randomize` gets ``np_random``. `render_mode`: "ansi" renders a line of text, "rgb_array" a
    picture of the observations in this episode, which needs matplotlib.

    gymnasium makes it by its name: ``gymnasium.register("Lift-v0", entry_point="davit:Environment",
    kwargs={"source": "lift.xml", "actions": ...})``.
    """

    metadata: Dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 30}

    def __init__(self, source: Union[str, os.PathLike, Any], *, render_mode: Optional[str] = None, **options):
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise InputError(f"render_mode: no mode {render_mode!r}; there are {', '.join(self.metadata['render_modes'])}")
        self._vector = VectorEnvironment(source, 1, **{"threads": 1, **options})
        self._names = list(options["observations"])
        self._shown: List[Tuple[float, np.ndarray]] = []  # of the episode, for pictures
        self.render_mode = render_mode
        self.action_space = self._vector.single_action_space
        self.observation_space = self._vector.single_observation_space
        #: Seconds between actions.
        self.interval = self._vector.interval
        self.metadata = {**self.metadata, "render_fps": max(1, round(1 / self.interval))}

    @property
    def simulation(self) -> Simulation:
        """The system, to look at."""
        return self._vector.simulations[0]

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[Dict[str, Any]] = None) -> Tuple[np.ndarray, Dict[str, Any]]:
        """An episode begins; `seed` is that of ``np_random``. Returns the first observation (k,), {}."""
        super().reset(seed=seed)
        self._vector._random = [self.np_random]
        observation = self._vector._begin()[0]
        self._shown = [(self.simulation.time, observation)]
        return observation, {}

    def step(self, action: Any) -> Tuple[np.ndarray, float, bool, bool, Dict[str, Any]]:
        """One interval with the action (m,), which is brought within its bounds. Returns observation (k,), reward,
        terminated, truncated, infos: "failed" has the text of a run that has failed. After the end call reset()."""
        observations, rewards, terminated, truncated = self._vector._advance(np.asarray(action, dtype=np.float64)[None])
        has_ended = bool(terminated[0]) or bool(truncated[0])
        if self.render_mode is not None:
            self._shown.append((self.simulation.time, observations[0]))
        info = {"failed": self._vector._fleet.faults[0]} if has_ended else {}
        return observations[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info

    def render(self) -> Union[None, str, np.ndarray]:
        """The present state in the form of `render_mode`; None without."""
        if self.render_mode is None or not self._shown:
            return None
        units = self._vector._fleet.units(False)
        if self.render_mode == "ansi":
            time, values = self._shown[-1]
            return "  ".join([f"{time:g} s:"] + [f"{name} = {value:g} {unit}".rstrip()
                                                 for name, value, unit in zip(self._names, values, units)])
        try:
            from matplotlib.backends.backend_agg import FigureCanvasAgg
            from matplotlib.figure import Figure
        except ImportError as missing:
            raise ImportError('render_mode "rgb_array" needs matplotlib; install python3-matplotlib, or use "ansi"') from missing
        canvas = FigureCanvasAgg(Figure(figsize=(6.4, 1.6 * max(2, len(self._names))), dpi=100, layout="tight"))
        axes = canvas.figure.subplots(len(self._names), 1, sharex=True, squeeze=False)[:, 0]
        for i, (one, name, unit) in enumerate(zip(axes, self._names, units)):
            one.plot([time for time, _ in self._shown], [values[i] for _, values in self._shown], marker=".")
            one.set_ylabel(f"{name} [{unit or '1'}]")
        axes[-1].set_xlabel("time [s]")
        canvas.draw()
        return np.array(canvas.buffer_rgba())[..., :3]

    def close(self) -> None:
        """Nothing is left to close."""
