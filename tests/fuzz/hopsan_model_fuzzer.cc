// Feeds mutated models of Hopsan to their reader, and what it makes of them to the loader. Whatever the text,
// the answer is a system or diagnostics of one line each; no crash, no hang, no memory without bound.
//
// Words: tests/fuzz/hopsan_model.dict.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "components/register.h"
#include "framework/xml/system_loader.h"
#include "hopsan/import/hmf_import.h"
#include "hopsan/register.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

const Registry& ModelsOfHopsan() {
  static const Registry registry = [] {
    Registry all;
    RegisterSimulator(all);
    RegisterHopsan(all);
    return all;
  }();
  return registry;
}

void Require(bool holds, const std::string& text) {
  if (holds) return;
  std::fprintf(stderr, "not a proper diagnostic: %s\n", text.c_str());
  std::abort();
}

void CheckAll(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    const std::string text = ToText(diagnostic);
    // The last line of very many tells how many there were.
    const bool is_whole =
        diagnostic.message().find("; ") != std::string::npos || diagnostic.message().ends_with(" left out");
    Require(text.find('\n') == std::string::npos && is_whole, text);
  }
}

void Load(std::string_view input) {
  const std::string text(input.empty() ? input : input.substr(1));
  const bool has_stubs = !input.empty() && (input.front() & 1) != 0;
  Diagnostics diagnostics;
  const auto import =
      hopsan::ImportHmf("fuzz.hmf", ModelsOfHopsan(), {.has_stubs = has_stubs, .text = &text}, diagnostics);
  Require(import.has_value() || diagnostics.has_errors(), "neither a system nor an error");
  CheckAll(diagnostics);
  if (!import) return;
  Diagnostics of_load;
  const auto system =
      LoadSystem({.file = "fuzz.hmf", .description = import->description}, ModelsOfHopsan(), {}, of_load);
  if (system != nullptr) SimulatorManager::Of(*system).Build(*system, of_load);
  CheckAll(of_load);
}

}  // namespace
}  // namespace davit

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  davit::Load({reinterpret_cast<const char*>(data), size});
  return 0;
}
