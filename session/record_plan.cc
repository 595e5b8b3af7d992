#include "session/record_plan.h"

#include <fmt/format.h>

#include "framework/xml/record_reader.h"

namespace davit {

RecordPlan MakeRecordPlan(System& system, const std::vector<std::string>& signals,
                          std::optional<double> interval, Diagnostics& diagnostics) {
  RecordPlan plan = system.record_plan();
  if (!signals.empty()) {
    plan.columns.clear();
    ElementReader reader(diagnostics);
    RecordReader columns(system, reader, plan);
    for (const std::string& text : signals) columns.AddSignals(text, {}, system.root());
  }
  if (!interval) return plan;
  if (!(*interval == 0 || *interval >= RecordReader::kShortestInterval)) {
    diagnostics.Error(
        {}, {},
        fmt::format("interval: {} s is out of range; it must be 0 (each communication point) or >= 1e-9 s",
                    *interval));
  }
  plan.intervals = {*interval};
  plan.times.clear();
  return plan;
}

}  // namespace davit
