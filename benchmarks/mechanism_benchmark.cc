// What the accelerations of a random tree of bodies cost from positions and speeds on, beside Simbody where
// it is installed. Compare both in one run with --benchmark_enable_random_interleaving=true. Targets: not
// slower than Simbody, and proportional to the number of bodies.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <vector>

#include "components/mechanism/dynamics/tree_dynamics.h"
#include "tests/components/mechanism/dynamics/random_tree.h"
#ifdef DAVIT_HAS_SIMBODY
#include "tests/partners/links_of.h"
#endif

namespace davit::multibody {
namespace {

RandomTree AtRest(const benchmark::State& state) {
  RandomTree random(static_cast<std::size_t>(state.range(0)), 1);
  const Vector3 gravity = random.base.gravity;
  random.base = {};
  random.base.gravity = gravity;
  random.tau.assign(random.tau.size(), 0);
  random.rotor_inertia.assign(random.rotor_inertia.size(), 0);
  return random;
}

void Davit(benchmark::State& state) {
  RandomTree random = AtRest(state);
  TreeDynamics dynamics(random.tree);
  std::vector<double> u_rate(random.tree.speeds());
  for (auto _ : state) {
    dynamics.MoveTo(random.base, random.q, random.u);
    if (dynamics.FactorInertia(random.rotor_inertia)) return state.SkipWithError("a body without inertia");
    dynamics.Accelerate(random.wrenches, random.tau, u_rate);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(Davit)->Arg(1)->Arg(5)->Arg(10)->Arg(30)->Arg(100)->Arg(200);

#ifdef DAVIT_HAS_SIMBODY
void Simbody(benchmark::State& state) {
  const RandomTree random = AtRest(state);
  SimbodyTree simbody(LinksOf(random), random.base.gravity);
  for (auto _ : state) {
    simbody.Realize();
    benchmark::ClobberMemory();
  }
}
BENCHMARK(Simbody)->Arg(1)->Arg(5)->Arg(10)->Arg(30)->Arg(100)->Arg(200);
#endif

}  // namespace
}  // namespace davit::multibody
