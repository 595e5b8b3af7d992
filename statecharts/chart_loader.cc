#include "statecharts/chart_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "framework/nearest_name.h"
#include "framework/xml/xml_file.h"
#include "statecharts/chart_build.h"
#include "statecharts/chart_include.h"
#include "statecharts/chart_lint.h"
#include "statecharts/chart_tables.h"
#include "statecharts/content_reader.h"
#include "statecharts/ecmascript_data_model.h"
#include "statecharts/state_reader.h"
#include "statecharts/time_text.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestChart = std::size_t{4} << 20;

DataModelKind ReadDataModel(const ChartSource& source, const ChartLoadOptions& options,
                            Diagnostics& diagnostics) {
  const SourceLocation place{source.location().file, source.root().GetLineNum()};
  const std::string text = ChartSource::Get(source.root(), "datamodel");
  DataModelKind kind = options.default_data_model;
  if (text == "davit") {
    kind = DataModelKind::kDavit;
  } else if (text == "null") {
    kind = DataModelKind::kNull;
  } else if (text == "ecmascript") {
    kind = DataModelKind::kEcmascript;
  } else if (!text.empty()) {
    diagnostics.Error(place, "/",
                      fmt::format("no data model {}; use one of davit, null, ecmascript", Quoted(text)));
  }
  if (kind == DataModelKind::kEcmascript && !HasEcmascript()) {
    diagnostics.Error(place, "/",
                      "this davit was built without ECMAScript; install duktape-dev and build again, or use "
                      "datamodel=\"davit\"");
  }
  return kind;
}

void ReadRoot(ChartBuild& build) {
  const tinyxml2::XMLElement& root = build.source.root();
  build.CheckAttributes(root, 0, {"initial", "name", "version", "datamodel", "binding", "exmode", "profile"});
  build.chart.name = ChartSource::Get(root, "name");
  const std::string binding = ChartSource::Get(root, "binding");
  build.chart.has_late_binding = binding == "late";
  if (!binding.empty() && binding != "late" && binding != "early") {
    build.Error(root, 0, fmt::format("the binding is {}; it is early or late", Quoted(binding)));
  }
  if (const char* dwell = build.source.FindDavit(root, "dwell")) {
    const std::optional<double> seconds = ParseTime(dwell);
    if (!seconds)
      build.Error(root, 0,
                  fmt::format("davit:dwell is {}; write a time such as 0.2s or 50ms", Quoted(dwell)));
    build.chart.dwell = seconds.value_or(0);
  }
  const std::string version = ChartSource::Get(root, "version");
  if (!version.empty() && version != "1.0") {
    build.Error(root, 0, fmt::format("the version is {}; davit reads version 1.0", Quoted(version)));
  }
}

/// Names of events that the interpreter makes itself.
void AddOwnEvents(Chart& chart) {
  chart.error_execution = chart.symbols->Add("error.execution");
  chart.error_communication = chart.symbols->Add("error.communication");
  chart.error_platform = chart.symbols->Add("error.platform.davit");
  for (StateId state = 1; state < chart.states.size(); ++state) {
    State& own = chart.states[state];
    if (own.kind != StateKind::kCompound && own.kind != StateKind::kParallel) continue;
    own.done_event = chart.symbols->Add("done.state." + chart.names[state].id);
  }
}

}  // namespace

std::shared_ptr<const Chart> LoadChartText(std::string text, const fs::path& file,
                                           const ChartLoadOptions& given, Diagnostics& diagnostics) {
  ChartLoadOptions options = given;
  if (!options.symbols) options.symbols = std::make_shared<SymbolTable>();
  if (!options.cache) options.cache = std::make_shared<ChartCache>();
  const std::size_t errors_before = diagnostics.error_count();
  if (text.size() > kLargestChart) {
    diagnostics.Error({std::make_shared<const std::string>(file.string())}, "",
                      fmt::format("the chart has more than {} MiB; split it", kLargestChart >> 20U));
    return nullptr;
  }
  const std::unique_ptr<ChartSource> source =
      ChartSource::Parse(std::move(text), file, options.namespaces, diagnostics);
  if (source == nullptr) return nullptr;
  const auto chart = std::make_shared<Chart>();
  chart->file = file;
  chart->location = source->location();
  chart->symbols = options.symbols;
  chart->data_model = ReadDataModel(*source, options, diagnostics);
  ReadIncludes(*source, chart->data_model, FilesOf(options.host), diagnostics);
  chart->files.push_back(source->location());
  for (const auto& part : source->parts()) chart->files.push_back(part->location());

  ChartBuild build(*chart, *source, options, diagnostics);
  StateReader states(build);
  if (!states.ReadStates()) return nullptr;
  ReadRoot(build);
  AddOwnEvents(*chart);
  const std::vector<StateReader::PendingTransition> transitions = states.ReadTransitions();
  ContentReader content(build);
  content.ReadData();
  content.ReadStates();
  for (const StateReader::PendingTransition& pending : transitions) content.ReadTransition(pending);
  if (diagnostics.error_count() > errors_before) return nullptr;

  build.davit.Link();
  chart->has_timed_conditions = build.davit.reads_time();
  MakeTables(*chart);
  CheckChart(*chart, diagnostics);
  return chart;
}

std::shared_ptr<const Chart> LoadChart(const fs::path& file, const ChartLoadOptions& given,
                                       Diagnostics& diagnostics) {
  ChartLoadOptions options = given;
  if (!options.cache) options.cache = std::make_shared<ChartCache>();
  const fs::path key = fs::weakly_canonical(file);
  if (const auto known = options.cache->charts.find(key); known != options.cache->charts.end()) {
    return known->second;
  }
  TextResult text = ReadTextFrom(FilesOf(options.host), file, "chart");
  if (!text.fault.empty()) {
    diagnostics.Error({std::make_shared<const std::string>(file.string())}, "", text.fault);
    return nullptr;
  }
  options.cache->open.insert(key);
  std::shared_ptr<const Chart> chart = LoadChartText(std::move(text.text), file, options, diagnostics);
  options.cache->open.erase(key);
  options.cache->charts.emplace(key, chart);
  return chart;
}

fs::path ResolveSource(const fs::path& chart_file, std::string_view source) {
  for (const std::string_view scheme : {"file://", "file:"}) {
    if (!source.starts_with(scheme)) continue;
    source.remove_prefix(scheme.size());
    break;
  }
  return chart_file.parent_path() / fs::path(source);
}

std::string Chart::PathOf(StateId state) const {
  if (state == 0 || state == kNoState) return "/";
  std::string path;
  for (; state != 0; state = states[state].parent) path.insert(0, "/" + names[state].id);
  return path;
}

}  // namespace davit
