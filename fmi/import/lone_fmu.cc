#include "fmi/import/lone_fmu.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "fmi/import/fmu_declarer.h"
#include "fmi/import/foreign_results.h"
#include "framework/nearest_name.h"
#include "framework/registry.h"
#include "results/result_table.h"
#include "session/system_builder.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr double kDefaultSteps = 500;

const ModelEntry& EntryOfFmus() {
  static const Registry kRegistry = [] {
    Registry registry;
    RegisterFmi(registry);
    return registry;
  }();
  return *kRegistry.Find(FmuComponent::kInfo.name);
}

/// A name for a component.
std::string ComponentName(const fs::path& file) {
  std::string name = file.stem().string();
  for (char& c : name) {
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!is_plain) c = '_';
  }
  if (name.empty() || (name.front() >= '0' && name.front() <= '9')) name.insert(0, "fmu_");
  return name;
}

std::string KindsOf(const FmuDescription& description) {
  std::vector<std::string> kinds;
  if (!description.co_simulation.empty()) kinds.emplace_back("co-simulation");
  if (!description.model_exchange.empty()) kinds.emplace_back("model exchange");
  if (description.has_scheduled_execution) kinds.emplace_back("scheduled execution");
  return fmt::format("{}", fmt::join(kinds, ", "));
}

/// Points for a signal.Table, whose times increase. Rows with one time are a jump there: at that time the
/// last of them counts, and the first just before it.
struct TablePoints {
  std::string times, values;
};
TablePoints PointsOf(const ResultTable& table, std::size_t column, const FmuUnit& unit, bool is_stepped) {
  TablePoints points;
  double last = -std::numeric_limits<double>::infinity();
  const auto add = [&](double t, std::size_t row) {
    if (!(t > last)) return;
    last = t;
    points.times += fmt::format("{} ", t);
    points.values += fmt::format("{} ", unit.ToSi(table.columns[column][row]));
  };
  for (std::size_t first = 0, end = 0; first < table.time.size(); first = end) {
    const double t = table.time[first];
    for (end = first + 1; end < table.time.size() && table.time[end] == t;) ++end;
    if (end > first + 1 && first > 0 && !is_stepped)
      add(std::nextafter(t, -std::numeric_limits<double>::infinity()), first);
    add(t, end - 1);
  }
  return points;
}

}  // namespace

LoneFmu::LoneFmu(const fs::path& file, FileDescribed::Attributes attributes, Diagnostics& diagnostics)
    : file_(file), attributes_(std::move(attributes)), name_(ComponentName(file)) {
  component_ = &static_cast<FmuComponent&>(pool_.Create(EntryOfFmus()));
  const SourceLocation place{std::make_shared<const std::string>(file.string()), 0};
  component_->Place(name_, nullptr, place);
  attributes_.emplace("file", file.filename().string());
  Diagnostics faults;
  component_->DeclareItems(attributes_, units_, faults);
  for (Diagnostic fault : faults.all()) {
    if (fault.location.file == nullptr) fault.location = place;
    fault.path.clear();
    diagnostics.Add(std::move(fault));
  }
}

LoneFmu::~LoneFmu() = default;

ModelDescription LoneFmu::Describe() const {
  const FmuDescription& fmu = description();
  ModelDescription all = DescribeComponent(*component_);
  all.name = file_.filename().string();
  all.text = fmu.text.empty() ? fmu.model_name : fmu.text;
  std::vector<std::pair<std::string, std::string>> settings;
  const auto add = [&](const char* name, std::string text) {
    if (!text.empty()) settings.emplace_back(name, std::move(text));
  };
  add("FMI", fmt::format("{}.0, {}", fmu.version == FmiVersion::k2 ? 2 : 3, KindsOf(fmu)));
  add("made by", fmu.tool);
  add("binaries", fmt::format("{}", fmt::join(component_->platforms(), ", ")));
  add("experiment", fmt::format("{:g} s to {:g} s{}", fmu.start, fmu.stop,
                                fmu.step > 0 ? fmt::format(", in steps of {:g} s", fmu.step) : ""));
  const FmuCapabilities& can =
      component_->fmu_kind() == FmuKind::kCoSimulation ? fmu.as_co_simulation : fmu.as_model_exchange;
  add("snapshots", can.has_serialized_state ? "yes" : "no: it cannot save its state");
  if (can.is_once_per_process) add("instances", "one in a process");
  if (can.needs_tool) add("needs", "the tool that has made it");
  add("passed over", fmt::format("{}", fmt::join(component_->items().passed_over, ", ")));
  settings.insert(settings.end(), all.settings.begin(), all.settings.end());
  all.settings = std::move(settings);
  all.equations.clear();
  const std::string placeholder = "file=\"engine.fmu\"";
  if (const std::size_t place = all.example.find(placeholder); place != std::string::npos) {
    all.example.replace(place, placeholder.size(), fmt::format("file=\"{}\"", file_.filename().string()));
  }
  return all;
}

std::shared_ptr<const SystemDescription> LoneFmu::MakeSystem(const std::optional<fs::path>& input,
                                                             Diagnostics& diagnostics) const {
  const FmuDescription& fmu = description();
  const double length = fmu.stop > fmu.start ? fmu.stop - fmu.start : 1;
  SystemBuilder builder(name_);
  builder.Manager({{"TimeStep", fmu.step > 0 ? fmu.step : length / kDefaultSteps},
                   {"StartTime", fmu.start},
                   {"StopTime", fmu.start + length}});
  SystemBuilder::Attributes attributes;
  for (const auto& [name, value] : attributes_) attributes.push_back({name, value});
  builder.Add("fmi.Fmu", name_, attributes);
  builder.Record(name_ + ".*");
  if (!input) return builder.Describe();

  const std::optional<ResultTable> table = LoadForeignCsv(*input, diagnostics);
  if (!table) return nullptr;
  const SourceLocation place{std::make_shared<const std::string>(input->string()), 1};
  std::vector<std::string> known;
  for (const InputDeclaration& one : component_->declarations().inputs) known.emplace_back(one.label.name);
  for (std::size_t column = 0; column < table->names.size(); ++column) {
    const std::string item = ItemNameOf(table->names[column]);
    bool is_found = false;
    for (const bool is_stepped : {false, true}) {
      const FmuItems& items = component_->items();
      for (const FmuItems::InputLink& link : is_stepped ? items.discrete_links : items.continuous_links) {
        if (component_->declarations().inputs[link.declaration].label.name != item) continue;
        is_found = true;
        const TablePoints points = PointsOf(*table, column, link.unit, is_stepped);
        const std::string source = fmt::format("input_{}", column + 1);
        builder
            .Add("signal.Table", source,
                 {{"times", points.times},
                  {"values", points.values},
                  {"interpolation", is_stepped ? "step" : "linear"}})
            .Route(source + ".y", name_ + "." + item);
      }
    }
    if (!is_found) {
      diagnostics.Error(
          place, {},
          fmt::format("no input '{}' on {}; {}", table->names[column], file_.filename().string(),
                      known.empty() ? "it has none" : SuggestName("it has", item, known)));
    }
  }
  return builder.Describe();
}

}  // namespace davit
