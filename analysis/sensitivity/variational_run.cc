#include "analysis/sensitivity/variational_run.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "analysis/sensitivity/radau_step.h"
#include "simulator/break_reaction.h"
#include "simulator/charts/chart_binding.h"
#include "simulator/charts/chart_set.h"
#include "simulator/evaluation_failure.h"
#include "simulator/islands/island.h"
#include "simulator/network/network.h"
#include "simulator/simulator_manager.h"
#include "simulator/solvers/difference_quotients.h"

namespace davit {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Of central differences by a parameter, as a share of its size: truncation and rounding are both about 1e-8
/// of a smooth law.
constexpr double kParameterStep = 1e-4;
/// Of the one-sided ones that they are compared with.
constexpr double kOneSidedStep = 1e-7;
/// By more than this share of its size the run and the equations must not differ after a TimeStep.
constexpr double kSameState = 1e-3;
constexpr std::size_t kMostVariedUnknowns = 500;
/// Two ways to the same slope must not differ by more than this share of it.
constexpr double kDoubt = 1e-3;

/// Ends the integration: the equations are not those of the run.
struct VariationObstacle {
  std::string text;
};

/// A parameter of the run.
struct VariedParameter {
  Item item;
  double value = 0;
  double step = 0;
  double low = 0, high = 0;  ///< one step away, or the value at an end of its range
  bool is_start = false;     ///< of a state: in no equation
};

/// Of a start: a run shows it in its states only.
bool IsStart(const Item& item) {
  return item.kind() == Item::Kind::kState || item.kind() == Item::Kind::kStart;
}

std::string ObstacleOf(Simulation& simulation, const CaseSetup& setup) {
  SimulatorManager& manager = simulation.manager();
  for (const VariedItem& varied : setup.items) {
    Fault ignored;
    System& system = simulation.system();
    const std::optional<Item> item = system.FindSetting(system.root(), varied.path, &ignored);
    const bool is_start = item && IsStart(*item);
    if (!varied.is_live && !is_start) return varied.path + " is fixed once the system is loaded";
  }
  if (manager.network().has_fixed_steps()) return "it has fixed-step (TLM) components";
  if (manager.islands().size() != 1)
    return fmt::format("it has {} islands, which hold signals for each other", manager.islands().size());
  if (!manager.network().shadows.empty()) return "several islands evaluate one source";
  const auto is_of_parameter = [](const Route& route) { return route.parameter.has_value(); };
  if (std::ranges::any_of(simulation.system().routes(), is_of_parameter))
    return "parameters are routed, so they change at communication points";
  const auto acts = [](const ChartBinding* chart) { return !chart->is_default(); };
  if (std::ranges::any_of(manager.charts().charts(), acts)) return "charts act at communication points";
  if (manager.islands().front()->is_implicit() && !simulation.system().schedule().empty())
    return "commands act on algebraic equations";
  if (!manager.network().operators.is_empty()) return "operators act at communication points";
  if (manager.islands().front()->holds_signals()) return "inputs hold their values over a TimeStep";
  for (const DynamicSimComponent* member : manager.islands().front()->members()) {
    if (dynamic_cast<const BreakReaction*>(member) != nullptr)
      return member->DisplayPath() + " changes states at break times";
    if (member->entry().has_process) return member->DisplayPath() + " acts at communication points";
  }
  const std::size_t size = manager.islands().front()->states().size();
  if (size > kMostVariedUnknowns)
    return fmt::format("it has {} unknowns; at most {} are followed", size, kMostVariedUnknowns);
  return {};
}

/// Integrates S along a run; sees its step points.
class VariationAlongRun final : public StepObserver {
 public:
  VariationAlongRun(Simulation& simulation, std::vector<VariedParameter> parameters,
                    std::vector<Item> signals, MatrixXd start, MatrixXd start_slope,
                    const std::stop_token& stop)
      : simulation_(simulation),
        manager_(simulation.manager()),
        island_(*manager_.islands().front()),
        parameters_(std::move(parameters)),
        signals_(std::move(signals)),
        S_(start),
        S_slope_(start_slope),
        coarse_S_(std::move(start)),
        coarse_slope_(std::move(start_slope)),
        stop_(stop) {
    curves_.signals.resize(signals_.size());
    curves_.slopes.assign(parameters_.size(), std::vector<std::vector<double>>(signals_.size()));
    coarse_slopes_ = curves_.slopes;
  }

  void OnStart(double t) override {
    Watched([&] {
      Begin();
      Record(t);
      LookAhead(t);
    });
  }
  void OnContinue(double /*start*/, double /*before*/, double t) override { OnStart(t); }
  void OnStep(double t) override {
    Watched([&] {
      Complete(t);
      Record(t);
      LookAhead(t);
    });
  }
  void OnSwitch(double t, bool /*is_before*/) override {
    Watched([&] { throw VariationObstacle{fmt::format("a level changes at t = {:.9g} s", t)}; });
  }

  const std::string& obstacle() const { return obstacle_; }
  SensitivityCurves& curves() { return curves_; }
  /// The slopes of the curves once more, by steps of twice the length and one-sided difference quotients.
  const std::vector<std::vector<std::vector<double>>>& coarse_slopes() const { return coarse_slopes_; }

 private:
  using Stage = RadauStep::Stage;

  template <class Work>
  void Watched(Work work) {
    if (!obstacle_.empty()) return;
    try {
      work();
    } catch (const VariationObstacle& obstacle) {
      obstacle_ = obstacle.text;
    } catch (const std::exception& fault) {
      obstacle_ = fault.what();
    }
    if (!obstacle_.empty()) simulation_.RequestStop();
    island_.EvaluateAt(manager_.time());
  }

  std::size_t size() const { return island_.states().size(); }

  void Begin() {
    const StateVectors& states = island_.states();
    if (static_cast<std::size_t>(S_.rows()) != size())
      throw VariationObstacle{"parameters change the number of its states"};
    scale_.resize(S_.rows());
    nominal_.resize(size());
    for (std::size_t i = 0; i < size(); ++i) {
      nominal_[i] = std::max(std::abs(states.Declaration(i).nominal), 1e-300);
      scale_[static_cast<Eigen::Index>(i)] = nominal_[i];
    }
    pattern_ = island_.jacobian_pattern();
    has_jacobian_ = !island_.is_implicit() && pattern_.size() == size();
    if (pattern_.size() != size()) pattern_ = JacobianPattern::Full(size());
    quotients_ = std::make_unique<DifferenceQuotients>(size());
    increments_.resize(size());
    entries_.resize(pattern_.nonzeros());
    y_ = states.y;
    ddt_ = states.ddt;
    node_y_ = above_ = below_ = moved_ = moved_ddt_ = y_;
    MakeSolver();
  }

  /// It goes as the run does, but inside a TimeStep by steps that are known here.
  void MakeSolver() {
    IntegratorOptions options = island_.options();
    options.relative_tolerance = std::min(options.relative_tolerance, 1e-6);
    options.absolute_tolerance = std::min(options.absolute_tolerance, 1e-8);
    options.max_step = std::min(options.max_step, manager_.time_step());
    options.fixed_step = 0;
    problem_ = island_.problem();
    problem_.linearize = nullptr;
    if (!island_.is_implicit()) {
      options.method = "rodas5p";
      problem_.smallest = problem_.largest = 0;
      problem_.pattern = pattern_;
    }
    solver_ = MakeIntegrator(problem_, options);
  }

  /// Writes y' of a differential island, F(t, y, y') of an algebraic one.
  void Evaluate(double t, const std::vector<double>& y, const std::vector<double>& ddt,
                std::vector<double>& values) {
    if (island_.is_implicit()) {
      island_.EvaluateResidual(t, y.data(), ddt.data(), values.data());
    } else {
      island_.problem().evaluate(island_.problem().context, y.data(), values.data(), t);
    }
  }

  static void Set(const VariedParameter& parameter, double value) {
    if (parameter.is_start) return;
    parameter.item.Store(value);
    parameter.item.owner().ParametersChanged();
  }

  MatrixXd Dense() const {
    MatrixXd matrix = MatrixXd::Zero(S_.rows(), S_.rows());
    for (std::size_t j = 0; j < size(); ++j) {
      std::size_t entry = pattern_.Begin(j);
      for (const std::uint32_t i : pattern_.Rows(j))
        matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = entries_[entry++];
    }
    return matrix;
  }

  /// The time nearest to t at which parameter k moves no break from one side of it to the other: what the
  /// jump does there is in the jump of S.
  double ClearOfBreaks(double t, std::size_t k) const {
    const auto width = [&](const VectorXd& shift) {
      return 2 * parameters_[k].step * std::abs(shift[static_cast<Eigen::Index>(k)]);
    };
    if (last_shift_.size() > 0) t = std::max(t, last_break_ + width(last_shift_));
    if (std::isfinite(break_)) t = std::min(t, break_ - width(shift_));
    return t;
  }

  /// Entries of the matrix that `equations(at, values)` has at `point`.
  template <class Equations>
  void FillQuotients(const std::vector<double>& point, bool is_one_sided, Equations&& equations) {
    if (!is_one_sided) {
      quotients_->Fill(pattern_, point, between_, increments_, entries_, equations);
      return;
    }
    moved_ = point;
    for (std::size_t g = 0; g < pattern_.group_count(); ++g) {
      for (const std::uint32_t j : pattern_.Group(g)) moved_[j] += increments_[j];
      equations(moved_, above_);
      for (const std::uint32_t j : pattern_.Group(g)) {
        std::size_t entry = pattern_.Begin(j);
        for (const std::uint32_t i : pattern_.Rows(j))
          entries_[entry++] = (above_[i] - between_[i]) / (moved_[j] - point[j]);
        moved_[j] = point[j];
      }
    }
  }

  /// One-sided, or with the Jacobian of the solver; else by central differences. Kinks tell them apart.
  Stage StageAt(double t, const std::vector<double>& y, const std::vector<double>& ddt, bool is_one_sided) {
    Stage stage;
    const auto n = static_cast<Eigen::Index>(size());
    between_.resize(size());
    Evaluate(t, y, ddt, between_);
    if (has_jacobian_ && is_one_sided) {
      island_.EvaluateJacobian(t, y.data(), entries_);
    } else {
      for (std::size_t i = 0; i < size(); ++i) increments_[i] = IncrementOfUnknown(y[i], nominal_[i]);
      FillQuotients(y, is_one_sided, [&](const std::vector<double>& at, std::vector<double>& values) {
        Evaluate(t, at, ddt, values);
      });
    }
    stage.K = Dense();
    stage.M = -MatrixXd::Identity(n, n);
    if (island_.is_implicit()) {
      // F is linear in y', or nearly so.
      for (std::size_t i = 0; i < size(); ++i)
        increments_[i] = kParameterStep * std::max(std::abs(ddt[i]), nominal_[i]);
      FillQuotients(ddt, is_one_sided, [&](const std::vector<double>& at, std::vector<double>& values) {
        Evaluate(t, y, at, values);
      });
      stage.M = Dense();
    }
    stage.P = MatrixXd::Zero(n, S_.cols());
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      const VariedParameter& p = parameters_[k];
      if (p.is_start) continue;
      double high = p.high, low = p.low;
      if (is_one_sided) {
        const double small = p.step * kOneSidedStep / kParameterStep;
        const bool is_above = p.high > p.value;
        high = is_above ? p.value + small : p.value;
        low = is_above ? p.value : p.value - small;
      }
      const double clear = ClearOfBreaks(t, k);
      Set(p, high);
      Evaluate(clear, y, ddt, above_);
      Set(p, low);
      if (low == p.value && clear == t) {
        below_ = between_;
      } else {
        Evaluate(clear, y, ddt, below_);
      }
      Set(p, p.value);
      for (Eigen::Index i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        stage.P(i, static_cast<Eigen::Index>(k)) = (above_[at] - below_[at]) / (high - low);
      }
    }
    return stage;
  }

  /// One step from t to t + h inside of the last step of the solver.
  void AdvanceBy(double t, double h, bool is_coarse) {
    std::array<Stage, 3> stages;
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const double at = i == 2 ? t + h : t + RadauStep::Nodes()[i] * h;
      solver_->ValueAt(at, node_y_);
      solver_->CopySlope(ddt_);
      stages[i] = StageAt(at, node_y_, ddt_, is_coarse);
    }
    RadauStep::Advance(stages, h, scale_, is_coarse ? coarse_S_ : S_, is_coarse ? coarse_slope_ : S_slope_);
  }

  /// y_ and S_ from `begin` to `end`, between which the equations are smooth.
  void Integrate(double begin, double end, Integrator::RestartKind kind) {
    if (!island_.is_implicit() || kind == Integrator::RestartKind::kNewProblem) {
      solver_->Restart(begin, y_, kind);
      solver_->MakeConsistent(end, y_, ddt_);
    }
    double t = begin;
    while (t < end) {
      if (stop_.stop_requested()) throw VariationObstacle{"interrupted"};
      const double next = solver_->StepTowards(end);
      const double h = next - t;
      if (!(h > 0)) throw VariationObstacle{fmt::format("the solver makes no step at t = {:.9g} s", t)};
      AdvanceBy(t, h, true);
      AdvanceBy(t, h / 2, false);
      AdvanceBy(t + h / 2, next - (t + h / 2), false);
      if (!S_.allFinite())
        throw VariationObstacle{
            fmt::format("the variational equations have no finite solution at t = {:.9g} s", next)};
      t = next;
    }
    solver_->ValueAt(end, y_);
    solver_->CopySlope(ddt_);
  }

  double FirstBreakAfter(double t) const {
    double first = std::numeric_limits<double>::infinity();
    for (const DynamicSimComponent* member : island_.members())
      first = std::min(first, member->NextBreakTime(t));
    return first;
  }

  VectorXd SlopeAt(double t) {
    if (!island_.is_implicit()) Evaluate(t, y_, ddt_, ddt_);
    return Eigen::Map<const VectorXd>(ddt_.data(), S_.rows());
  }

  double SameTime() const { return 1e-9 * manager_.time_step(); }

  /// From the step point t to the next one, or to a break before it: only now the sources show what they are
  /// until there.
  void LookAhead(double t) {
    break_ = std::numeric_limits<double>::infinity();
    if (manager_.is_finished()) return;
    const double next = std::min(manager_.next_step_point(), manager_.stop_time());
    const bool has_break = island_.next_break() < next + SameTime();
    if (has_break) break_ = std::min(island_.next_break(), next);
    const double end = has_break ? break_ : next;
    if (has_break) FindShifts((t + end) / 2);
    if (end > t) Integrate(t, end, std::exchange(kind_, Integrator::RestartKind::kSameScale));
    if (has_break) slope_before_ = SlopeAt(end);
  }

  /// How the first break after t moves with the parameters.
  void FindShifts(double t) {
    shift_ = VectorXd::Zero(S_.cols());
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      const VariedParameter& p = parameters_[k];
      if (p.is_start) continue;
      Set(p, p.high);
      const double late = FirstBreakAfter(t);
      Set(p, p.low);
      const double early = FirstBreakAfter(t);
      Set(p, p.value);
      if (std::isfinite(late) && std::isfinite(early))
        shift_[static_cast<Eigen::Index>(k)] = (late - early) / (p.high - p.low);
    }
  }

  /// To the step point t that the run has reached.
  void Complete(double t) {
    if (island_.event_count() > 0) throw VariationObstacle{fmt::format("an event before t = {:.9g} s", t)};
    if (island_.is_overridden()) throw VariationObstacle{fmt::format("a state is set at t = {:.9g} s", t)};
    for (const VariedParameter& p : parameters_) {
      if (!p.is_start && p.item.Read() != p.value)
        throw VariationObstacle{fmt::format("{} changes during the run", p.item.path())};
    }
    if (std::isfinite(break_)) {
      if (FirstBreakAfter(break_) < t - SameTime())
        throw VariationObstacle{fmt::format("several breaks in the TimeStep before t = {:.9g} s", t)};
      kind_ = Integrator::RestartKind::kNewProblem;
      if (island_.is_implicit()) {
        solver_->Restart(break_, y_, kind_);
        solver_->MakeConsistent(break_ + manager_.time_step(), y_, ddt_);
      }
      const MatrixXd jump = (slope_before_ - SlopeAt(break_)) * shift_.transpose();
      S_ += jump;
      coarse_S_ += jump;
      last_break_ = std::exchange(break_, std::numeric_limits<double>::infinity());
      last_shift_ = shift_;
      if (t - last_break_ > SameTime())
        Integrate(last_break_, t, std::exchange(kind_, Integrator::RestartKind::kSameScale));
    }
    StateVectors& states = island_.states();
    for (std::size_t i = 0; i < size(); ++i) {
      const double most = std::max({std::abs(states.y[i]), std::abs(y_[i]), nominal_[i]});
      if (std::abs(states.y[i] - y_[i]) <= kSameState * most) continue;
      throw VariationObstacle{
          fmt::format("{} is not what its equations lead to at t = {:.9g} s: something else moves it",
                      states.Name(i), t)};
    }
    if (island_.is_implicit()) return;
    y_ = states.y;
  }

  void Record(double t) {
    curves_.time.push_back(t);
    for (std::size_t s = 0; s < signals_.size(); ++s) curves_.signals[s].push_back(signals_[s].Read());
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      AddSlopes(t, k, S_, S_slope_, curves_.slopes[k]);
      AddSlopes(t, k, coarse_S_, coarse_slope_, coarse_slopes_[k]);
    }
  }

  /// Of the signals, by parameter k.
  void AddSlopes(double t, std::size_t k, const MatrixXd& S, const MatrixXd& S_slope,
                 std::vector<std::vector<double>>& slopes) {
    const StateVectors& states = island_.states();
    const VariedParameter& p = parameters_[k];
    const auto column = static_cast<Eigen::Index>(k);
    const auto show = [&](double value) {
      const double share = value - p.value;
      for (std::size_t i = 0; i < size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        moved_[i] = states.y[i] + share * S(row, column);
        moved_ddt_[i] = states.ddt[i] + share * S_slope(row, column);
      }
      Set(p, value);
      Evaluate(ClearOfBreaks(t, k), moved_, moved_ddt_, above_);
    };
    std::vector<double> above(signals_.size());
    show(p.high);
    for (std::size_t s = 0; s < signals_.size(); ++s) above[s] = signals_[s].Read();
    show(p.low);
    for (std::size_t s = 0; s < signals_.size(); ++s)
      slopes[s].push_back((above[s] - signals_[s].Read()) / (p.high - p.low));
    Set(p, p.value);
  }

  Simulation& simulation_;
  SimulatorManager& manager_;
  Island& island_;
  std::vector<VariedParameter> parameters_;
  std::vector<Item> signals_;
  MatrixXd S_, S_slope_;              ///< by unknown and parameter
  MatrixXd coarse_S_, coarse_slope_;  ///< the same, less exactly
  const std::stop_token& stop_;
  std::string obstacle_;
  SensitivityCurves curves_;
  std::vector<std::vector<std::vector<double>>> coarse_slopes_;

  VectorXd scale_;
  std::vector<double> nominal_;
  JacobianPattern pattern_;
  bool has_jacobian_ = false;
  SolverProblem problem_;
  std::unique_ptr<Integrator> solver_;
  Integrator::RestartKind kind_ = Integrator::RestartKind::kNewProblem;
  std::vector<double> y_, ddt_;  ///< where the solver is
  double break_ = std::numeric_limits<double>::infinity();
  double last_break_ = -std::numeric_limits<double>::infinity();
  VectorXd last_shift_;            ///< of it; empty where there was none
  VectorXd slope_before_, shift_;  ///< y' before the break; how it moves with the parameters
  std::unique_ptr<DifferenceQuotients> quotients_;
  std::vector<double> increments_, entries_, between_, node_y_, above_, below_, moved_, moved_ddt_;
};

/// Names a slope that is not known well, or a measure without a value; empty where all are good.
std::string DoubtOf(const CaseSetup& setup, std::span<const SensitivityStep> steps,
                    const SensitivityTable& table) {
  for (std::size_t m = 0; m < table.slopes.size(); ++m) {
    if (!std::isfinite(table.measures[m])) return setup.measures[m].text + " has no value";
    double largest = std::abs(table.measures[m]);
    for (std::size_t k = 0; k < steps.size(); ++k)
      largest = std::max(largest, std::abs(table.slopes[m][k]) * steps[k].size);
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const double error = table.errors[m][k] * steps[k].size;
      const double own = std::abs(table.slopes[m][k]) * steps[k].size;
      if (error <= kDoubt * own || error <= kDoubt * kDoubt * largest) continue;
      return fmt::format(
          "the slope of {} by {} is not known well by them: {:.3g} or {:.3g}; a kink, or a motion that is "
          "faster than its steps",
          setup.measures[m].text, setup.items[k].path, table.slopes[m][k],
          table.slopes[m][k] + table.errors[m][k]);
    }
  }
  return {};
}

/// The states and slopes of a start with one other value.
std::pair<VectorXd, VectorXd> StartWith(const CaseSetup& setup, std::size_t item, double value,
                                        const Registry& registry) {
  SimulationOptions options = setup.options;
  options.load.set.push_back(setup.items[item].path + "=" + ToText({.number = value}, setup.items[item]));
  const std::unique_ptr<Simulation> simulation = LoadSystemOf(setup, options, registry).Take();
  simulation->Initialize();
  const StateVectors& states = simulation->manager().islands().front()->states();
  const auto n = static_cast<Eigen::Index>(states.size());
  return {Eigen::Map<const VectorXd>(states.y.data(), n), Eigen::Map<const VectorXd>(states.ddt.data(), n)};
}

}  // namespace

VariationalResult RunVariation(const CaseSetup& setup, std::span<const SensitivityStep> steps,
                               const Registry& registry, const std::stop_token& stop) {
  VariationalResult result;
  const std::unique_ptr<Simulation> simulation = LoadSystemOf(setup, setup.options, registry).Take();
  result.obstacle = ObstacleOf(*simulation, setup);
  if (!result.obstacle.empty()) return result;
  Diagnostics diagnostics;
  MeasureSet measures(*simulation, setup.measures, diagnostics);
  if (diagnostics.has_errors()) throw std::invalid_argument(ToText(diagnostics.all().front()));

  System& system = simulation->system();
  const auto columns = static_cast<Eigen::Index>(setup.items.size());
  std::vector<VariedParameter> parameters;
  MatrixXd start, slope;
  for (std::size_t k = 0; k < setup.items.size(); ++k) {
    Fault ignored;
    const Item item = *system.FindSetting(system.root(), setup.items[k].path, &ignored);
    const double step = kParameterStep * steps[k].size;
    const auto [low, high] = steps[k].Around(step, step);
    parameters.push_back({item, steps[k].value, step, low, high, IsStart(item)});
    const auto [above, slope_above] = StartWith(setup, k, high, registry);
    const auto [below, slope_below] = StartWith(setup, k, low, registry);
    if (k == 0) start = slope = MatrixXd::Zero(above.size(), columns);
    if (above.size() != start.rows() || below.size() != start.rows()) {
      result.obstacle = setup.items[k].path + " changes the number of states";
      return result;
    }
    start.col(static_cast<Eigen::Index>(k)) = (above - below) / (high - low);
    slope.col(static_cast<Eigen::Index>(k)) = (slope_above - slope_below) / (high - low);
  }

  VariationAlongRun variation(*simulation, parameters, measures.signals(), std::move(start), std::move(slope),
                              stop);
  simulation->manager().AddObserver(&variation);
  measures.Begin();
  simulation->Initialize();
  if (variation.obstacle().empty()) simulation->Run();
  simulation->manager().RemoveObserver(&variation);
  result.obstacle = variation.obstacle();
  if (!result.obstacle.empty()) return result;

  SensitivityTable& table = result.table;
  table.curves = std::move(variation.curves());
  table.measures = measures.Finish().values;
  const auto slopes_of = [&](std::size_t k, const std::vector<std::vector<double>>& slopes) {
    const double step = parameters[k].step;
    const auto with = [&](double share) {
      return measures
          .Replay(table.curves.time,
                  [&](std::size_t row, std::span<double> values) {
                    for (std::size_t s = 0; s < values.size(); ++s)
                      values[s] = table.curves.signals[s][row] + share * slopes[s][row];
                  })
          .values;
    };
    const std::vector<double> above = with(step), below = with(-step);
    std::vector<double> quotients;
    quotients.reserve(above.size());
    for (std::size_t m = 0; m < above.size(); ++m) quotients.push_back((above[m] - below[m]) / (2 * step));
    return quotients;
  };
  table.slopes.assign(setup.measures.size(), std::vector<double>(setup.items.size()));
  table.errors = table.slopes;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const std::vector<double> fine = slopes_of(k, table.curves.slopes[k]);
    const std::vector<double> coarse = slopes_of(k, variation.coarse_slopes()[k]);
    for (std::size_t m = 0; m < fine.size(); ++m) {
      table.slopes[m][k] = fine[m];
      table.errors[m][k] = std::abs(fine[m] - coarse[m]);
    }
  }
  result.doubt = DoubtOf(setup, steps, table);
  return result;
}

}  // namespace davit
