#include "analysis/levels/level_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace davit {
namespace {

/// A saving below this share of the cost of its window still counts as much: a level that saves nothing alone
/// may do so together with others.
constexpr double kLeastSaving = 0.02;
/// Moves that save less than this share of all are not worth another one.
constexpr double kLeastMove = 1e-4;

/// A schedule that is changed step by step, with the errors and the cost that the base predicts.
class LevelPlan {
 public:
  /// One group gets another rung in some windows.
  struct Move {
    std::size_t group = 0, first = 0, last = 0, rung = 0;
    double saving = 0;
  };

  LevelPlan(const LevelMetrics& metrics, const LevelBase& base, bool is_careful)
      : metrics_(metrics),
        base_(base),
        is_careful_(is_careful),
        schedule_(base.schedule),
        sum_(metrics, base.deviation) {
    for (const LevelEffect& effect : base.effects) {
      if (effect.is_usable) effects_[{effect.group, effect.window, effect.rung}] = &effect;
    }
    windows_ = schedule_.empty() ? 0 : schedule_.front().size();
    for (std::size_t m = 0; m < metrics.all().size(); ++m) {
      if (const auto channel = metrics.MeanSquareChannelOf(m)) channels_.push_back(*channel);
    }
    SumTails();
  }

  const LevelSchedule& schedule() const { return schedule_; }
  const LevelSum& sum() const { return sum_; }
  double saving() const { return saving_; }
  std::size_t windows() const { return windows_; }

  /// What it saves; nothing where it is not allowed or changes nothing.
  std::optional<Move> MoveTo(std::size_t group, std::size_t first, std::size_t last, std::size_t rung) const {
    Move move{group, first, last, rung};
    bool changes = false;
    for (std::size_t w = first; w <= last; ++w) {
      const std::size_t now = schedule_[group][w];
      if (now == rung) continue;
      if (!IsKnown(group, w, rung) || !IsKnown(group, w, now)) return std::nullopt;
      if (is_careful_ && OtherHasChanged(group, w)) return std::nullopt;
      changes = true;
      move.saving += CoreSaving(group, w, rung) - CoreSaving(group, w, now);
    }
    if (!changes) return std::nullopt;
    std::vector<std::size_t> row = schedule_[group];
    const auto before = static_cast<double>(Switches(row));
    std::fill(row.begin() + static_cast<std::ptrdiff_t>(first),
              row.begin() + static_cast<std::ptrdiff_t>(last) + 1, rung);
    move.saving += base_.switch_cost * (before - static_cast<double>(Switches(row)));
    return move;
  }

  /// Another schedule as a whole; what is not known is as in the base.
  ChosenLevels Predict(const LevelSchedule& schedule) const {
    LevelSum sum = sum_;
    double saving = 0;
    for (std::size_t g = 0; g < schedule.size(); ++g) {
      saving += base_.switch_cost * (static_cast<double>(Switches(base_.schedule[g])) -
                                     static_cast<double>(Switches(schedule[g])));
      for (std::size_t w = 0; w < windows_; ++w) {
        const auto effect = effects_.find({g, w, schedule[g][w]});
        if (effect == effects_.end()) continue;
        sum.Add(*effect->second, 1);
        saving += CoreSaving(g, w, schedule[g][w]);
      }
    }
    return {schedule, sum.deviation(), saving};
  }

  /// The largest share of a tolerance after a move.
  double ShareWith(const Move& move) const {
    const bool are_mean_squares = channels_.size() == metrics_.all().size();
    return are_mean_squares ? ShareOfMeanSquares(ChangesOf(move)) : With(move).Share();
  }

  /// Takes the move, unless its share of a tolerance is above `most`.
  bool TakeWithin(const Move& move, double most) {
    if (ShareWith(move) > most) return false;
    LevelSum sum = With(move);
    if (sum.Share() > most) return false;  // ShareWith has another rounding
    for (std::size_t w = move.first; w <= move.last; ++w) schedule_[move.group][w] = move.rung;
    sum_ = std::move(sum);
    saving_ += move.saving;
    SumTails();
    return true;
  }

  /// All that is allowed.
  std::vector<Move> Moves() const {
    std::vector<Move> moves;
    const auto add = [&](std::size_t g, std::size_t first, std::size_t last, std::size_t rung) {
      if (const auto move = MoveTo(g, first, last, rung)) moves.push_back(*move);
    };
    for (std::size_t g = 0; g < schedule_.size(); ++g) {
      std::size_t most = 0;
      for (const auto& [key, effect] : effects_) {
        if (std::get<0>(key) == g) most = std::max(most, std::get<2>(key));
      }
      for (const std::size_t rung : base_.schedule[g]) most = std::max(most, rung);
      for (std::size_t rung = 0; rung <= most; ++rung) {
        for (std::size_t w = 0; w < windows_; ++w) add(g, w, w, rung);
        add(g, 0, windows_ - 1, rung);
      }
      const std::vector<std::size_t>& row = schedule_[g];
      for (std::size_t first = 0, last = 0; first < windows_; first = last + 1) {
        last = first;
        while (last + 1 < windows_ && row[last + 1] == row[first]) ++last;
        if (last == first) continue;  // a window alone is there already
        if (first > 0) add(g, first, last, row[first - 1]);
        if (last + 1 < windows_) add(g, first, last, row[last + 1]);
      }
    }
    return moves;
  }

 private:
  struct Change {
    const LevelEffect* effect = nullptr;
    double weight = 1;
  };

  /// In the order of their windows.
  std::vector<Change> ChangesOf(const Move& move) const {
    std::vector<Change> changes;
    changes.reserve(2 * (move.last - move.first + 1));
    for (std::size_t w = move.first; w <= move.last; ++w) {
      const std::size_t now = schedule_[move.group][w], top = base_.schedule[move.group][w];
      if (now == move.rung) continue;
      if (now != top) changes.push_back({effects_.at({move.group, w, now}), -1});
      if (move.rung != top) changes.push_back({effects_.at({move.group, w, move.rung}), 1});
    }
    return changes;
  }

  LevelSum With(const Move& move) const {
    LevelSum sum = sum_;
    for (const Change& change : ChangesOf(move)) sum.Add(*change.effect, change.weight);
    return sum;
  }

  /// For each row and channel, what is needed to add a constant to all rows from there on.
  void SumTails() {
    const std::vector<double>& deviation = sum_.deviation();
    const std::size_t n = metrics_.channels();
    tails_.assign(deviation.size() + n, 0);
    squares_.assign(n, 0);
    for (std::size_t i = deviation.size(); i-- > 0;) {
      tails_[i] = tails_[i + n] + deviation[i];
      squares_[i % n] += deviation[i] * deviation[i];
    }
  }

  /// Without the rows after the last effect, of which only the sum counts: what is left there is constant.
  double ShareOfMeanSquares(const std::vector<Change>& changes) const {
    const std::vector<double>& deviation = sum_.deviation();
    const std::size_t n = metrics_.channels(), rows = deviation.size() / n;
    std::size_t first = rows, end = 0;
    for (const auto& [effect, weight] : changes) {
      first = std::min(first, effect->first_row);
      end = std::max(end, effect->first_row + effect->deviation.size() / n);
    }
    std::vector<double> added(end > first ? (end - first) * n : 0), left(added.size() + n);
    for (const auto& [effect, weight] : changes) {
      const std::size_t begin = (effect->first_row - first) * n, count = effect->deviation.size();
      for (std::size_t i = 0; i < count; ++i) added[begin + i] += weight * effect->deviation[i];
      for (std::size_t k = 0; k < n && count >= n; ++k)
        left[begin + count + k] += weight * effect->deviation[count - n + k];
    }
    std::vector<double> squares = squares_, stays(n);
    for (std::size_t i = 0; i < added.size(); ++i) {
      const double change = added[i] + (stays[i % n] += left[i]);
      squares[i % n] += change * (2 * deviation[first * n + i] + change);
    }
    std::vector<double> errors;
    errors.reserve(channels_.size());
    for (const std::size_t k : channels_) {
      if (end > first) {
        const double change = stays[k] + left[added.size() + k];
        squares[k] += change * (2 * tails_[end * n + k] + static_cast<double>(rows - end) * change);
      }
      errors.push_back(std::isnan(squares[k])
                           ? std::numeric_limits<double>::infinity()
                           : std::sqrt(std::max(0.0, squares[k]) / static_cast<double>(rows)));
    }
    return metrics_.ShareOf(errors);
  }

  bool IsKnown(std::size_t group, std::size_t w, std::size_t rung) const {
    return rung == base_.schedule[group][w] || effects_.contains({group, w, rung});
  }
  bool OtherHasChanged(std::size_t group, std::size_t w) const {
    for (std::size_t g = 0; g < schedule_.size(); ++g) {
      if (g != group && schedule_[g][w] != base_.schedule[g][w]) return true;
    }
    return false;
  }
  static std::size_t Switches(const std::vector<std::size_t>& row) {
    std::size_t switches = 0;
    for (std::size_t w = 1; w < row.size(); ++w) switches += row[w] != row[w - 1] ? 1 : 0;
    return switches;
  }
  /// What a rung saves against the base without the switches at the ends of its window.
  double CoreSaving(std::size_t group, std::size_t w, std::size_t rung) const {
    const std::vector<std::size_t>& row = base_.schedule[group];
    if (rung == row[w]) return 0;
    return effects_.at({group, w, rung})->saving - base_.switch_cost * FewerSwitches(row, w, rung);
  }

  const LevelMetrics& metrics_;
  const LevelBase& base_;
  bool is_careful_;
  std::size_t windows_ = 0;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, const LevelEffect*> effects_;
  LevelSchedule schedule_;
  LevelSum sum_;
  double saving_ = 0;
  std::vector<std::size_t> channels_;    ///< by metric whose error is a mean square
  std::vector<double> tails_, squares_;  ///< sums of the deviation from each row on, and of its squares
};

/// The knapsack: one rung after the other, those with the least error per saving first.
void FillByPrice(LevelPlan& plan, const LevelMetrics& metrics, const LevelBase& base, double safety) {
  std::vector<double> price(base.effects.size());
  for (std::size_t i = 0; i < price.size(); ++i) {
    const LevelEffect& effect = base.effects[i];
    price[i] = metrics.ShareOf(effect.errors) /
               std::max({effect.saving, kLeastSaving * base.costs[effect.window], 1.0});
  }
  std::vector<std::size_t> order(price.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return price[i]; });
  for (const std::size_t i : order) {
    const LevelEffect& effect = base.effects[i];
    const auto move = plan.MoveTo(effect.group, effect.window, effect.window, effect.rung);
    if (!move) continue;
    // What costs more alone may cost less together with others, but not at the price of an error.
    const bool is_free = price[i] * std::max(1.0, kLeastSaving * base.costs[effect.window]) < 0.01;
    const bool is_first =
        plan.schedule()[effect.group][effect.window] == base.schedule[effect.group][effect.window];
    if (move->saving < 0 && !(is_first && is_free)) continue;
    plan.TakeWithin(*move, safety);
  }
}

/// Leads back into the tolerances: the largest reduction for its cost comes first.
void Repair(LevelPlan& plan, const LevelBase& base, double safety) {
  double share = plan.sum().Share();
  while (share > safety) {
    std::optional<LevelPlan::Move> best;
    double best_gain = 0;
    for (const LevelPlan::Move& move : plan.Moves()) {
      const double gain =
          (share - plan.ShareWith(move)) / std::max(-move.saving, kLeastSaving * base.costs[move.first] + 1);
      if (gain <= best_gain) continue;
      best = move;
      best_gain = gain;
    }
    if (!best || !plan.TakeWithin(*best, std::nextafter(share, 0))) return;
    share = plan.sum().Share();
  }
}

/// Moves that save, the largest first.
void Descend(LevelPlan& plan, const LevelBase& base, double safety) {
  const double least = kLeastMove * std::accumulate(base.costs.begin(), base.costs.end(), 0.0);
  for (bool has_moved = true; has_moved;) {
    has_moved = false;
    std::vector<LevelPlan::Move> moves = plan.Moves();
    std::erase_if(moves, [&](const LevelPlan::Move& move) { return move.saving <= least; });
    std::ranges::stable_sort(moves, std::ranges::greater(), &LevelPlan::Move::saving);
    for (const LevelPlan::Move& move : moves) {
      if (!plan.TakeWithin(move, safety)) continue;
      has_moved = true;
      break;
    }
  }
}

}  // namespace

void LevelSum::Add(const LevelEffect& effect, double weight) {
  const std::size_t n = metrics_->channels();
  const std::size_t first = effect.first_row * n;
  const std::size_t count = effect.deviation.size();
  for (std::size_t i = 0; i < count; ++i) deviation_[first + i] += weight * effect.deviation[i];
  if (count < n) return;
  for (std::size_t i = first + count; i < deviation_.size(); ++i)
    deviation_[i] += weight * effect.deviation[count - n + i % n];
}

double SmallerAim(double aim, double share) {
  constexpr double kShrinkage = 0.8;
  return aim * std::min(kShrinkage, share > 1 ? kLevelSafety / share : kShrinkage);
}

double FewerSwitches(const std::vector<std::size_t>& row, std::size_t window, std::size_t rung) {
  double switches = 0;
  for (const std::size_t at : {window - 1, window + 1}) {  // window - 1 of the first one is no window
    if (at >= row.size()) continue;
    switches += (row[at] != row[window] ? 1 : 0) - (row[at] != rung ? 1 : 0);
  }
  return switches;
}

LevelBase Rebase(const LevelMetrics& metrics, const LevelBase& base, LevelSchedule schedule,
                 std::vector<double> costs) {
  const std::size_t groups = schedule.size(), windows = costs.size();
  LevelBase other{.schedule = std::move(schedule),
                  .deviation = std::vector<double>(base.deviation.size()),
                  .costs = std::move(costs),
                  .switch_cost = base.switch_cost};
  std::vector<std::vector<std::vector<const LevelEffect*>>> effects(
      windows, std::vector<std::vector<const LevelEffect*>>(groups));
  for (const LevelEffect& effect : base.effects) {
    if (effect.is_usable) effects[effect.window][effect.group].push_back(&effect);
  }
  // Without the switches at the ends of the window.
  const auto saving_of = [&](const LevelEffect& effect) {
    const std::vector<std::size_t>& row = base.schedule[effect.group];
    return effect.saving - base.switch_cost * FewerSwitches(row, effect.window, effect.rung);
  };
  const auto add = [&](LevelEffect effect, double saving) {
    const std::vector<std::size_t>& row = other.schedule[effect.group];
    effect.saving = saving + base.switch_cost * FewerSwitches(row, effect.window, effect.rung);
    LevelSum alone(metrics, std::vector<double>(other.deviation.size()));
    alone.Add(effect, 1);
    effect.errors = metrics.ErrorsOf(alone.deviation());
    other.effects.push_back(std::move(effect));
  };
  for (std::size_t w = 0; w < windows; ++w) {
    const bool has_none =
        std::ranges::all_of(effects[w], [](const auto& of_group) { return of_group.empty(); });
    for (std::size_t g = 0; g < groups; ++g) {
      const std::size_t from = base.schedule[g][w], to = other.schedule[g][w];
      if (has_none && from != to) {
        add({.group = g, .window = w, .rung = from},
            (other.costs[w] - base.costs[w]) / static_cast<double>(groups));
      }
      LevelEffect origin{.group = g, .window = w, .rung = from};
      if (from != to) {
        const auto found = std::ranges::find(effects[w][g], to, &LevelEffect::rung);
        if (found == effects[w][g].end()) continue;
        origin = **found;
        LevelEffect back = origin;
        back.rung = from;
        for (double& value : back.deviation) value = -value;
        add(std::move(back), -saving_of(origin));
      }
      for (const LevelEffect* one : effects[w][g]) {
        if (one->rung == to) continue;
        LevelEffect moved = *one;
        for (std::size_t i = 0; i < origin.deviation.size(); ++i) moved.deviation[i] -= origin.deviation[i];
        add(std::move(moved), saving_of(*one) - (from == to ? 0 : saving_of(origin)));
      }
    }
  }
  return other;
}

ChosenLevels PredictLevels(const LevelMetrics& metrics, const LevelBase& base,
                           const LevelSchedule& schedule) {
  return LevelPlan(metrics, base, false).Predict(schedule);
}

ChosenLevels ChooseLevels(const LevelMetrics& metrics, const LevelBase& base, double safety,
                          bool is_careful) {
  LevelPlan plan(metrics, base, is_careful);
  Repair(plan, base, safety);
  if (!is_careful) FillByPrice(plan, metrics, base, safety);
  Descend(plan, base, std::max(safety, plan.sum().Share()));
  return {plan.schedule(), plan.sum().deviation(), plan.saving()};
}

ChosenLevels ChooseFixedLevels(const LevelMetrics& metrics, const LevelBase& base,
                               std::span<const std::size_t> rungs, double safety) {
  const std::size_t windows = base.costs.size();
  LevelBase whole{.deviation = base.deviation,
                  .costs = {std::accumulate(base.costs.begin(), base.costs.end(), 0.0)}};
  for (std::size_t g = 0; g < rungs.size(); ++g) {
    whole.schedule.push_back({base.schedule[g].front()});
    for (std::size_t rung = 0; rung < rungs[g]; ++rung) {
      LevelSum sum(metrics, std::vector<double>(base.deviation.size()));
      LevelEffect effect{.group = g, .rung = rung};
      std::size_t parts = 0, usable = 0;
      for (std::size_t w = 0; w < windows; ++w) {
        // One that was not probed is as good as the lowest.
        const LevelEffect* part = nullptr;
        for (const LevelEffect& one : base.effects) {
          if (one.group != g || one.window != w || one.rung > rung) continue;
          if (part == nullptr || one.rung > part->rung) part = &one;
        }
        if (part == nullptr) continue;
        ++parts;
        if (!part->is_usable) continue;
        ++usable;
        sum.Add(*part, 1);
        // Of a level that never changes there are no switches.
        effect.saving += part->saving - base.switch_cost * FewerSwitches(base.schedule[g], w, part->rung);
      }
      if (parts == 0 || usable != parts || rung == whole.schedule[g].front()) continue;
      effect.deviation = sum.deviation();
      effect.errors = metrics.ErrorsOf(effect.deviation);
      whole.effects.push_back(std::move(effect));
    }
  }
  ChosenLevels choice = ChooseLevels(metrics, whole, safety, false);
  for (std::vector<std::size_t>& row : choice.schedule) row.assign(windows, row.front());
  return choice;
}

}  // namespace davit
