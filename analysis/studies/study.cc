#include "analysis/studies/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <system_error>
#include <thread>

#include "analysis/studies/study_summary.h"
#include "analysis/study/serve_cases.h"
#include "analysis/study/study_table.h"
#include "framework/nearest_name.h"
#include "framework/units/quantity.h"
#include "results/gnuplot_process.h"
#include "results/output_file.h"

namespace davit {

namespace fs = std::filesystem;

const StudyOption& StudyKind::Get(std::string_view option) const {
  return *std::ranges::find(options, option, &StudyOption::name);
}

void Study::Check(const Registry& registry, Diagnostics& diagnostics) {
  registry_ = &registry;
  diagnostics_ = &diagnostics;
  setup_.system = shared_.system;
  setup_.text = shared_.text;
  setup_.options = shared_.simulation;
  if (shared_.stop) setup_.options.load.set.push_back("SimulatorManager.StopTime=" + *shared_.stop);
  setup_.options.log = [](RunLog::Severity, std::string_view) {
  };  // what matters is in the result of the case
  setup_.ranks = shared_.ranks;
  setup_.probes = shared_.probes;
  setup_.judge = shared_.judge;
  setup_.judged = shared_.judged.size();
  LoadedSimulation loaded = LoadSystemOf(setup_, setup_.options, registry);
  diagnostics.Add(loaded.diagnostics);
  simulation_ = std::move(loaded.simulation);
  if (simulation_ == nullptr) return;
  if (needs_start() && !simulation_->manager().autostart()) {
    diagnostics.Error({std::make_shared<const std::string>(shared_.system.string())}, {},
                      "/SimulatorManager: Autostart is false, and nothing can send the message Start; give " +
                          Spell("set", "SimulatorManager.Autostart=true"));
    return;
  }
  if (shared_.summary) AddOutput("summary", *shared_.summary, *shared_.summary);
  CheckOptions();
}

void Study::Run(const StudyCalls& calls) {
  if (serves_others()) {
    if (is_divided()) Serve();
    return;
  }
  if (!is_divided()) setup_.ranks = nullptr;  // a few runs only
  Execute(calls);
  if (has_result_ && shared_.summary) WriteText(*shared_.summary, SummaryText(Facts()));
}

void Study::Serve() { ServeCases(setup_, *registry_, std::move(simulation_)); }

bool Study::serves_others() const { return shared_.ranks != nullptr && shared_.ranks->rank() != 0; }

unsigned Study::workers() const {
  if (shared_.workers > 0) return shared_.workers;
  return shared_.ranks != nullptr ? 1 : std::max(1U, std::thread::hardware_concurrency());
}

std::string Study::Spell(std::string_view option, std::string_view example) const {
  if (shared_.spell) return shared_.spell(kind().Get(option), example);
  return std::string(option) + (example.empty() ? "" : " ") + std::string(example);
}

SourceLocation Study::PlaceOf(std::string_view option, std::string_view value) const {
  if (shared_.place.file != nullptr) return shared_.place;
  return {
      std::make_shared<const std::string>(Spell(option) + (value.empty() ? "" : " ") + std::string(value)),
      0};
}

std::optional<double> Study::ReadQuantity(const std::optional<VariationText>& given, std::string_view unit) {
  if (!given) return std::nullopt;
  const QuantityResult read = ParseQuantity(given->text, unit, tree().units());
  if (read.value) return read.value->si;
  diagnostics_->Error(given->place, {}, read.fault);
  return std::nullopt;
}

std::optional<double> Study::ReadPositive(const std::optional<VariationText>& given, std::string_view unit) {
  const std::optional<double> value = ReadQuantity(given, unit);
  if (!value || *value > 0) return value;
  diagnostics_->Error(given->place, {}, Quoted(given->text) + " is not above 0; give a positive value");
  return std::nullopt;
}

void Study::AddFaultsOfOptions(const Diagnostics& found) {
  for (Diagnostic one : found.all()) {
    if (one.path.starts_with("--")) {
      std::string name = one.path.substr(2);
      std::ranges::replace(name, '-', '_');
      one.location = PlaceOf(name, "");
      one.path = shared_.place.file != nullptr ? Spell(name) : std::string();
    }
    diagnostics_->Add(std::move(one));
  }
}

void Study::AddOutput(std::string_view option, const fs::path& named, const fs::path& file,
                      bool is_checked_when_opened) {
  outputs_.push_back({.option = Spell(option) + " " + named.string(),
                      .file = file,
                      .is_checked_when_opened = is_checked_when_opened,
                      .place = PlaceOf(option, named.string())});
}

void Study::AddTable(std::string_view option, const fs::path& file) {
  AddOutput(option, file, file);
  if (file.extension() != ".csv") FailFile(option, file, "a table is a .csv file");
}

void Study::AddPicture(std::string_view option, const fs::path& file) {
  AddOutput(option, file, file);
  if (file.extension() != ".svg" && file.extension() != ".png")
    FailFile(option, file, "a picture is a .svg or .png file");
}

void Study::CheckOutputs(const std::vector<fs::path>& tables) {
  std::vector<fs::path> inputs = InputsOf(tree(), tables);
  if (!shared_.file.empty()) inputs.push_back(shared_.file);
  CheckOutputPaths(outputs_, inputs, *diagnostics_);
}

void Study::ReadMeasures() {
  for (const VariationText& measure : shared_.measures) {
    const std::string& text = measure.text;
    const std::size_t equals = text.find('=');
    const bool is_comparison = equals != std::string::npos && text.substr(equals).starts_with("==");
    if (equals == std::string::npos || equals == 0 || is_comparison) {
      diagnostics_->Error(measure.place, {}, "it has no name; write NAME=EXPR, as in 'peak=max(load.x)'");
    } else {
      setup_.measures.push_back({text.substr(0, equals), text.substr(equals + 1), measure.place});
    }
  }
}

std::map<std::uint64_t, std::string> Study::ReadOldRows(const fs::path& table, std::string_view head,
                                                        std::string_view noun) {
  std::error_code ignored;
  if (!fs::is_regular_file(table, ignored)) return {};  // nothing is done yet
  StudyRows old = LoadStudyRows(table, Spell("resume"), *diagnostics_);
  if (old.head.empty() || old.head == head) return std::move(old.rows);
  diagnostics_->Error(
      {std::make_shared<const std::string>(table.string()), 1}, {},
      fmt::format("this is the table of another {}: its columns differ; name another file, or leave "
                  "out {} to replace it",
                  noun, Spell("resume")));
  return {};
}

Shard Study::ReadShard(const std::optional<std::string>& text) {
  Shard shard;
  if (!text) return shard;
  const char* const end = text->data() + text->size();
  const auto first = std::from_chars(text->data(), end, shard.first);
  const auto second = first.ptr != end && *first.ptr == '/'
                          ? std::from_chars(first.ptr + 1, end, shard.count)
                          : std::from_chars_result{first.ptr, std::errc::invalid_argument};
  const bool is_read = first.ec == std::errc() && second.ec == std::errc() && second.ptr == end;
  if (is_read && shard.first >= 1 && shard.first <= shard.count) return shard;
  diagnostics_->Error(PlaceOf("shard", *text), {},
                      "this is not a shard; write i/n with i from 1 to n, as in 1/4");
  return {};
}

void WritePicture(const fs::path& file, const std::string& script) { WriteText(file, RunGnuplot(script)); }

void WriteText(const fs::path& path, std::string_view text) {
  OutputFile file(path);
  file.Write(text);
  file.Close();
}

PictureFormat FormatOf(const fs::path& picture) {
  return picture.extension() == ".png" ? PictureFormat::kPng : PictureFormat::kSvg;
}

}  // namespace davit
