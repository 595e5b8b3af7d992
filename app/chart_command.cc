#include "app/chart_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <exception>
#include <memory>
#include <ostream>

#include "app/dot_program.h"
#include "app/exit_code.h"
#include "app/load_chart.h"
#include "framework/component_pool.h"
#include "framework/nearest_name.h"
#include "results/output_file.h"
#include "simulator/default_chart.h"
#include "statecharts/chart_dot.h"
#include "statecharts/chart_outline.h"

namespace davit {
namespace {

constexpr std::array<std::string_view, 6> kDrawings{".svg", ".png", ".pdf", ".dot", ".puml", ".mmd"};

std::string Draw(const Chart& chart, const std::string& extension) {
  if (extension == ".puml") return MakeChartOutline(chart, OutlineLanguage::kPlantUml);
  if (extension == ".mmd") return MakeChartOutline(chart, OutlineLanguage::kMermaid);
  const std::string graph = MakeChartDot(chart);
  return extension == ".dot" ? graph : DrawWithDot(graph, extension.substr(1));
}

/// Without default arrows.
std::size_t CountTransitions(const Chart& chart) {
  std::size_t count = 0;
  for (const State& state : chart.states) count += state.transitions.size();
  return count;
}

}  // namespace

int RunChartCheck(const ChartOptions& options, std::ostream& out, std::ostream& err) {
  const std::shared_ptr<const Chart> chart = LoadChartFor(options, err).chart;
  if (chart == nullptr) return kWrongInput;
  out << fmt::format("{}: no errors; {} states, {} transitions, data model {}\n", options.chart.string(),
                     chart->states.size() - 1, CountTransitions(*chart), ToText(chart->data_model));
  return kDone;
}

int RunChartDefault(std::string_view model, const Registry& registry, std::ostream& out, std::ostream& err) {
  const ModelEntry* entry = registry.Find(model);
  if (entry == nullptr) {
    err << fmt::format("error: no model {}; {}\n", Quoted(model),
                       SuggestName("see davit list for", model, registry.names()));
    return kWrongInput;
  }
  ComponentPool pool;
  const Component& component = pool.Create(*entry);
  if (!component.has_behaviours()) {
    err << fmt::format(
        "error: {} has no chart: it knows one behaviour only; a chart for a system stands in a "
        "Statechart element\n",
        model);
    return kWrongInput;
  }
  out << DefaultChartText(component);
  return kDone;
}

int RunChartGraph(const ChartGraphOptions& options, std::ostream& out, std::ostream& err) {
  std::string extension = options.output.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool is_known = std::ranges::find(kDrawings, extension) != kDrawings.end();
  if (!is_known) {
    err << options.output.string()
        << ": error: a drawing of a chart ends in .svg, .png, .pdf, .dot, .puml (PlantUML) or .mmd "
           "(Mermaid)\n";
  }
  const std::shared_ptr<const Chart> chart = LoadChartFor(options.load, err).chart;
  if (chart == nullptr || !is_known) return kWrongInput;
  try {
    const std::string picture = Draw(*chart, extension);
    OutputFile file(options.output);
    file.Write(picture);
    file.Close();
  } catch (const std::exception& failure) {
    err << "error: " << failure.what() << '\n';
    return kRunFailed;
  }
  out << fmt::format("{}: {} states\n", options.output.string(), chart->states.size() - 1);
  return kDone;
}

}  // namespace davit
