// Systems as FMUs for model exchange, imported and integrated by davit, beside the native systems with the
// same method and tolerances. `ratio` is the processor time per evaluation of the imported one over that of
// the native one, the medians of runs that alternate; both include all that a run does besides (steps,
// events, completed steps). `ns` is the time of one evaluation, `allocations` and `bytes` are what the heap
// was asked for during the run, per evaluation.

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "components/register.h"
#include "fmi/fmu_export.h"
#include "fmi/import/fmu_component.h"
#include "session/simulation.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// What this thread has computed [s]: other work of the machine does not count.
double CpuTime() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// What runs have cost, by evaluation.
struct Costs {
  std::vector<double> seconds;
  double evaluations = 0;
  double allocations = 0;
  double bytes = 0;
};

/// A folder for one FMU, and one for what it is unpacked to.
class Scratch {
 public:
  Scratch() {
    std::string folder = (fs::temp_directory_path() / "davit-benchmark-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no scratch folder");
    folder_ = folder;
    setenv("DAVIT_FMU_CACHE", (folder_ / "cache").c_str(), 1);
  }
  ~Scratch() { fs::remove_all(folder_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

void Run(Simulation& simulation, Costs& costs) {
  simulation.Initialize();
  const AllocationCounter heap;
  const double begin = CpuTime();
  simulation.Run();
  const double seconds = CpuTime() - begin;
  const auto evaluations = static_cast<double>(simulation.statistics().evaluations);
  costs.seconds.push_back(seconds / evaluations);
  costs.evaluations = evaluations;
  costs.allocations = static_cast<double>(heap.count()) / evaluations;
  costs.bytes = static_cast<double>(heap.bytes()) / evaluations;
}

std::unique_ptr<Simulation> Load(LoadedSimulation loaded) {
  if (loaded.simulation == nullptr) throw std::runtime_error(loaded.ToText());
  return std::move(loaded.simulation);
}

/// `name`: a system of systems/ that can be exported for model exchange.
void BM_ImportedBesideNative(benchmark::State& state, const char* name, const char* time_step,
                             const char* stop) {
  const Scratch scratch;
  Registry registry = AllModels();
  RegisterFmi(registry);
  const fs::path system = fs::path(DAVIT_SOURCE_DIR) / "systems" / (std::string(name) + ".xml");
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
  Diagnostics diagnostics;
  ExportFmu({.system = system,
             .output = scratch.folder() / "x.fmu",
             .has_co_simulation = false,
             .has_model_exchange = true,
             .has_reference = false,
             .runtime = program.parent_path() / "davit_fmu_runtime.so"},
            registry, diagnostics);
  if (diagnostics.has_errors()) throw std::runtime_error(ToText(diagnostics.all().front()));
  const std::vector<std::string> common{
      std::string("SimulatorManager.TimeStep=") + time_step, std::string("SimulatorManager.StopTime=") + stop,
      "SimulatorManager.Integration.method=runge_kutta_dopri5", "SimulatorManager.Integration.rtol=1e-6",
      "SimulatorManager.Integration.atol=1e-8"};
  const std::string imported_text =
      "<System name=\"imported\"><SimulatorManager TimeStep=\"1 s\"><Integration/></SimulatorManager>"
      "<fmi.Fmu name=\"fmu\" file=\"x.fmu\"/></System>";
  Costs native, imported;
  for (auto _ : state) {
    SimulationOptions options;
    options.load.set = common;
    Run(*Load(Simulation::Load(system, registry, options)), native);
    Run(*Load(Simulation::LoadText(imported_text, scratch.folder() / "x.xml", registry, options)), imported);
  }
  state.counters["ns"] = 1e9 * Median(imported.seconds);
  state.counters["native_ns"] = 1e9 * Median(native.seconds);
  state.counters["ratio"] = Median(imported.seconds) / Median(native.seconds);
  state.counters["evaluations"] = imported.evaluations;
  state.counters["native_evaluations"] = native.evaluations;
  state.counters["allocations"] = imported.allocations;
  state.counters["bytes"] = imported.bytes;
}
BENCHMARK_CAPTURE(BM_ImportedBesideNative, mass_spring, "mass_spring", "10 ms", "100 s")
    ->Unit(benchmark::kMillisecond)
    ->MinTime(1);
BENCHMARK_CAPTURE(BM_ImportedBesideNative, lifting_cylinder, "lifting_cylinder", "10 ms", "2 s")
    ->Unit(benchmark::kMillisecond)
    ->MinTime(1);
BENCHMARK_CAPTURE(BM_ImportedBesideNative, knuckle_boom_crane, "knuckle_boom_crane", "10 ms", "1 s")
    ->Unit(benchmark::kMillisecond)
    ->MinTime(1);
BENCHMARK_CAPTURE(BM_ImportedBesideNative, laboratory_crane, "laboratory_crane", "10 ms", "1 s")
    ->Unit(benchmark::kMillisecond)
    ->MinTime(1);
BENCHMARK_CAPTURE(BM_ImportedBesideNative, bouncing_ball, "bouncing_ball", "10 ms", "4 s")
    ->Unit(benchmark::kMillisecond)
    ->MinTime(1);

}  // namespace
}  // namespace davit
