// Feeds archives, model descriptions, terminals, port texts and parameter sets to the reader of FMUs, and
// system structures to that of SSP.
// Whatever comes, the answer is a component or diagnostics of one line each; no crash, no hang, no memory
// without bound, and nothing is written outside of the cache. No library is loaded.
//
// An input is an archive if it begins with `PK`, of an FMU and of a system of FMUs; else a model description,
// after `#terminals` on a line of its own terminalsAndIcons.xml, after `#ports` a port text, after `#set` a
// parameter set, after `#mapping` the mapping of its parameters, after `#structure` the SystemStructure.ssd
// of an archive with all of them.
//
// Corpus: tests/fuzz/fmus; words: tests/fuzz/fmu.dict.

#include <stdlib.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fmi/import/fmu_cache.h"
#include "fmi/import/lone_fmu.h"
#include "fmi/ssp/ssp_system.h"
#include "fmi/zip_writer.h"
#include "framework/xml/parameter_set_reader.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// In memory, where there is such a place.
const fs::path& Folder() {
  static const fs::path kFolder = [] {
    std::string name = "/dev/shm/davit_fmu_fuzzer-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) std::abort();
    setenv("DAVIT_FMU_CACHE", (name + "/cache").c_str(), 1);
    return fs::path(name);
  }();
  return kFolder;
}

void Require(bool holds, const std::string& text) {
  if (holds) return;
  std::fprintf(stderr, "not a proper diagnostic: %s\n", text.c_str());
  std::abort();
}

void CheckDiagnostics(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    const std::string text = ToText(diagnostic);
    Require(text.find('\n') == std::string::npos, text);
  }
}

/// Cuts what follows the line `#name` off `text`.
std::string_view CutAfter(std::string_view& text, std::string_view mark) {
  const std::size_t begin = text.find(mark);
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = text.substr(begin + mark.size());
  text = text.substr(0, begin);
  return rest;
}

void ReadFmu(const fs::path& file, std::string_view ports) {
  for (const char* kind : {"CoSimulation", "ModelExchange"}) {
    Diagnostics diagnostics;
    FileDescribed::Attributes attributes{{"kind", kind}, {"locals", "*"}};
    if (!ports.empty()) attributes.emplace("ports", ports);
    const LoneFmu fmu(file, attributes, diagnostics);
    CheckDiagnostics(diagnostics);
    if (diagnostics.has_errors()) continue;
    fmu.Describe();
    Diagnostics of_text;
    fmu.MakeSystem({}, of_text);
    CheckDiagnostics(of_text);
  }
}

std::string ReadBytes(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void ReadSet(std::string_view set, std::string_view mapping) {
  const fs::path path = Folder() / "x.ssv";
  const fs::path mapped = Folder() / "x.ssm";
  std::ofstream(path, std::ios::binary) << set;
  std::ofstream(mapped, std::ios::binary) << mapping;
  static const UnitSystem kUnits;
  Diagnostics diagnostics;
  ReadParameterSet(path.string() + "," + mapped.string(), DiskFiles(), kUnits, diagnostics);
  ReadParameterSet(path.string(), DiskFiles(), kUnits, diagnostics);
  CheckDiagnostics(diagnostics);
}

void ReadSystem(const fs::path& file) {
  Diagnostics diagnostics;
  ReadSsp(file, diagnostics);
  CheckDiagnostics(diagnostics);
}

void ReadStructure(std::string_view structure, std::string_view set, std::string_view mapping) {
  const fs::path file = Folder() / "x.ssp";
  WriteZip(file, {{"SystemStructure.ssd", std::string(structure)},
                  {"resources/x.fmu", ReadBytes(Folder() / "x.fmu")},
                  {"resources/x.ssv", std::string(set)},
                  {"resources/x.ssm", std::string(mapping)}});
  ReadSystem(file);
}

void Read(std::string_view input) {
  const fs::path file = Folder() / "x.fmu";
  std::string_view ports;
  if (input.starts_with("PK")) {
    for (const char* name : {"x.fmu", "x.ssp"}) std::ofstream(Folder() / name, std::ios::binary) << input;
    ReadSystem(Folder() / "x.ssp");
  } else {
    const std::string_view structure = CutAfter(input, "\n#structure\n");
    const std::string_view mapping = CutAfter(input, "\n#mapping\n");
    const std::string_view set = CutAfter(input, "\n#set\n");
    ports = CutAfter(input, "\n#ports\n");
    const std::string_view terminals = CutAfter(input, "\n#terminals\n");
    std::vector<ZipEntry> entries{{"modelDescription.xml", std::string(input)}};
    if (!terminals.empty())
      entries.push_back({"terminalsAndIcons/terminalsAndIcons.xml", std::string(terminals)});
    WriteZip(file, entries);
    if (!set.empty()) ReadSet(set, mapping);
    if (!structure.empty()) ReadStructure(structure, set, mapping);
  }
  ReadFmu(file, ports);
  for (const auto& entry : fs::directory_iterator(Folder())) {
    const std::string name = entry.path().filename().string();
    Require(name.starts_with("x.") || name == "cache", "a file outside of the cache: " + name);
  }
  std::error_code ignored;
  fs::remove_all(FmuCacheFolder(), ignored);
}

}  // namespace
}  // namespace davit

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  davit::Read({reinterpret_cast<const char*>(data), size});
  return 0;
}
