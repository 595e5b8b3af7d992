#include <cstdlib>
#include <sstream>

#include "components/register.h"
#include "hopsan/register.h"
#include "hopsan/run/validation.h"
#include "tests/hopsan/fault_text.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

// Hopsan's own repository is not part of davit: its place is in the environment variable DAVIT_HOPSAN.
std::vector<fs::path> ValidationSets() {
  const char* const place = std::getenv("DAVIT_HOPSAN");
  std::vector<fs::path> sets;
  if (place == nullptr || !fs::exists(place)) return sets;
  for (const auto& entry : fs::recursive_directory_iterator(place)) {
    if (entry.path().extension() == ".hvc") sets.push_back(entry.path());
  }
  std::ranges::sort(sets);
  return sets;
}

TEST(HopsanRepository, ValidationSetsAgree) {
  const std::vector<fs::path> sets = ValidationSets();
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

}  // namespace
}  // namespace davit
