#include "tests/hopsan/native_run.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "components/register.h"
#include "hopsan/register.h"
#include "tests/hopsan/fault_text.h"
#include "tests/support/system_harness.h"

namespace davit {

const Registry& NativeModels() {
  static const Registry registry = [] {
    Registry models = AllModels();
    RegisterHopsan(models);
    return models;
  }();
  return registry;
}

hopsan::HmfImport ImportModel(const std::string& name, const std::string& text, bool is_native) {
  Diagnostics diagnostics;
  const auto import = hopsan::ImportHmf(
      name, NativeModels(), {.has_notes = true, .is_native = is_native, .text = &text}, diagnostics);
  if (!import) throw std::invalid_argument(TextOfFaults(diagnostics));
  return *import;
}

std::vector<double> RunOf(const std::string& system, const std::string& path, double stop,
                          const std::vector<std::string>& levels) {
  LoadOptions options;
  options.level = levels;
  const auto simulation = Simulation::LoadText(system, "test.xml", NativeModels(), {.load = options}).Take();
  simulation->Initialize();
  std::vector<double> values;
  for (int i = 0; i <= std::lround(stop / 0.01); ++i) {
    simulation->RunUntil(0.01 * i);
    values.push_back(simulation->Read(path));
  }
  return values;
}

double Deviation(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, peak = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = std::max(difference, std::abs(a[i] - b[i]));
    peak = std::max(peak, std::abs(b[i]));
  }
  return difference / peak;
}

}  // namespace davit
