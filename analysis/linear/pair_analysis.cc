#include "analysis/linear/pair_analysis.h"

#include <algorithm>
#include <utility>

namespace davit {
namespace {

using Eigen::Index;

/// Whether an input has a way to an output; `closed` has no delays.
bool HasPath(const LinearModel& closed, Index u, Index y) {
  if (closed.D(y, u) != 0) return true;
  std::vector<Index> reached;
  std::vector<bool> is_reached(static_cast<std::size_t>(closed.A.rows()), false);
  const auto reach = [&](const auto& column) {
    for (Index i = 0; i < column.size(); ++i) {
      if (column(i) == 0 || is_reached[static_cast<std::size_t>(i)]) continue;
      is_reached[static_cast<std::size_t>(i)] = true;
      reached.push_back(i);
    }
  };
  reach(closed.B.col(u));
  for (std::size_t k = 0; k < reached.size(); ++k) reach(closed.A.col(reached[k]));
  return std::ranges::any_of(reached, [&](Index i) { return closed.C(y, i) != 0; });
}

}  // namespace

AnalysedModel::AnalysedModel(const LinearModel& model, LinearModel closed_model)
    : reduced(model), closed(std::move(closed_model)), modes(ComputeModes(closed.A)) {
  own_modes = model.delays.empty() ? modes : ComputeModes(model.A);
  if (!model.inputs.empty() && !model.outputs.empty()) static_gains = StaticGains(model, own_modes);
}

std::vector<LinearPair> AnalysedModel::Pairs() const {
  std::vector<LinearPair> pairs;
  for (std::size_t u = 0; u < closed.inputs.size(); ++u) {
    for (std::size_t y = 0; y < closed.outputs.size(); ++y) {
      if (!HasPath(closed, static_cast<Index>(u), static_cast<Index>(y))) continue;
      pairs.push_back({u, y, closed.inputs[u].name + " -> " + closed.outputs[y].name});
    }
  }
  return pairs;
}

PairAnalysis AnalysedModel::Analyse(const LinearPair& pair, bool has_zeros, bool has_margins) const {
  const auto u = static_cast<Index>(pair.input), y = static_cast<Index>(pair.output);
  PairAnalysis analysis{.pair = pair, .static_gain = static_gains(y, u)};
  if (has_zeros) {
    analysis.zeros =
        ComputeZeros(closed.A, closed.B.col(u), closed.C.row(y), closed.D(y, u), EigenvaluesOf(modes));
  }
  if (has_margins)
    analysis.margins = ComputeMargins(reduced, own_modes, analysis.static_gain, pair.input, pair.output);
  return analysis;
}

}  // namespace davit
