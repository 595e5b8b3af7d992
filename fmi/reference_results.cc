#include "fmi/reference_results.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <cmath>

#include "fmi/import/foreign_results.h"
#include "fmi/zip_reader.h"
#include "framework/xml/xml_file.h"
#include "results/csv_text.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr double kMostRows = 1000;
constexpr std::string_view kManifestFile = "fmi-ls-manifest.xml";

}  // namespace

std::string MakeReferenceResults(Simulation& simulation, const std::vector<FmuVariable>& variables) {
  std::string text = "time";
  RecordingOptions recording;
  for (const FmuVariable& variable : variables) {
    if (variable.causality != FmuCausality::kOutput || variable.entry.type == FmuType::kString) continue;
    Fault fault;
    const std::string& path = variable.entry.path;
    if (!simulation.system().FindVariable(simulation.system().root(), path, &fault)) continue;
    recording.signals.push_back(path);
    text += "," + CsvCell(variable.name);
  }
  if (recording.signals.empty()) return {};
  text += '\n';
  const double start = simulation.start_time();
  const double h = simulation.time_step();
  const double steps = std::floor((simulation.stop_time() - start) / h * (1 + 1e-12));
  const double steps_a_row = std::max(1.0, std::ceil(steps / (kMostRows - 1)));
  recording.interval = 0;
  recording.on_row = [&](double t, std::span<const double> values) {
    const double n = std::round((t - start) / h);
    const bool is_step_point = std::abs(start + n * h - t) <= SimulatorManager::kSameStep * h;
    if (!is_step_point || (std::fmod(n, steps_a_row) != 0 && n != steps)) return;
    text += fmt::format("{}", start + n * h);
    for (const double value : values) text += fmt::format(",{}", value);
    text += '\n';
  };
  simulation.StartRecording(recording);
  simulation.Initialize();
  simulation.AdvanceTo(start + steps * h);
  return text;
}

std::string MakeReferenceManifest(const std::string& file) {
  tinyxml2::XMLDocument document;
  document.InsertEndChild(document.NewDeclaration());
  tinyxml2::XMLElement* const root = document.NewElement("fmiReferences");
  document.InsertEndChild(root);
  root->SetAttribute("xmlns:fmi-ls", "http://fmi-standard.org/fmi-ls-manifest");
  root->SetAttribute("fmi-ls:fmi-ls-name", "org.fmi-standard.fmi-ls-ref");
  root->SetAttribute("fmi-ls:fmi-ls-version", "1.0.0-alpha.1");
  root->SetAttribute("fmi-ls:fmi-ls-description",
                     "Layered Standard providing information on related files included in an FMU.");
  tinyxml2::XMLElement* const related = root->InsertNewChildElement("Related");
  related->SetAttribute("source", file.c_str());
  related->SetAttribute("role", "result");
  related->SetAttribute("type", "text/csv");
  related->SetAttribute("description", "Outputs during the default experiment");
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  return printer.CStr();
}

std::optional<ResultTable> LoadReferenceResults(const ZipReader& fmu, const fs::path& shown,
                                                Diagnostics& diagnostics) {
  const fs::path place = kReferenceFolder;
  const fs::path manifest = place / kManifestFile;
  if (!fmu.Has(manifest.generic_string())) return std::nullopt;
  const auto name = std::make_shared<const std::string>((shown / manifest).string());
  const TextResult text = fmu.ReadText(manifest.generic_string(), "manifest");
  const XmlResult xml = text.fault.empty()
                            ? ParseXml(text.text, {.noun = "manifest", .root = "fmiReferences"})
                            : XmlResult{nullptr, 0, text.fault};
  if (xml.document == nullptr) {
    diagnostics.Error({name, xml.line}, {}, xml.fault);
    return std::nullopt;
  }
  for (const auto* e = xml.document->RootElement()->FirstChildElement("Related"); e != nullptr;
       e = e->NextSiblingElement("Related")) {
    const char* const role = e->Attribute("role");
    const char* const source = e->Attribute("source");
    if (role == nullptr || source == nullptr || std::string_view(role) != "result") continue;
    const fs::path file = (place / source).lexically_normal();
    if (file.is_absolute() || *file.begin() == "..") {
      diagnostics.Error({name, e->GetLineNum()}, {},
                        fmt::format("source '{}' leads out of the FMU; name a file in it", source));
      return std::nullopt;
    }
    return ReadForeignCsv(fmu.ReadText(file.generic_string(), "CSV"), (shown / file).string(), diagnostics);
  }
  return std::nullopt;
}

}  // namespace davit
