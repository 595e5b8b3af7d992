// The lifting system as an FMU, stepped by 10 ms with its outputs read at each step, beside the native run of
// the same 50 s. `ratio` is the time of the FMU per time of the native run, the medians of runs that
// alternate.

#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "components/register.h"
#include "fmi/abi/abi2.h"
#include "fmi/fmu_export.h"
#include "fmi/zip_reader.h"
#include "session/simulation.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

const fs::path kLiftingSystem = fs::path(DAVIT_SOURCE_DIR) / "systems/lifting_cylinder.xml";
constexpr double kStep = 0.01;  // [s]
constexpr int kSteps = 5000;

double SecondsOf(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// The FMU, unpacked and loaded.
class LiftingFmu {
 public:
  explicit LiftingFmu(const Registry& registry) {
    const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
    std::string folder = (fs::temp_directory_path() / "davit-benchmark-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no scratch folder");
    folder_ = folder;
    Diagnostics diagnostics;
    ExportFmu({.system = kLiftingSystem,
               .output = folder_ / "lifting.fmu",
               .runtime = program.parent_path() / "davit_fmu_runtime.so"},
              registry, diagnostics);
    UnpackZip(folder_ / "lifting.fmu", folder_ / "fmu");
    library_ = dlopen((folder_ / "fmu/binaries/linux64/lifting_cylinder.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) throw std::runtime_error(dlerror());
    std::ifstream stream(folder_ / "fmu/modelDescription.xml");
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const std::size_t place = text.find("guid=\"") + 6;
    token_ = text.substr(place, text.find('"', place) - place);
    for (const char* name : {"load.x", "load.v", "cylinder.p_a", "cylinder.p_b", "cylinder.q_a",
                             "cylinder.q_b", "pump.p_out", "pump.q_out", "operator.y"}) {
      const std::string start = std::string("name=\"") + name + "\" valueReference=\"";
      outputs_.push_back(
          static_cast<fmi2ValueReference>(std::stoul(text.substr(text.find(start) + start.size()))));
    }
  }
  ~LiftingFmu() {
    dlclose(library_);
    fs::remove_all(folder_);
  }

  double Run() {
    const auto c = Get<decltype(fmi2Instantiate)>("fmi2Instantiate")(
        "lifting", fmi2CoSimulation, token_.c_str(),
        ("file://" + (folder_ / "fmu/resources").string()).c_str(), nullptr, fmi2False, fmi2False);
    Get<decltype(fmi2SetupExperiment)>("fmi2SetupExperiment")(c, fmi2False, 0, 0, fmi2True, kSteps * kStep);
    Get<decltype(fmi2EnterInitializationMode)>("fmi2EnterInitializationMode")(c);
    auto* const step = Get<decltype(fmi2DoStep)>("fmi2DoStep");
    auto* const read = Get<decltype(fmi2GetReal)>("fmi2GetReal");
    std::vector<double> values(outputs_.size());
    const Clock::time_point begin = Clock::now();
    Get<decltype(fmi2ExitInitializationMode)>("fmi2ExitInitializationMode")(c);
    for (int i = 0; i < kSteps; ++i) {
      if (step(c, i * kStep, kStep, fmi2True) != fmi2OK) throw std::runtime_error("a step has failed");
      read(c, outputs_.data(), outputs_.size(), values.data());
      benchmark::DoNotOptimize(values.data());
    }
    const double seconds = SecondsOf(Clock::now() - begin);
    Get<decltype(fmi2FreeInstance)>("fmi2FreeInstance")(c);
    return seconds;
  }

 private:
  template <class Function>
  Function* Get(const char* name) const {
    return reinterpret_cast<Function*>(dlsym(library_, name));
  }

  fs::path folder_;
  void* library_ = nullptr;
  std::string token_;
  std::vector<fmi2ValueReference> outputs_;
};

double RunNative(const Registry& registry) {
  const std::unique_ptr<Simulation> simulation = Simulation::Load(kLiftingSystem, registry).Take();
  const Clock::time_point begin = Clock::now();
  simulation->Initialize();
  simulation->Run();
  return SecondsOf(Clock::now() - begin);
}

void BM_FmuBesideNative(benchmark::State& state) {
  const Registry registry = AllModels();
  LiftingFmu fmu(registry);
  std::vector<double> of_fmu;
  std::vector<double> of_native;
  for (auto _ : state) {
    of_native.push_back(RunNative(registry));
    of_fmu.push_back(fmu.Run());
  }
  state.counters["fmu_s"] = Median(of_fmu);
  state.counters["native_s"] = Median(of_native);
  state.counters["ratio"] = Median(of_fmu) / Median(of_native);
}
BENCHMARK(BM_FmuBesideNative)->Unit(benchmark::kMillisecond)->MinTime(5);

}  // namespace
}  // namespace davit
