// What the accelerations of a random tree of bodies cost from positions and speeds on, beside Simbody and
// DART where they are installed. Compare both in one run with --benchmark_enable_random_interleaving=true.
// Targets: not slower than either, and proportional to the number of bodies.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <vector>

#include "components/mechanism/dynamics/tree_dynamics.h"
#include "tests/components/mechanism/dynamics/random_tree.h"
#include "tests/partners/links_of.h"
#ifdef DAVIT_HAS_DART
#include "tests/partners/dart_tree.h"
#endif
#ifdef DAVIT_HAS_SIMBODY
#include "tests/partners/simbody_tree.h"
#endif

namespace davit::multibody {
namespace {

void Sizes(benchmark::internal::Benchmark* benchmark) {
  for (const int bodies : {1, 5, 10, 30, 100, 200}) benchmark->Arg(bodies);
}

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
BENCHMARK(Davit)->Apply(Sizes);

template <class Tree>
void Partner(benchmark::State& state) {
  const RandomTree random = AtRest(state);
  Tree tree(LinksOf(random), random.base.gravity);
  for (auto _ : state) {
    tree.Realize();
    benchmark::ClobberMemory();
  }
}
#ifdef DAVIT_HAS_SIMBODY
BENCHMARK(Partner<SimbodyTree>)->Apply(Sizes);
#endif
#ifdef DAVIT_HAS_DART
BENCHMARK(Partner<DartTree>)->Apply(Sizes);
#endif

}  // namespace
}  // namespace davit::multibody
