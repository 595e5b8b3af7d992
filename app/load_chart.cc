#include "app/load_chart.h"

#include <fmt/format.h>

#include <ostream>

#include "app/print_diagnostics.h"
#include "framework/nearest_name.h"
#include "framework/xml/xml_file.h"
#include "simulator/charts/behaviour_mirror.h"

namespace davit {
namespace {

/// The `name` of a chart that can be read; else empty.
std::string NameOf(const std::filesystem::path& file, const FileSource& files) {
  const TextResult text = files.Read(file, "chart");
  if (!text.fault.empty()) return {};
  const XmlResult xml = ParseXml(text.text);
  const char* name = xml.document == nullptr ? nullptr : xml.document->RootElement()->Attribute("name");
  return name == nullptr ? std::string() : name;
}

}  // namespace

const ModelEntry* FindModel(std::string_view name, const Registry& registry, std::ostream& err) {
  const ModelEntry* entry = registry.Find(name);
  if (entry == nullptr) {
    err << fmt::format("error: no model {}; {}\n", Quoted(name),
                       SuggestName("see davit list for", name, registry.names()));
  }
  return entry;
}

LoadedChart LoadChartFor(const ChartOptions& options, std::ostream& err) {
  LoadedChart lone;
  if (!options.model.empty() && FindModel(options.model, *options.registry, err) == nullptr) return lone;
  lone.files = std::make_unique<const DiskFiles>();
  lone.system = std::make_unique<AbsentSystem>(
      *options.registry, options.model.empty() ? NameOf(options.chart, *lone.files) : options.model,
      lone.files.get());
  Diagnostics diagnostics;
  ChartLoadOptions load;
  load.host = lone.system.get();
  for (const DataModelKind kind : {DataModelKind::kDavit, DataModelKind::kNull, DataModelKind::kEcmascript}) {
    if (options.data_model == ToText(kind)) load.default_data_model = kind;
  }
  lone.chart = LoadChart(options.chart, load, diagnostics);
  if (lone.chart != nullptr && lone.system->component() != nullptr)
    CheckBehaviourEvents(*lone.chart, *lone.system->component(), {}, diagnostics);
  PrintDiagnostics(diagnostics, err);
  if (diagnostics.has_errors()) lone.chart = nullptr;
  return lone;
}

}  // namespace davit
