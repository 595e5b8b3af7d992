#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/diagnostics.h"
#include "proof/bench_file.h"
#include "proof/case_signals.h"
#include "results/result_table.h"

namespace davit {

/// Whether a run was as expected, and if not, why.
struct Verdict {
  bool is_met = true;
  std::string text;          ///< `false at 3.24 s, with pump.p_out = 3.4e+07 Pa`
  std::optional<double> at;  ///< [s] where a picture marks the failure
};

/// When a run begins and ends [s].
struct RunSpan {
  double begin = 0, end = 0;
};

/// An expectation of a case: an element of its file, compiled for the signals of its system.
///
/// Conditions are looked at in each row of CaseSignals: at step points, and before and after each event. A
/// window [from, to] contains the rows at both ends. An expectation whose window never starts, or contains no
/// row, is not met. The same holds for a window that begins before a reference curve or ends after it.
class Expectation {
 public:
  /// What is wrong goes to `diagnostics`. `folder`: of the bench.
  Expectation(const BenchElement& element, const std::filesystem::path& folder, const RunSpan& run,
              Simulation& simulation, CaseSignals& signals, Diagnostics& diagnostics);

  const BenchElement& element() const { return element_; }
  /// As it is written, without what only people read: `Never expr="pump.p_out gt 250 bar"`.
  std::string Text() const;
  /// After the run. Pre: `diagnostics` had no errors.
  Verdict Judge(CaseSignals& signals) const;

  /// What a picture of it shows.
  std::vector<std::uint32_t> Shown(const CaseSignals& signals) const;
  /// The reference curve of `<Follows>`.
  const ResultTable* reference() const { return reference_ ? &*reference_ : nullptr; }
  std::size_t reference_column() const { return column_; }
  double tube() const { return limit_; }

 private:
  using Expression = CaseSignals::Expression;
  struct Rows {
    std::size_t begin = 0, end = 0;
    double start = 0;   ///< [s]
    std::string fault;  ///< why there are none
  };

  class Reader;

  Rows FindRows(CaseSignals& signals) const;
  Verdict JudgeAlways(CaseSignals& signals, const Rows& rows, bool wanted) const;
  Verdict JudgeReached(CaseSignals& signals, const Rows& rows, double longest) const;
  Verdict JudgeSettles(CaseSignals& signals, const Rows& rows) const;
  Verdict JudgeOvershoot(CaseSignals& signals, const Rows& rows) const;
  Verdict JudgeMonotone(CaseSignals& signals, const Rows& rows) const;
  Verdict JudgeOrder(CaseSignals& signals, const Rows& rows) const;
  Verdict JudgeFollows(CaseSignals& signals, const Rows& rows) const;
  /// Why the reference does not cover the times from `begin` to `end` [s]; empty if it does.
  std::string FaultOfReference(double begin, double end) const;

  BenchElement element_;
  double from_ = -std::numeric_limits<double>::infinity();  ///< [s]
  double to_ = std::numeric_limits<double>::infinity();     ///< [s]
  double time_ = std::numeric_limits<double>::infinity();   ///< [s]
  double limit_ = 0;                                        ///< band, most, slack or tube, SI
  double time_tube_ = 0;                                    ///< [s]
  std::optional<Expression> after_;
  std::vector<Expression> expressions_;  ///< the condition, the conditions, or the signal
  std::optional<Expression> value_;
  std::optional<ResultTable> reference_;
  std::size_t column_ = 0;
};

}  // namespace davit
