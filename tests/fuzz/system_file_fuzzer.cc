// Feeds mutated system files to the loader and the network builder. Whatever the text, the answer is a system
// or diagnostics of one line each; no crash, no hang, no memory without bound.
//
// Corpus: systems, tests/errors and tests/errors/parts; words: tests/fuzz/system_file.dict.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "components/register.h"
#include "framework/xml/system_loader.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

const Registry& AllModels() {
  static const Registry registry = [] {
    Registry all;
    RegisterSimulator(all);
    RegisterComponents(all);
    return all;
  }();
  return registry;
}

/// What follows this line in the input are options, one a line: `--set load.mass=5`.
constexpr std::string_view kOptionMark = "\n#options\n";

LoadOptions ReadOptions(std::string_view text) {
  LoadOptions options;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t space = line.find(' ');
    if (space != std::string_view::npos) {
      const std::string_view name = line.substr(0, space);
      const std::string value(line.substr(space + 1));
      if (name == "--set") options.set.push_back(value);
      if (name == "--level") options.level.push_back(value);
      if (name == "--at") options.at.push_back(value);
      if (name == "--signals") options.signals.push_back(value);
      if (name == "--interval") options.interval = value;
    }
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return options;
}

void Require(bool holds, const std::string& text) {
  if (holds) return;
  std::fprintf(stderr, "not a proper diagnostic: %s\n", text.c_str());
  std::abort();
}

void Load(std::string_view input) {
  const std::size_t mark = input.find(kOptionMark);
  LoadOptions options;
  if (mark != std::string_view::npos) options = ReadOptions(input.substr(mark + kOptionMark.size()));
  Diagnostics diagnostics;
  const auto system =
      LoadSystemText(input.substr(0, mark), "tests/errors/fuzz.xml", AllModels(), options, diagnostics);
  if (system != nullptr) SimulatorManager::Of(*system).Build(*system, diagnostics);
  Require(system != nullptr || diagnostics.has_errors(), "neither a system nor an error");
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    const std::string text = ToText(diagnostic);
    Require(text.find('\n') == std::string::npos && diagnostic.message().find("; ") != std::string::npos,
            text);
  }
}

}  // namespace
}  // namespace davit

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  davit::Load({reinterpret_cast<const char*>(data), size});
  return 0;
}
