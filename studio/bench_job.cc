#include "studio/bench_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "framework/exception_text.h"
#include "proof/bench_element.h"
#include "studio/check_system.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPoints = 2000;  // of a curve

/// Every n-th point, and the last one.
template <class Values>
Json Thinned(const Values& values, std::size_t every) {
  Json thinned = Json::array();
  for (std::size_t i = 0; i < values.size(); i += every) thinned.push_back(values[i]);
  if (!values.empty() && (values.size() - 1) % every != 0) thinned.push_back(values.back());
  return thinned;
}

Json CurvesToJson(const FailureCurves& curves) {
  const std::size_t every = curves.time.size() / kMostPoints + 1;
  Json signals = Json::array();
  for (std::size_t i = 0; i < curves.names.size(); ++i)
    signals.push_back({{"name", curves.names[i]},
                       {"unit", curves.units[i]},
                       {"options", curves.options[i]},
                       {"values", Thinned(curves.values[i], every)}});
  Json json{{"time", Thinned(curves.time, every)}, {"signals", std::move(signals)}};
  if (curves.at) json["at"] = *curves.at;
  if (!curves.reference.empty() && curves.names.size() == 1) {
    const std::size_t of_reference = curves.reference_time.size() / kMostPoints + 1;
    json["reference"] = {{"time", Thinned(curves.reference_time, of_reference)},
                         {"values", Thinned(curves.reference, of_reference)}};
  }
  return json;
}

Json CaseToJson(const CaseReport& report) {
  Json expectations = Json::array();
  for (const ExpectationResult& one : report.expectations) {
    Json json{{"text", one.expectation},
              {"requirement", one.requirement},
              {"line", one.place.line},
              {"is_met", one.verdict.is_met},
              {"verdict", one.verdict.text}};
    if (one.curves) json["curves"] = CurvesToJson(*one.curves);
    expectations.push_back(std::move(json));
  }
  const bool is_of_action = report.fault_place.line != report.place.line;
  return {{"name", report.name},
          {"requirement", report.requirement},
          {"line", report.place.line},
          {"is_passed", report.is_passed()},
          {"is_interrupted", report.is_interrupted},
          {"fault", is_of_action && !report.fault.empty()
                        ? fmt::format("line {}: {}", report.fault_place.line, report.fault)
                        : report.fault},
          {"simulated", report.simulated},
          {"wall", report.wall},
          {"expectations", std::move(expectations)}};
}

}  // namespace

void BenchJob::CheckFiles(const BenchCase& one, Diagnostics& diagnostics) const {
  const auto check = [&](const fs::path& file, const SourceLocation& place, std::string_view attribute) {
    const std::string fault = FaultOfStudyFile(*folder(), file);
    if (!fault.empty()) diagnostics.Error(place, {}, std::string(attribute) + ": " + fault);
  };
  check(one.system, one.place, "system");
  if (!one.snapshot.empty()) check(one.snapshot, one.place, "snapshot");
  for (const BenchElement& expectation : one.expectations) {
    if (expectation.Has("file"))
      check(bench_.file.parent_path() / expectation.Get("file"), expectation.place, "file");
  }
}

std::optional<Json> BenchJob::Prepare() {
  Diagnostics diagnostics;
  const FolderFiles files(folder(), options().unsaved);
  bench_ = LoadBench(folder()->root() / options().path, diagnostics, &files);
  for (const BenchCase& one : bench_.cases) CheckFiles(one, diagnostics);
  if (diagnostics.has_errors()) return FaultsToJson(diagnostics, *folder());
  if (!options().cases.empty())
    std::erase_if(bench_.cases, [this](const BenchCase& one) {
      return std::ranges::find(options().cases, one.name) == options().cases.end();
    });
  if (bench_.cases.empty()) {
    diagnostics.Error({std::make_shared<const std::string>(bench_.file.string()), 0}, {},
                      "it has no case of these names; save the bench, and read it again");
    return FaultsToJson(diagnostics, *folder());
  }
  // The models of plug-ins are those of the first system.
  const std::optional<std::string> path = folder()->Find(bench_.cases.front().system.lexically_normal());
  auto edited = std::make_unique<EditedSystem>(folder(), context().models, path.value_or(std::string()),
                                               options().unsaved, diagnostics);
  if (!edited->is_readable() || diagnostics.has_errors()) return FaultsToJson(diagnostics, *folder());
  set_system(std::move(edited));
  run_ = std::make_unique<BenchRun>(bench_, system().registry(), system().load_options());
  run_->Check(diagnostics);
  if (diagnostics.has_errors()) return FaultsToJson(diagnostics, *folder());
  ShowBegin("bench", path.value_or(std::string()));
  ShowProgress(0, bench_.cases.size(), {});
  return std::nullopt;
}

void BenchJob::Execute() {
  std::string failure;
  Json found;
  try {
    const std::vector<CaseReport> reports =
        run_->Run({.workers = options().workers, .stop = stop_token(), .on_case = [this](std::size_t done) {
                     ShowProgress(done, bench_.cases.size(), {});
                   }});
    Json cases = Json::array();
    for (const CaseReport& report : reports) cases.push_back(CaseToJson(report));
    found = {{"passed", std::ranges::count_if(reports, &CaseReport::is_passed)}, {"cases", std::move(cases)}};
  } catch (const std::exception& fault) {
    failure = Explain(fault);
  }
  ShowEnd(std::move(found), failure, {});
  run_.reset();
}

Json DescribeBenchElements() {
  Json elements = Json::array();
  for (const ElementKind& kind : BenchElementKinds()) {
    Json attributes = Json::array();
    for (const AttributeKind& one : kind.attributes)
      attributes.push_back({{"attribute", one.name},
                            {"before", ""},
                            {"after", ""},
                            {"is_optional", !one.is_required},
                            {"choices", one.choices},
                            {"text", one.text}});
    elements.push_back({{"element", kind.name},
                        {"text", kind.text},
                        {"place", ToText(kind.place)},
                        {"parts", std::move(attributes)}});
  }
  return elements;
}

}  // namespace davit
