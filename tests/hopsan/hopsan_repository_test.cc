#include <cstdlib>
#include <sstream>

#include "components/register.h"
#include "hopsan/import/hmf_import.h"
#include "hopsan/register.h"
#include "hopsan/run/validation.h"
#include "tests/hopsan/fault_text.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

// Hopsan's own repository is not part of davit: its place is in the environment variable DAVIT_HOPSAN.
std::vector<fs::path> FilesOfHopsan(const fs::path& extension) {
  const char* const place = std::getenv("DAVIT_HOPSAN");
  std::vector<fs::path> files;
  if (place == nullptr || !fs::exists(place)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(place)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

TEST(HopsanRepository, ValidationSetsAgree) {
  const std::vector<fs::path> sets = FilesOfHopsan(".hvc");
  if (sets.empty()) GTEST_SKIP() << "no validation sets below DAVIT_HOPSAN";
  Registry registry = AllModels();
  RegisterHopsan(registry);
  for (const fs::path& set : sets) {
    std::ostringstream out;
    Diagnostics diagnostics;
    EXPECT_TRUE(hopsan::Validate(set, registry, out, diagnostics)) << set << '\n'
                                                                   << out.str() << TextOfFaults(diagnostics);
  }
}

// As many as the documentation says; each of them also as davit's own models, as far as there are any.
TEST(HopsanRepository, ModelsLoad) {
  const std::vector<fs::path> models = FilesOfHopsan(".hmf");
  if (models.empty()) GTEST_SKIP() << "no models below DAVIT_HOPSAN";
  Registry registry = AllModels();
  RegisterHopsan(registry);
  int loaded = 0;
  for (const fs::path& model : models) {
    Diagnostics diagnostics;
    if (!hopsan::ImportHmf(model, registry, {}, diagnostics)) continue;
    ++loaded;
    const auto native =
        hopsan::ImportHmf(model, registry, {.has_notes = true, .is_native = true}, diagnostics);
    ASSERT_TRUE(native) << model << '\n' << TextOfFaults(diagnostics);
    const LoadedSimulation simulation = Simulation::LoadText(native->description->ToXml(), model, registry);
    EXPECT_NE(simulation.simulation, nullptr) << model << '\n' << TextOfFaults(simulation.diagnostics);
  }
  EXPECT_GE(loaded, 128);
}

}  // namespace
}  // namespace davit
