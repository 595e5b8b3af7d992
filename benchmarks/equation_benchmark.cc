// What an evaluation of equations in XML costs, against the same equations in C++: of an island of 1, 10 and
// 100 oscillators, as a solver evaluates it. Target: at most 3 times.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "components/register.h"
#include "session/simulation.h"
#include "simulator/islands/island.h"

namespace davit {
namespace {

const Registry& Models() {
  static const Registry registry = AllModels();
  return registry;
}

/// All members of the one island, as the solver evaluates them: through the tables of their types.
class Evaluated {
 public:
  explicit Evaluated(const std::string& content)
      : simulation_(
            Simulation::LoadText("<System name='b'><SimulatorManager TimeStep='10 ms' StopTime='1 s'/>" +
                                     content + "</System>",
                                 "benchmark.xml", Models())
                .Take()) {
    simulation_->Initialize();
    island_ = simulation_->manager().islands().front().get();
  }
  Island& island() { return *island_; }

 private:
  std::unique_ptr<Simulation> simulation_;
  Island* island_ = nullptr;
};

/// `count` equal components; where there are several, a sum of their x joins them to one island.
std::string Group(std::int64_t count, const std::string& head, const std::string& tail) {
  if (count == 1) return head + "'b'" + tail;
  std::string content = "<signal.Sum name='sum'/>";
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string name = "b" + std::to_string(i);
    content += head + '\'' + name + '\'' + tail + "<Route from='" + name + ".x' to='sum.u' hold='none'/>";
  }
  return content;
}

void Run(benchmark::State& state, const std::string& content) {
  Evaluated evaluated(content);
  double t = 0;
  for (auto _ : state) {
    evaluated.island().EvaluateAt(t += 1e-6);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void MassSpringDamper_Cpp(benchmark::State& state) {
  Run(state, Group(state.range(0), "<mechanical.MassSpringDamper name=",
                   " mass='2' stiffness='50' damping='3'><Start x='0.1'/></mechanical.MassSpringDamper>"));
}
BENCHMARK(MassSpringDamper_Cpp)->Arg(1)->Arg(10)->Arg(100);

void MassSpringDamper_Equation(benchmark::State& state) {
  Run(state, Group(state.range(0), "<user.Equation name=",
                   "><Parameter name='m' value='2'/><Parameter name='k' value='50'/>"
                   "<Parameter name='c' value='3'/><Input name='F'/>"
                   "<State name='x' start='0.1' der='v'/><State name='v' der='(F - c*v - k*x)/m'/>"
                   "</user.Equation>"));
}
BENCHMARK(MassSpringDamper_Equation)->Arg(1)->Arg(10)->Arg(100);

}  // namespace
}  // namespace davit
