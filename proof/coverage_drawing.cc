#include "proof/coverage_drawing.h"

#include "statecharts/chart_dot.h"

namespace davit {
namespace {

constexpr std::string_view kGreen = "#15803d", kOrange = "#d97706", kRed = "#b91c1c";

/// Puts attributes behind the id of an element of the graph, wherever it has one; they come before those that
/// the drawing gives it, so they are given once more at the end of the element.
void Colour(std::string& dot, const std::string& id, std::string_view colour, bool is_state) {
  const std::string wanted = "[id=\"" + id + "\"";
  for (std::size_t at = dot.find(wanted); at != std::string::npos;
       at = dot.find(wanted, at + wanted.size())) {
    const std::size_t end = dot.find("]\n", at);
    std::string more = ", color=\"" + std::string(colour) + "\"";
    more += is_state ? ", penwidth=2" : ", fontcolor=\"" + std::string(colour) + "\"";
    if (end != std::string::npos) dot.insert(end, more);
  }
}

std::uint64_t CountOf(const ChartCounts::Counts& counts, const std::string& name) {
  const auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

}  // namespace

std::string MakeCoverageDot(const Chart& chart, const ChartCounts& counts) {
  std::string dot = MakeChartDot(chart);
  for (const auto& [name, count] : counts.states)
    Colour(dot, "state-" + name, count > 0 ? kGreen : kRed, true);
  for (const auto& [name, count] : counts.transitions) {
    const bool is_half =
        counts.guards.contains(name + " false") && CountOf(counts.guards, name + " false") == 0;
    const std::size_t slash = name.rfind('/');
    Colour(dot, "transition-" + name.substr(0, slash) + "-" + name.substr(slash + 1),
           count == 0 ? kRed
           : is_half  ? kOrange
                      : kGreen,
           false);
  }
  return dot;
}

}  // namespace davit
