// Feeds mutated charts to the loader and runs what it takes. Whatever the text, the answer is a chart or
// diagnostics of one line each, and a run that ends; no crash, no hang, no memory without bound.
//
// Corpus: tests/errors/charts and tests/fuzz/charts; words: tests/fuzz/chart.dict.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "statecharts/chart_dot.h"
#include "statecharts/chart_loader.h"
#include "statecharts/chart_outline.h"
#include "statecharts/session_table.h"

namespace davit {
namespace {

void Try(const std::string& text) {
  Diagnostics diagnostics;
  const auto chart = LoadChartText(text, "tests/fuzz/charts/chart.scxml", {}, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.SortedByPlace()) {
    if (ToText(diagnostic).find('\n') != std::string::npos) std::abort();
  }
  if (chart == nullptr) {
    if (!diagnostics.has_errors()) std::abort();
    return;
  }
  MakeChartDot(*chart);
  MakeChartOutline(*chart, OutlineLanguage::kPlantUml);
  SessionLimits limits;
  limits.most_microsteps = 30;
  limits.most_macrosteps = 30;
  limits.most_sessions = 8;
  SessionTable table(chart, nullptr, nullptr, limits);
  table.Start(0);
  for (int step = 1; step <= 20 && table.session().is_running(); ++step) {
    const auto number = static_cast<std::size_t>(step);
    const std::size_t names = chart->descriptor_texts.size();
    if (names > 0) table.session().Send(table.session().MakeEvent(chart->descriptor_texts[number % names]));
    table.Step(0.1 * step);
  }
}

}  // namespace
}  // namespace davit

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  davit::Try(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
