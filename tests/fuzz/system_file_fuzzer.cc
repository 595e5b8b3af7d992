// Feeds mutated system files to the loader and the network builder. Whatever the text, the answer is a system
// or diagnostics of one line each; no crash, no hang, no memory without bound.
//
// Not part of the normal build. From the root of the repository (packages clang-19 and libclang-rt-19-dev):
//   clang++-19 -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -isystem /usr/include/eigen3 -I. \
//     tests/fuzz/system_file_fuzzer.cc framework/*.cc simulator/*.cc simulator/*/*.cc components/*.cc \
//     components/*/*.cc -ltinyxml2 -ludunits2 -lfmt -lspdlog -lpthread -o system_file_fuzzer
//   mkdir -p corpus && cp systems/*.xml tests/errors/*.xml tests/errors/parts/*.xml corpus
//   ./system_file_fuzzer -max_len=4096 -timeout=10 -dict=tests/fuzz/system_file.dict corpus

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
    Require(text.find('\n') == std::string::npos && diagnostic.message.find("; ") != std::string::npos, text);
  }
}

}  // namespace
}  // namespace davit

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  davit::Load({reinterpret_cast<const char*>(data), size});
  return 0;
}
