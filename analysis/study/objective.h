#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/study/case_pool.h"
#include "analysis/study/variation.h"

namespace davit {

/// What is known of one point of a search.
struct Evaluation {
  std::vector<double> u;            ///< in the unit cube
  std::vector<double> objectives;   ///< to be minimised; infinite where the case has failed
  double violation = 0;             ///< sum of what constraints are exceeded by; 0: all hold
  std::vector<double> constraints;  ///< each <= 0 where it holds, in shares of its limit, of limit 0 in SI
  std::vector<double> excess = {};  ///< the same, all in SI
  bool is_valid = false;            ///< the case ran, and all values are numbers
  std::uint64_t number = 0;         ///< of the case
};

/// Whether a is better than b, for one objective (Deb, Computer Methods in Applied Mechanics and Engineering
/// 186, 2000): what holds the constraints beats what does not, then the smaller violation, then the smaller
/// objective.
bool IsBetter(const Evaluation& a, const Evaluation& b);
/// The same for several objectives: whether a dominates b.
bool Dominates(const Evaluation& a, const Evaluation& b);

/// Ends a search: the budget is used up, or somebody wants to stop.
struct SearchEnded {
  bool is_stopped = false;  ///< by somebody; else by the budget
};

/// What a search minimises: runs cases, counts them, and knows those that were run before.
///
/// Points are in the unit cube; a coordinate is the share of the way between two bounds, of their logarithms
/// where the variation says so. Of choices each has an equal part of the way, and a point in it becomes the
/// middle of it. A point that is asked for again is not run again, and counts once: a search
/// that is repeated from its beginning with the cases of an earlier one gets to where that was, and
/// continues.
class Objective {
 public:
  /// How measures become objectives and constraints.
  struct Layout {
    std::size_t first_objective = 0, objectives = 1;  ///< places among the measures of a case
    std::vector<double> signs = {1};                  ///< -1: to be maximised
    /// Places of the left and right sides of `left <= right` (or >=).
    struct Constraint {
      std::size_t left, right;
      bool is_at_most = true;
    };
    std::vector<Constraint> constraints = {};
  };

  /// Called for each new case, in the order of their numbers.
  using Taker =
      std::function<void(std::uint64_t number, std::span<const CaseValue> values, const CaseResult& result)>;

  /// `pool` must outlive it.
  Objective(CasePool& pool, std::vector<BoundedVariation> variables, Layout layout, std::uint64_t budget,
            Taker taker, const std::stop_token& stop);

  std::size_t dimensions() const { return variables_.size(); }
  std::size_t objectives() const { return layout_.objectives; }
  std::size_t constraints() const { return layout_.constraints.size(); }
  const std::vector<BoundedVariation>& variables() const { return variables_; }
  const Layout& layout() const { return layout_; }
  /// Whether coordinate i is one of several choices.
  bool IsChoice(std::size_t i) const { return !variables_[i].choices.empty(); }

  /// Cases of an earlier search, by their values in the order of the variables.
  void Know(std::uint64_t number, const std::vector<CaseValue>& values, CaseResult result);

  /// All points, at the same time as far as the pool has workers. Throws SearchEnded.
  std::vector<Evaluation> Evaluate(const std::vector<std::vector<double>>& points);
  Evaluation Evaluate(const std::vector<double>& point) {
    return Evaluate(std::vector<std::vector<double>>{point}).front();
  }

  /// The best so far, for one objective; null before the first.
  const Evaluation* best() const { return best_ ? &*best_ : nullptr; }
  const std::vector<Evaluation>& all() const { return all_; }
  std::uint64_t count() const { return count_; }
  std::uint64_t left() const { return budget_ > count_ ? budget_ - count_ : 0; }

  std::vector<CaseValue> ToValues(std::span<const double> u) const;
  /// Where the system is now.
  std::vector<double> StartPoint() const;

 private:
  std::vector<double> AtMiddles(std::vector<double> u) const;
  Evaluation Judge(const std::vector<double>& u, const CaseResult& result) const;

  CasePool& pool_;
  std::vector<BoundedVariation> variables_;
  Layout layout_;
  std::uint64_t budget_;
  Taker taker_;
  std::stop_token stop_;
  struct Known {
    std::uint64_t number;
    CaseResult result;
    bool is_asked_for = false;  ///< in this search
  };
  std::map<std::vector<CaseValue>, Known> known_;  ///< by values
  std::uint64_t next_number_ = 1;
  std::uint64_t count_ = 0;
  std::vector<Evaluation> all_;
  std::optional<Evaluation> best_;
};

}  // namespace davit
