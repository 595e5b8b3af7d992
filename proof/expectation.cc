#include "proof/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "framework/nearest_name.h"
#include "framework/units/quantity.h"
#include "framework/xml/element_reader.h"
#include "results/load_result.h"

namespace davit {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Times of rows are sums, those of the file decimals [s].
constexpr double kSameTime = 1e-9;

std::string Seconds(double t) { return fmt::format("{:.9g} s", t); }

/// The value of a curve on a straight line between its rows; at two rows of one time that of the later.
double Interpolate(const std::vector<double>& time, const std::vector<double>& values, double t) {
  const auto after = static_cast<std::size_t>(std::ranges::upper_bound(time, t) - time.begin());
  if (after == 0) return values.front();
  if (after == time.size()) return values.back();
  const double share = (t - time[after - 1]) / (time[after] - time[after - 1]);
  return std::lerp(values[after - 1], values[after], share);
}

}  // namespace

/// Reads the attributes of an expectation.
class Expectation::Reader {
 public:
  Reader(Expectation& target, Simulation& simulation, CaseSignals& signals, Diagnostics& diagnostics)
      : target_(target),
        element_(target.element_),
        simulation_(simulation),
        signals_(signals),
        diagnostics_(diagnostics) {}

  void ReadTime(std::string_view name, double& time) {
    if (element_.Has(name)) Read(name, "s", time);
  }
  std::optional<Expression> ReadExpression(std::string_view name, ValueType type) {
    if (!element_.Has(name)) return std::nullopt;
    return signals_.Compile(element_.Get(name), type, element_.place, name, diagnostics_);
  }
  /// A number with the unit of the signal.
  void ReadLimit(std::string_view name, const Expression& signal) {
    if (!element_.Has(name)) return;
    const UnitSystem& units = simulation_.system().units();
    const auto dimension = signal.unit.known();
    Read(name, dimension ? SiUnitOf(*dimension, units) : std::string(kAnyUnit), target_.limit_);
  }
  void ReadFraction(std::string_view name) { Read(name, "", target_.limit_); }
  void ReadOrder() {
    std::string_view rest = element_.Get("of");
    for (;;) {
      const std::size_t end = std::min(rest.find(';'), rest.size());
      const auto condition = signals_.Compile(Trim(rest.substr(0, end)), ValueType::kBoolean, element_.place,
                                              "of", diagnostics_);
      if (condition) target_.expressions_.push_back(*condition);
      if (end == rest.size()) break;
      rest.remove_prefix(end + 1);
    }
    if (target_.expressions_.size() < 2 && !diagnostics_.has_errors())
      Fail({"of: an order needs two conditions", "write them with ; between"});
  }
  void ReadReached() {
    const std::string of(element_.Get("of"));
    const System& system = simulation_.system();
    const Component* const owner = system.Find(of);
    if (element_.Has("state") && owner != nullptr && owner->declarations().event_receiver == nullptr) {
      const bool has_chart = system.Find(of + ".chart") != nullptr;
      return Fail({fmt::format("of: {} is not a chart, so it has no states", Quoted(of)),
                   has_chart ? fmt::format("write of=\"{}.chart\", or level= in place of state=", of)
                             : std::string("write the path of a Statechart, or level= in place of state=")});
    }
    const std::string text = element_.Has("state")
                                 ? fmt::format("{}.state.{}", of, element_.Get("state"))
                                 : fmt::format("{}.level == '{}'", of, element_.Get("level"));
    if (const auto condition = signals_.Compile(text, ValueType::kBoolean, element_.place,
                                                element_.Has("state") ? "state" : "level", diagnostics_))
      target_.expressions_.push_back(*condition);
  }
  void ReadReference(const std::filesystem::path& folder, const std::string& column) {
    Diagnostics found;
    target_.reference_ = LoadResult(folder / element_.Get("file"), found);
    if (!target_.reference_) return diagnostics_.Add(found);
    const std::vector<std::string>& names = target_.reference_->names;
    const auto place = std::ranges::find(names, column);
    if (place == names.end()) {
      return Fail({fmt::format("no signal {} in {}", Quoted(column), element_.Get("file")),
                   SuggestName("it has", column, names)});
    }
    target_.column_ = static_cast<std::size_t>(place - names.begin());
  }

  /// A window that contains nothing of the run.
  void CheckWindow(const RunSpan& run) {
    const auto fail = [&](std::string_view name, const std::string& problem, const std::string& remedy) {
      Fail({fmt::format("{}: {} {}", name, Quoted(element_.Get(name)), problem), remedy});
    };
    const std::string span = fmt::format("{} to {}", Seconds(run.begin), Seconds(run.end));
    if (std::isfinite(target_.from_) && target_.from_ > run.end + kSameTime)
      fail("from", "is after the end of the run", "it is from " + span);
    if (std::isfinite(target_.to_) && target_.to_ < run.begin - kSameTime)
      fail("to", "is before the start of the run", "it is from " + span);
    if (target_.to_ < target_.from_ && std::isfinite(target_.to_))
      fail("to", "is before from", "write a time after " + Seconds(target_.from_));
  }
  /// The value has the unit of the signal; if only one of them is known, the expression says so.
  void CheckValue(const Expression& signal, const Expression& value) {
    const auto wanted = signal.unit.known(), given = value.unit.known();
    if (wanted && given && !(*wanted == *given)) {
      const UnitSystem& units = simulation_.system().units();
      return Fail({fmt::format("value: {} is in {}, the signal in {}", Quoted(value.text),
                               UnitName(*given, units), UnitName(*wanted, units)),
                   "write it in the unit of the signal"});
    }
    signals_.Compile(fmt::format("({}) - ({})", signal.text, value.text), ValueType::kNumber, element_.place,
                     "value", diagnostics_);
  }
  /// The reference curve covers the window, as far as it is known before the run.
  void CheckReference(const RunSpan& run) {
    if (!target_.reference_ || target_.reference_->time.empty() || !std::isfinite(run.end)) return;
    const std::string fault =
        target_.FaultOfReference(element_.Has("after") ? kInfinity : std::max(run.begin, target_.from_),
                                 std::min(run.end, target_.to_));
    if (!fault.empty()) diagnostics_.Error(element_.place, {}, "file: " + fault);
  }

 private:
  static std::string UnitName(const Dimension& dimension, const UnitSystem& units) {
    const std::string name = SiUnitOf(dimension, units);
    return name.empty() ? "a number without a unit" : name;
  }
  void Fail(const Fault& fault) { diagnostics_.Error(element_.place, {}, fault); }

  void Read(std::string_view name, std::string_view unit, double& value) {
    const UnitSystem& units = simulation_.system().units();
    const QuantityResult result = unit == kAnyUnit ? ParseQuantity(element_.Get(name), units)
                                                   : ParseQuantity(element_.Get(name), unit, units);
    if (!result.value) {
      Fail({fmt::format("{}: {}", name, result.fault.what), result.fault.remedy});
    } else if (result.value->si < 0) {
      Fail({fmt::format("{}: {} is below 0", name, Quoted(element_.Get(name))), "write a number from 0 on"});
    } else {
      value = result.value->si;
    }
  }

  Expectation& target_;
  const BenchElement& element_;
  Simulation& simulation_;
  CaseSignals& signals_;
  Diagnostics& diagnostics_;
};

Expectation::Expectation(const BenchElement& element, const std::filesystem::path& folder, const RunSpan& run,
                         Simulation& simulation, CaseSignals& signals, Diagnostics& diagnostics)
    : element_(element) {
  Reader reader(*this, simulation, signals, diagnostics);
  reader.ReadTime("from", from_);
  reader.ReadTime("to", to_);
  reader.CheckWindow(run);
  reader.ReadTime("time", time_);
  after_ = reader.ReadExpression("after", ValueType::kBoolean);
  const std::string_view kind = element.kind->name;
  if (kind == "Order") reader.ReadOrder();
  if (kind == "Reaches") reader.ReadReached();
  if (const auto condition = reader.ReadExpression("expr", ValueType::kBoolean))
    expressions_.push_back(*condition);
  const auto signal = reader.ReadExpression("signal", ValueType::kNumber);
  if (!signal) return;
  expressions_.push_back(*signal);
  value_ = reader.ReadExpression("value", ValueType::kNumber);
  // Both have one dimension, or neither is known.
  if (value_) reader.CheckValue(*signal, *value_);
  if (kind == "Settles") reader.ReadLimit("band", *signal);
  if (kind == "Monotone") reader.ReadLimit("slack", *signal);
  if (kind == "Overshoot") reader.ReadFraction("most");
  if (kind != "Follows") return;
  reader.ReadLimit("tube", *signal);
  reader.ReadTime("time_tube", time_tube_);
  reader.ReadReference(folder, element.Has("column") ? std::string(element.Get("column")) : signal->text);
  reader.CheckReference(run);
}

std::string Expectation::Text() const {
  std::string text(element_.kind->name);
  for (const AttributeKind& attribute : element_.kind->attributes) {
    if (attribute.name != "text" && element_.Has(attribute.name))
      text += fmt::format(" {}=\"{}\"", attribute.name, element_.Get(attribute.name));
  }
  return text;
}

std::vector<std::uint32_t> Expectation::Shown(const CaseSignals& signals) const {
  std::vector<std::uint32_t> shown;
  const auto add = [&](const Expression& expression) {
    for (const std::uint32_t column : signals.SignalsOf(expression)) {
      if (std::ranges::find(shown, column) == shown.end()) shown.push_back(column);
    }
  };
  for (const Expression& expression : expressions_) add(expression);
  if (after_) add(*after_);
  return shown;
}

Expectation::Rows Expectation::FindRows(CaseSignals& signals) const {
  const std::vector<double>& time = signals.curves().time;
  Rows rows;
  const auto row_of = [&](double t) {
    return static_cast<std::size_t>(std::ranges::lower_bound(time, t) - time.begin());
  };
  rows.begin = row_of(from_ - kSameTime);
  rows.end = row_of(to_ + kSameTime);
  if (after_) {
    while (rows.begin < rows.end && !signals.IsTrueAt(*after_, rows.begin)) ++rows.begin;
    if (rows.begin == rows.end) {
      rows.fault = fmt::format(
          "'{}' {}", after_->text,
          std::isfinite(from_) ? "is not true from " + Seconds(from_) + " on" : "never became true");
      if (std::isfinite(to_)) rows.fault += " until " + Seconds(to_);
    }
  } else if (rows.begin >= rows.end) {
    rows.fault = time.empty() ? "the run has no step"
                              : fmt::format("the window has no step; the run is from {} to {}",
                                            Seconds(time.front()), Seconds(time.back()));
  }
  if (rows.fault.empty()) rows.start = after_ || from_ < time.front() ? time[rows.begin] : from_;
  return rows;
}

Verdict Expectation::Judge(CaseSignals& signals) const {
  const Rows rows = FindRows(signals);
  if (!rows.fault.empty()) return {false, rows.fault, std::nullopt};
  const std::string_view kind = element_.kind->name;
  if (kind == "Always") return JudgeAlways(signals, rows, true);
  if (kind == "Never") return JudgeAlways(signals, rows, false);
  if (kind == "Settles") return JudgeSettles(signals, rows);
  if (kind == "Overshoot") return JudgeOvershoot(signals, rows);
  if (kind == "Monotone") return JudgeMonotone(signals, rows);
  if (kind == "Order") return JudgeOrder(signals, rows);
  if (kind == "Follows") return JudgeFollows(signals, rows);
  return JudgeReached(signals, rows, time_);  // Eventually, Within, Reaches
}

Verdict Expectation::JudgeAlways(CaseSignals& signals, const Rows& rows, bool wanted) const {
  const Expression& condition = expressions_.front();
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    const double value = signals.ValueAt(condition, row);
    if (!std::isnan(value) && (value > 0.5) == wanted) continue;
    const double t = signals.curves().time[row];
    return {false,
            fmt::format("{} at {}, with {}",
                        std::isnan(value) ? "has no value"
                        : wanted          ? "false"
                                          : "true",
                        Seconds(t), signals.Operands(condition, row)),
            t};
  }
  return {};
}

Verdict Expectation::JudgeReached(CaseSignals& signals, const Rows& rows, double longest) const {
  const Expression& condition = expressions_.front();
  const std::vector<double>& time = signals.curves().time;
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    if (!signals.IsTrueAt(condition, row)) continue;
    if (time[row] <= rows.start + longest + kSameTime)
      return {true, fmt::format("true at {}", Seconds(time[row])), {}};
    return {false,
            fmt::format("true only at {}, {} after {}; at most {} are allowed", Seconds(time[row]),
                        Seconds(time[row] - rows.start), Seconds(rows.start), Seconds(longest)),
            time[row]};
  }
  const std::size_t last = rows.end - 1;
  return {false,
          fmt::format("never true from {} to {}; at the end {}", Seconds(rows.start), Seconds(time[last]),
                      signals.Operands(condition, last)),
          time[last]};
}

Verdict Expectation::JudgeSettles(CaseSignals& signals, const Rows& rows) const {
  const std::vector<double>& time = signals.curves().time;
  const auto show = [&](double value) { return signals.Show(expressions_.front(), value); };
  std::size_t settled = rows.end;  // from this row on
  double worst = 0;
  for (std::size_t row = rows.end; row-- > rows.begin;) {
    const double deviation = signals.ValueAt(expressions_.front(), row) - signals.ValueAt(*value_, row);
    if (!(std::abs(deviation) <= limit_)) {
      worst = deviation;
      break;
    }
    settled = row;
  }
  if (settled == rows.end) {
    return {false,
            fmt::format("{} from its value at {}; the band is {}", show(worst), Seconds(time[rows.end - 1]),
                        show(limit_)),
            time[rows.end - 1]};
  }
  const double took = time[settled] - rows.start;
  if (took <= time_ + kSameTime) return {true, fmt::format("settled after {}", Seconds(took)), {}};
  return {false, fmt::format("settled only after {}; at most {} are allowed", Seconds(took), Seconds(time_)),
          time[settled]};
}

Verdict Expectation::JudgeOvershoot(CaseSignals& signals, const Rows& rows) const {
  const Expression& signal = expressions_.front();
  const std::size_t last = rows.end - 1;
  const double first = signals.ValueAt(signal, rows.begin);
  const double goal = value_ ? signals.ValueAt(*value_, last) : signals.ValueAt(signal, last);
  const double way = goal - first;
  double worst = -kInfinity;
  std::size_t at = last;
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    const double beyond = (signals.ValueAt(signal, row) - goal) / way;
    if (!(beyond <= worst)) {
      worst = beyond;
      at = row;
    }
    if (std::isnan(beyond)) break;
  }
  const double t = signals.curves().time[at];
  if (std::isnan(worst) || std::isinf(worst))
    return {false,
            fmt::format("no overshoot: the signal starts at its final value {}", signals.Show(signal, goal)),
            t};
  const std::string text = fmt::format("overshoot {:.4g} % at {}", 100 * std::max(worst, 0.0), Seconds(t));
  if (worst <= limit_) return {true, text, {}};
  return {false, fmt::format("{}; at most {:.4g} % are allowed", text, 100 * limit_), t};
}

Verdict Expectation::JudgeMonotone(CaseSignals& signals, const Rows& rows) const {
  const double sign = element_.Get("direction") == "falling" ? -1 : 1;
  const auto show = [&](double value) { return signals.Show(expressions_.front(), value); };
  double best = -kInfinity;
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    const double value = sign * signals.ValueAt(expressions_.front(), row);
    if (!(value >= best - limit_)) {
      const double t = signals.curves().time[row];
      return {
          false,
          fmt::format("turns back to {} at {}, after {}", show(sign * value), Seconds(t), show(sign * best)),
          t};
    }
    best = std::max(best, value);
  }
  return {};
}

Verdict Expectation::JudgeOrder(CaseSignals& signals, const Rows& rows) const {
  const std::vector<double>& time = signals.curves().time;
  double before = rows.start;
  for (std::size_t i = 0; i < expressions_.size(); ++i) {
    std::size_t row = rows.begin;
    while (row < rows.end && !signals.IsTrueAt(expressions_[i], row)) ++row;
    if (row == rows.end) return {false, fmt::format("'{}' never became true", expressions_[i].text), {}};
    if (time[row] < before) {
      return {false,
              fmt::format("'{}' became true at {}, before '{}' at {}", expressions_[i].text,
                          Seconds(time[row]), expressions_[i - 1].text, Seconds(before)),
              time[row]};
    }
    before = time[row];
  }
  return {};
}

Verdict Expectation::JudgeFollows(CaseSignals& signals, const Rows& rows) const {
  const std::vector<double>& time = signals.curves().time;
  const std::vector<double>& t_ref = reference_->time;
  const std::vector<double>& reference = reference_->columns[column_];
  const auto show = [&](double value) { return signals.Show(expressions_.front(), value); };
  if (const std::string fault = FaultOfReference(time[rows.begin], time[rows.end - 1]); !fault.empty())
    return {false, fault, std::nullopt};
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    const double t = time[row];
    const double value = signals.ValueAt(expressions_.front(), row);
    // What the curve is between t - time_tube and t + time_tube.
    double low = std::min(Interpolate(t_ref, reference, t - time_tube_),
                          Interpolate(t_ref, reference, t + time_tube_));
    double high = std::max(Interpolate(t_ref, reference, t - time_tube_),
                           Interpolate(t_ref, reference, t + time_tube_));
    auto k =
        static_cast<std::size_t>(std::ranges::lower_bound(t_ref, t - time_tube_ - kSameTime) - t_ref.begin());
    for (; k < t_ref.size() && t_ref[k] <= t + time_tube_ + kSameTime; ++k) {
      low = std::min(low, reference[k]);
      high = std::max(high, reference[k]);
    }
    if (value >= low - limit_ && value <= high + limit_) continue;
    return {false,
            fmt::format("{} at {}; the reference is {} with a tube of {}", show(value), Seconds(t),
                        show(Interpolate(t_ref, reference, t)), show(limit_)),
            t};
  }
  return {};
}

std::string Expectation::FaultOfReference(double begin, double end) const {
  const double first = reference_->time.front(), last = reference_->time.back();
  if (begin < first - kSameTime)
    return fmt::format("the window begins before the reference; write from=\"{}\"", Seconds(first));
  if (end > last + kSameTime)
    return fmt::format("the window ends after the reference; write to=\"{}\"", Seconds(last));
  return {};
}

}  // namespace davit
