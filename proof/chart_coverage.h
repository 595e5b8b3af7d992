#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "statecharts/chart.h"
#include "statecharts/chart_watch.h"

namespace davit {

/// How much of a chart was exercised. Each number is how often:
///
///     states       entered; without histories and the `<scxml>` itself
///     transitions  taken; `source/N`, the N-th transition of a state, without default arrows
///     guards       what a transition needs besides its event was true (`source/N true`), or false
///     pairs        two atomic states of different regions of a `<parallel>` were active together
///                  (`a b`, in document order)
///
/// Elements that never were have the number 0.
struct ChartCounts {
  using Counts = std::map<std::string, std::uint64_t>;

  std::string file = {};  ///< of the chart, for people
  Counts states = {}, transitions = {}, guards = {}, pairs = {};
  /// More pairs are not looked at: the chart has more than 1,000,000.
  bool has_pairs = true;

  /// Elements, and how many of them were exercised.
  struct Share {
    std::size_t covered = 0, total = 0;
    double percent() const;  ///< 100 where there are none
  };
  static Share ShareOf(const Counts& counts);
  /// Adds what other runs of the same chart have counted. Returns the first element that one of both lacks,
  /// and changes nothing then; else an empty text.
  std::string Add(const ChartCounts& other);
};

/// The kinds of elements by name, for tables, options and files.
struct CoverageKind {
  std::string_view name;
  ChartCounts::Counts ChartCounts::*counts;
};
inline constexpr CoverageKind kCoverageKinds[] = {{"states", &ChartCounts::states},
                                                  {"transitions", &ChartCounts::transitions},
                                                  {"guards", &ChartCounts::guards},
                                                  {"pairs", &ChartCounts::pairs}};

/// How a transition is called: `source/N`.
std::string NameOfTransition(const Chart& chart, Index transition);

/// Counts what one chart does, in any number of runs. Charts that it invokes are not counted.
class ChartCoverage final : public ChartWatch {
 public:
  /// The chart outlives it.
  explicit ChartCoverage(const Chart& chart);
  ChartCounts Counts() const;

  void OnGuard(const Interpreter& session, Index transition, bool is_true) override;
  void OnTaken(const Interpreter& session, Index transition) override;
  void OnEntered(const Interpreter& session, StateId state) override;
  void OnConfiguration(const Interpreter& session) override;

 private:
  const Chart& chart_;
  std::vector<std::uint64_t> states_, transitions_, true_, false_;
  std::map<std::pair<StateId, StateId>, std::uint64_t> pairs_;  ///< all that there can be
  bool has_pairs_ = true;
  std::vector<StateId> active_;  ///< atomic states, work space
};

}  // namespace davit
