// What an island costs more than the same equations in one loop written by hand.
//
// N bodies on damped springs, m x'' = F - c x' - k x; the displacement of the first, times a gain, is the
// force on all others, so they make one island. By hand: one loop over an array of structs around the same
// odeint stepper, compiled with the same flags. Both evaluate the same equations the same number of times and
// end at the same values.
//
// Each benchmark makes 15 pairs of runs, davit and hand in turn, and shows the median of the ratio of their
// times: `ratio` to odeint's steppers as they come, `ratio_same_algebra` to a loop that has davit's
// VectorAlgebra too. The times (of the processor, so that other programs matter little) are per body and
// evaluation. With `TimeStep` = 100 solver steps the solver is seen almost alone; with 1, the step of the
// manager as well.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/numeric/odeint/algebra/range_algebra.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "components/register.h"
#include "session/simulation.h"
#include "simulator/islands/island.h"
#include "simulator/solvers/error_norm.h"
#include "simulator/solvers/vector_algebra.h"

namespace davit {
namespace {

namespace odeint = boost::numeric::odeint;
using State = std::vector<double>;

constexpr double kStep = 1e-3;
constexpr double kGain = 3;
constexpr double kTolerance = 1e-3;  // loose: the step is kStep throughout
constexpr int kRuns = 15;

struct Body {
  double mass, stiffness, damping;
};

std::vector<Body> MakeBodies(std::int64_t count) {
  std::vector<Body> bodies;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto k = static_cast<double>(i % 17);
    bodies.push_back({1 + 0.0625 * k, 100 + k, 0.5});
  }
  return bodies;
}

/// By hand.
class Loop {
 public:
  explicit Loop(const std::vector<Body>& bodies) : bodies_(bodies) {}
  void operator()(const State& y, State& ddt, double /*t*/) {
    ++evaluations_;
    double force = 0;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Body& b = bodies_[i];
      const double x = y[2 * i];
      const double v = y[2 * i + 1];
      ddt[2 * i] = v;
      ddt[2 * i + 1] = (force - b.damping * v - b.stiffness * x) / b.mass;
      force = kGain * y[0];
    }
  }
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  std::vector<Body> bodies_;
  std::uint64_t evaluations_ = 0;
};

State StartOf(std::size_t bodies) {
  State y(2 * bodies, 0.0);
  for (std::size_t i = 0; i < bodies; ++i) y[2 * i] = 1;
  return y;
}

template <class Algebra>
State RunLoop(const std::string& method, Loop& loop, std::size_t bodies, std::uint64_t steps) {
  State y = StartOf(bodies);
  if (method == "runge_kutta4") {
    odeint::runge_kutta4<State, double, State, double, Algebra> stepper;
    for (std::uint64_t n = 0; n < steps; ++n)
      stepper.do_step(std::ref(loop), y, static_cast<double>(n) * kStep, kStep);
    return y;
  }
  using Stepper = odeint::runge_kutta_dopri5<State, double, State, double, Algebra>;
  const std::vector<double> absolute(y.size(), kTolerance);
  odeint::controlled_runge_kutta<Stepper, ErrorNorm> stepper(
      ErrorNorm(kTolerance, absolute), odeint::default_step_adjuster<double, double>(kStep));
  State ddt(y.size()), out(y.size()), ddt_out(y.size());
  loop(y, ddt, 0);
  double t = 0;
  double dt = kStep;
  for (std::uint64_t n = 0; n < steps;) {
    if (stepper.try_step(std::ref(loop), y, ddt, t, out, ddt_out, dt) != odeint::success) continue;
    y.swap(out);
    ddt.swap(ddt_out);
    ++n;
  }
  return y;
}

/// With davit.
class BodySystem {
 public:
  BodySystem(const std::string& method, const std::vector<Body>& bodies, std::uint64_t steps,
             std::uint64_t steps_per_time_step) {
    const double time_step = kStep * static_cast<double>(steps_per_time_step);
    std::string text = fmt::format(
        "<System><SimulatorManager TimeStep=\"{}\" StopTime=\"{}\"><Integration solver=\"ODE\" method=\"{}\" "
        "substeps=\"{}\" rtol=\"{}\" atol=\"{}\" max_step=\"{}\"/></SimulatorManager>\n"
        "<signal.Gain name=\"gain\" gain=\"{}\"/><Route from=\"b0.x\" to=\"gain.u\"/>\n",
        time_step, kStep * static_cast<double>(steps), method, steps_per_time_step, kTolerance, kTolerance,
        kStep, kGain);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      text += fmt::format(
          "<mechanical.MassSpringDamper name=\"b{}\" mass=\"{}\" stiffness=\"{}\" damping=\"{}\"><Start "
          "x=\"1\"/>"
          "</mechanical.MassSpringDamper>\n",
          i, bodies[i].mass, bodies[i].stiffness, bodies[i].damping);
      if (i > 0) text += fmt::format("<Route from=\"gain.y\" to=\"b{}.force\"/>\n", i);
    }
    text += "<Record signals=\"b0.x\" times=\"0\"/></System>";
    simulation_ = Simulation::LoadText(text, "benchmark.xml", registry_).Take();
    if (manager().statistics().islands != 1) throw std::runtime_error("not one island");
  }

  SimulatorManager& manager() { return simulation_->manager(); }
  void Run() {
    while (!manager().is_finished()) manager().Step();
  }
  /// Of the last body.
  double Read(const std::string& path) const { return simulation_->Read(path); }

 private:
  Registry registry_ = AllModels();
  std::unique_ptr<Simulation> simulation_;
};

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

/// Of the processor, by this thread [s].
double Now() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void Compare(benchmark::State& state, const std::string& method) {
  const std::vector<Body> bodies = MakeBodies(state.range(0));
  const auto steps_per_time_step = static_cast<std::uint64_t>(state.range(1));
  const std::uint64_t steps = std::max<std::uint64_t>(2'000'000 / bodies.size(), 1000) / 100 * 100;
  BodySystem island(method, bodies, steps, steps_per_time_step);
  Loop loop(bodies);
  std::vector<double> ratios, vector_ratios, island_times, loop_times;
  State by_hand;
  for (auto _ : state) {
    for (int run = 0; run < kRuns; ++run) {
      island.manager().Initialize();
      const double begin = Now();
      island.Run();
      const double after_island = Now();
      by_hand = RunLoop<odeint::range_algebra>(method, loop, bodies.size(), steps);
      const double after_loop = Now();
      benchmark::DoNotOptimize(RunLoop<VectorAlgebra>(method, loop, bodies.size(), steps));
      const double end = Now();
      island_times.push_back(after_island - begin);
      loop_times.push_back(after_loop - after_island);
      ratios.push_back(island_times.back() / loop_times.back());
      vector_ratios.push_back(island_times.back() / (end - after_loop));
    }
  }
  const double evaluations = static_cast<double>(loop.evaluations()) / (2 * kRuns);
  const double per_body = 1e9 / (evaluations * static_cast<double>(bodies.size()));
  state.counters["ratio"] = Median(ratios);
  state.counters["ratio_same_algebra"] = Median(vector_ratios);
  state.counters["davit_ns"] = Median(island_times) * per_body;
  state.counters["hand_ns"] = Median(loop_times) * per_body;
  state.counters["evaluations"] = static_cast<double>(island.manager().statistics().evaluations);
  state.counters["by_hand"] = evaluations;
  const std::size_t last = bodies.size() - 1;
  const double difference = island.Read(fmt::format("b{}.v", last)) - by_hand[2 * last + 1];
  if (std::abs(difference) > 1e-6) state.SkipWithError("the two do not end at the same values");
}

BENCHMARK_CAPTURE(Compare, runge_kutta4, "runge_kutta4")
    ->ArgNames({"N", "steps_per_TimeStep"})
    ->ArgsProduct({{10, 100, 1000}, {100, 1}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Compare, runge_kutta_dopri5, "runge_kutta_dopri5")
    ->ArgNames({"N", "steps_per_TimeStep"})
    ->ArgsProduct({{10, 100, 1000}, {100, 1}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace davit
