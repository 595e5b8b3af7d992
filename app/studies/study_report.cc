#include "app/studies/study_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/studies/faults_study.h"
#include "analysis/studies/fit_study.h"
#include "analysis/studies/levels_study.h"
#include "analysis/studies/optimization_study.h"
#include "analysis/studies/sensitivity_study.h"
#include "analysis/studies/sweep_study.h"
#include "analysis/study/rank_channel.h"
#include "app/exit_code.h"
#include "app/studies/linear_report.h"

namespace davit {
namespace {

std::string WithUnit(double value, const std::string& unit) {
  return unit.empty() ? fmt::format("{:.9g}", value) : fmt::format("{:.9g} {}", value, unit);
}

// ---- sweep

int ReportSweep(const SweepStudy& study, bool is_quiet, std::ostream& out) {
  const SweepResult& result = study.result();
  const std::uint64_t done = result.rows.size();
  const auto line = [&](std::string_view name, const auto& value) {
    if (!is_quiet) out << fmt::format("{:<17} {}\n", name, value);
  };
  line("cases", result.cases);
  if (result.resumed > 0) line("resumed", result.resumed);
  line("done", done - result.failed);
  line("failed", result.failed);
  line("workers", result.workers);
  if (study.shared().ranks != nullptr) line("processes", study.shared().ranks->size());
  line("wall_s", fmt::format("{:.6g}", result.wall_s));
  line("cases_per_second", fmt::format("{:.4g}", static_cast<double>(done - result.resumed) / result.wall_s));
  line("status", result.is_complete() ? "done" : "interrupted; --resume continues");
  return result.failed == done && done > 0 ? kRunFailed : kDone;
}

// ---- optimize

class OptimizationReport {
 public:
  OptimizationReport(const OptimizationStudy& study, std::ostream& out, std::ostream& err)
      : study_(study), result_(study.result()), out_(out), err_(err) {}

  int Print() {
    const SearchOutcome& outcome = result_.outcome;
    Line("cases", std::to_string(result_.cases));
    const bool is_stopped = outcome.end == SearchOutcome::End::kStopped;
    Line("status", outcome.ToText() + (is_stopped ? "; --resume continues" : ""));
    if (!outcome.has_value) {
      err_ << "error: no case has given a value; the column message of the table says why\n";
      return kRunFailed;
    }
    if (result_.layout.objectives == 1) {
      PrintBest();
    } else {
      Line("front", fmt::format("{} cases", result_.front.size()));
      if (!result_.front_table.empty()) Line("written", result_.front_table.string());
    }
    if (outcome.is_feasible) return kDone;
    err_ << "error: no case holds all constraints; widen the bounds or the limits\n";
    return kRunFailed;
  }

 private:
  void PrintBest() {
    const Objective::Layout& layout = result_.layout;
    Line(result_.outcome.is_feasible ? "best case" : "nearest case", std::to_string(result_.best.number));
    Line("objective", WithUnit(result_.objective, result_.UnitOf(layout.first_objective)));
    std::string set;
    for (std::size_t i = 0; i < result_.values.size(); ++i) {
      const VariedItem& item = result_.variables[i].item;
      Line(item.path, ValueText(i));
      set += fmt::format("{}--set {}={}", set.empty() ? "" : " ", item.path, ToText(result_.values[i], item));
    }
    for (std::size_t i = 0; i < layout.constraints.size(); ++i) {
      constexpr double kActive = 1e-3;
      const double share = result_.best.constraints[i];
      Line(study_.options.constraints[i].text,
           share > 1e-6
               ? "exceeded by " + WithUnit(result_.best.excess[i], result_.UnitOf(layout.constraints[i].left))
           : share > -kActive ? "active"
                              : "holds");
    }
    Line("davit run", set);
    for (std::size_t i = 0; i < result_.values.size(); ++i) {
      if (result_.bounds[i] == 0) continue;
      err_ << fmt::format("warning: {} is at its {} bound, {}; the optimum may be beyond\n",
                          result_.variables[i].item.path, result_.bounds[i] < 0 ? "lower" : "upper",
                          ValueText(i));
    }
  }
  void Line(std::string_view name, const std::string& value) {
    out_ << fmt::format("{:<24} {}\n", name, value);
  }
  std::string ValueText(std::size_t variable) const {
    const VariedItem& item = result_.variables[variable].item;
    const CaseValue& value = result_.values[variable];
    return item.is_number ? WithUnit(value.number, item.unit) : value.text;
  }

  const OptimizationStudy& study_;
  const OptimizationResult& result_;
  std::ostream& out_;
  std::ostream& err_;
};

// ---- fit

void PrintUnknowns(const FitStudy& study, std::ostream& out) {
  const CurveFitResult& fitted = study.result();
  const LeastSquaresResult& result = fitted.least_squares;
  const std::size_t n = fitted.unknowns.size();
  out << fmt::format("{:<24} {}\n{:<24} {}\n{:<24} {:.6g}\n", "runs", fitted.runs, "values", result.residuals,
                     "residual (rms)", result.rms());
  const Loss loss = study.options.search.loss;
  if (loss != Loss::kLinear)
    out << fmt::format("{:<24} {}, scale {:.4g}\n", "loss", kLosses[static_cast<std::size_t>(loss)],
                       result.scale);
  const auto cell = [](double value, int digits) {
    return std::isnan(value) ? "-" : fmt::format("{:.{}g}", value, digits);
  };
  out << fmt::format("\n{:<24} {:>16} {:>14} {:>14} {:>14} unit\n", "parameter", "value", "std. error",
                     "95 % from", "to");
  for (const FittedUnknown& one : fitted.unknowns) {
    constexpr int kDigits = 6;
    out << fmt::format("{:<24} {:>16.9g} {:>14} {:>14} {:>14} {}\n", one.name, one.value, cell(one.error, 3),
                       cell(one.low, kDigits), cell(one.high, kDigits), one.unit);
  }
  if (n < 2) return;
  out << "\ncorrelation\n";
  for (std::size_t i = 0; i < n; ++i) {
    out << fmt::format("{:<24}", fitted.unknowns[i].name);
    for (std::size_t k = 0; k < n; ++k) {
      const double c = result.correlation[i * n + k];
      out << (std::isnan(c) ? fmt::format(" {:>7}", "-")
                            : fmt::format(" {:>7.3f}", std::abs(c) < 5e-4 ? 0 : c));
    }
    out << '\n';
  }
}

int ReportFit(const FitStudy& study, std::ostream& out, std::ostream& err) {
  const CurveFitResult& result = study.result();
  PrintUnknowns(study, out);
  for (const Ambiguity& ambiguity : result.least_squares.ambiguities) {
    std::string names;
    for (const std::size_t unknown : ambiguity.unknowns)
      names += (names.empty() ? "" : ", ") + result.unknowns[unknown].name;
    err << (ambiguity.unknowns.size() == 1
                ? fmt::format("warning: {} has no influence on the data; leave it out\n", names)
                : fmt::format(
                      "warning: {} cannot be told apart by these data; fix one of them, or measure more\n",
                      names));
  }
  for (const FittedUnknown& one : result.unknowns) {
    if (one.bound != 0)
      err << fmt::format("warning: {} is at its {} bound; widen it\n", one.name,
                         one.bound < 0 ? "lower" : "upper");
  }
  if (result.least_squares.is_converged) return kDone;
  err << "error: the fit has not converged; give more --rounds, or narrower bounds\n";
  return kRunFailed;
}

// ---- sensitivity

class SensitivityReport {
 public:
  SensitivityReport(const SensitivityStudy& study, std::ostream& out)
      : options_(study.options), result_(study.result()), out_(out) {
    for (const VariedItem& item : result_.parameters) width_ = std::max(width_, item.path.size());
  }

  int Print() {
    const bool is_sampled = options_.sobol || options_.morris;
    Line("method", options_.sobol           ? "Sobol indices"
                   : options_.morris        ? "elementary effects (Morris)"
                   : result_.is_variational ? "variational equations"
                                            : "differences of runs");
    if (is_sampled) {
      Line("cases", std::to_string(result_.cases));
      Line("failed", std::to_string(result_.failed));
    } else if (!result_.is_variational && !result_.reason.empty()) {
      Line("reason", result_.reason);
    }
    for (const std::string& note : result_.notes) Line("note", note);
    for (std::size_t m = 0; m < result_.labels.size(); ++m) {
      if (options_.sobol) {
        PrintIndices(m);
      } else if (options_.morris) {
        PrintEffects(m);
      } else {
        PrintSlopes(m);
      }
    }
    return kDone;
  }

 private:
  /// The parameters, those with the largest `size` first.
  template <class Size>
  std::vector<std::size_t> Order(const Size& size) const {
    std::vector<std::size_t> order(result_.parameters.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t k) {
      const double value = size(k);
      return std::isfinite(value) ? std::abs(value) : -1;
    });
    return order;
  }
  void Row(std::string_view name, const std::string& cells) {
    out_ << fmt::format("  {:<{}}  {}\n", name, width_, cells);
  }
  void Line(std::string_view name, std::string_view value) {
    out_ << fmt::format("{:<17} {}\n", name, value);
  }

  void PrintSlopes(std::size_t m) {
    const SensitivityTable& table = result_.table;
    out_ << fmt::format("\n{} = {}\n", result_.labels[m], WithUnit(table.measures[m], result_.units[m]));
    Row("parameter", fmt::format("{:>12}  {:>14}  {}", "normalised", "slope (SI)", "error"));
    for (const std::size_t k : Order([&](std::size_t i) { return result_.Normalized(m, i); })) {
      const double normalized = result_.Normalized(m, k), error = table.errors[m][k];
      Row(result_.parameters[k].path,
          fmt::format("{:>12}  {:>14.7g}  {}",
                      std::isfinite(normalized) ? fmt::format("{:.6g}", normalized) : "-", table.slopes[m][k],
                      std::isfinite(error) ? fmt::format("{:.2g}", error) : "-"));
    }
  }
  void PrintIndices(std::size_t m) {
    const SobolIndices& indices = result_.indices[m];
    const std::string& unit = result_.units[m];
    out_ << fmt::format("\n{}: mean {}, standard deviation {}, {} of {} samples\n", result_.labels[m],
                        WithUnit(indices.mean, unit), WithUnit(std::sqrt(indices.variance), unit),
                        indices.used, *options_.sobol);
    Row("parameter", fmt::format("{:>18}  {:>18}", "first order", "total"));
    const auto cell = [](double value, double error) {
      return fmt::format("{:.4f} +- {:.4f}", value, error);
    };
    for (const std::size_t i : Order([&](std::size_t k) { return indices.total[k]; }))
      Row(result_.parameters[i].path,
          fmt::format("{:>18}  {:>18}", cell(indices.first[i], indices.first_error[i]),
                      cell(indices.total[i], indices.total_error[i])));
  }
  void PrintEffects(std::size_t m) {
    const ElementaryEffects& effects = result_.effects[m];
    const std::string& unit = result_.units[m];
    out_ << fmt::format("\n{}{}: {} of {} trajectories\n", result_.labels[m],
                        unit.empty() ? "" : " [" + unit + "]", effects.used, *options_.morris);
    Row("parameter", fmt::format("{:>12}  {:>12}  {:>12}  {}", "mu*", "mu", "sigma", "error of mu*"));
    for (const std::size_t i : Order([&](std::size_t k) { return effects.mu_star[k]; }))
      Row(result_.parameters[i].path,
          fmt::format("{:>12.5g}  {:>12.5g}  {:>12.5g}  {:.2g}", effects.mu_star[i], effects.mu[i],
                      effects.sigma[i], effects.mu_star_error[i]));
  }

  const SensitivityOptions& options_;
  const SensitivityResult& result_;
  std::ostream& out_;
  std::size_t width_ = 9;
};

// ---- levels

class LevelsReport {
 public:
  LevelsReport(const LevelsStudy& study, std::ostream& out, std::ostream& err)
      : result_(study.result()), out_(out), err_(err) {
    for (const LevelGroup& group : result_.groups) width_ = std::max(width_, group.name.size());
  }

  int Print() {
    Line("reference",
         fmt::format("{} evaluations, all at their highest level", result_.reference.evaluations));
    Line("windows", std::to_string(result_.ends.size()));
    Line("probes",
         fmt::format("{}; the study has cost {:.3g} runs of the reference", result_.probes, result_.Runs()));
    if (result_.is_shard && result_.is_complete) return kDone;
    if (!result_.is_shard) PrintSearch();
    if (!result_.is_complete)
      err_ << "error: interrupted; what is above is of the runs and probes until then; --resume continues "
              "from a table of probes\n";
    if (!result_.is_complete) return kRunFailed;
    const LevelPoint& chosen = result_.chosen();
    const std::optional<double> predicted = result_.PredictedShare(chosen);
    if (predicted && *predicted > 0 && (chosen.share > 2 * *predicted + 0.1))
      err_ << fmt::format(
          "warning: errors do not add up here: predicted {:.3g} of the tolerance, found {:.3g}; "
          "components that belong together change together with --group\n",
          *predicted, chosen.share);
    if (chosen.name == "reference") err_ << "warning: nothing can be lowered within these tolerances\n";
    return kDone;
  }

 private:
  void PrintSearch() {
    PrintRuns();
    const LevelPoint& chosen = result_.chosen();
    out_ << fmt::format("\n{}: {:.4g} of the evaluations of the reference, level switches: {}\n", chosen.name,
                        CostOf(chosen), chosen.switches);
    PrintErrors(chosen);
    PrintLevels(chosen);
    if (!result_.charts.empty()) PrintChart();
  }
  void Line(std::string_view name, std::string_view value) {
    out_ << fmt::format("{:<17} {}\n", name, value);
  }
  double CostOf(const LevelPoint& point) const {
    return static_cast<double>(point.cost.evaluations) / static_cast<double>(result_.reference.evaluations);
  }
  void PrintRuns() {
    out_ << fmt::format("\n{:<20} {:>9} {:>13} {:>13}\n", "run", "cost", "error", "predicted");
    const auto print = [&](const LevelPoint& point) {
      const std::optional<double> predicted = result_.PredictedShare(point);
      out_ << fmt::format("{:<20} {:>9.4f} {:>13} {:>13}\n", point.name, CostOf(point),
                          point.is_given_up      ? "given up"
                          : !point.fault.empty() ? "fails"
                                                 : fmt::format("{:.4g}", point.share),
                          predicted ? fmt::format("{:.4g}", *predicted) : "");
    };
    for (const LevelPoint& point : result_.fixed) print(point);
    for (const LevelPoint& point : result_.tried) print(point);
    for (const LevelChart& chart : result_.charts) print(chart.point);
    out_ << "cost: evaluations relative to the reference; error: largest share of a tolerance;\n"
            "given up: costs more than another schedule\n";
  }
  void PrintErrors(const LevelPoint& point) {
    for (std::size_t m = 0; m < point.errors.size(); ++m) {
      const LevelMetric& metric = result_.metrics[m];
      const auto number = [&](double value) {
        return fmt::format("{:.4g}{}{}", value, metric.unit.empty() ? "" : " ", metric.unit);
      };
      out_ << fmt::format("  {:<{}}  {} of {} allowed", metric.name, width_, number(point.errors[m]),
                          number(metric.tolerance));
      if (metric.scale > 0)
        out_ << fmt::format(" ({:.3g} % of {})", 100 * point.errors[m] / metric.scale, number(metric.scale));
      out_ << '\n';
    }
  }
  void PrintChart() {
    const LevelPoint& point = result_.chosen_chart().point;
    out_ << fmt::format("\n{}: {:.4g} of the evaluations of the reference, level switches: {}\n", point.name,
                        CostOf(point), point.switches);
    PrintErrors(point);
  }
  void PrintLevels(const LevelPoint& point) {
    out_ << "\nfrom\n";
    for (std::size_t w = 0; w < result_.starts.size(); ++w) {
      std::string changes;
      for (std::size_t g = 0; g < result_.groups.size(); ++g) {
        const std::size_t now = point.schedule[g][w];
        if (w > 0 && point.schedule[g][w - 1] == now) continue;
        changes += fmt::format("  {}={}", result_.groups[g].name, result_.groups[g].rungs[now]);
      }
      if (!changes.empty()) out_ << fmt::format("{:>10.6g} s{}\n", result_.starts[w], changes);
    }
  }

  const LevelsResult& result_;
  std::ostream& out_;
  std::ostream& err_;
  std::size_t width_ = 9;
};

// ---- faults

int ReportFaults(const FaultsStudy& study, bool is_quiet, std::ostream& out) {
  const FaultsResult& result = study.result();
  if (study.options.lists) {
    for (const SystemFault& fault : result.listed) {
      out << fmt::format("{:<40} {}{}{}\n", fault.name, fault.text,
                         fault.obstacle.empty() ? "" : "; not here: ", fault.obstacle);
    }
    return kDone;
  }
  std::uint64_t detected = 0, hazardous = 0, blind = 0, failed = 0;
  std::size_t width = 5;
  for (const FaultRow& row : result.rows) width = std::max(width, row.fault.size());
  for (const FaultRow& row : result.rows) {
    const bool is_hazardous = row.is_hazardous(result.hazards);
    detected += row.is_detected() ? 1 : 0;
    hazardous += is_hazardous ? 1 : 0;
    blind += is_hazardous && !row.is_detected() ? 1 : 0;
    failed += row.status == "failed" ? 1 : 0;
    if (is_quiet) continue;
    out << fmt::format("{:<{}}  {}", row.fault, width,
                       row.is_detected()
                           ? fmt::format("{} after {:.4g} s", row.detected_by, row.detection_time)
                           : "not detected");
    for (std::size_t i = 0; i < row.hazards.size(); ++i)
      out << fmt::format(", {} {}", result.hazards[i].name, HazardText(result.hazards[i], row.hazards[i]));
    out << (row.status == "failed" ? ", failed: " + row.message : "") << '\n';
  }
  const auto line = [&](std::string_view name, const auto& value) {
    if (!is_quiet) out << fmt::format("{:<17} {}\n", name, value);
  };
  line("cases", result.cases);
  if (result.resumed > 0) line("resumed", result.resumed);
  line("detected", detected);
  if (!result.hazards.empty())
    line("hazardous", fmt::format("{}, of which {} not detected", hazardous, blind));
  line("failed", failed);
  line("workers", result.workers);
  if (study.shared().ranks != nullptr) line("processes", study.shared().ranks->size());
  line("wall_s", fmt::format("{:.6g}", result.wall_s));
  line("status", result.is_complete() ? "done" : "interrupted; --resume continues");
  return failed == result.rows.size() && failed > 0 ? kRunFailed : kDone;
}

}  // namespace

int ReportStudy(const Study& study, bool is_quiet, std::ostream& out, std::ostream& err) {
  if (const auto* sweep = dynamic_cast<const SweepStudy*>(&study)) return ReportSweep(*sweep, is_quiet, out);
  if (const auto* search = dynamic_cast<const OptimizationStudy*>(&study))
    return OptimizationReport(*search, out, err).Print();
  if (const auto* fit = dynamic_cast<const FitStudy*>(&study)) return ReportFit(*fit, out, err);
  if (const auto* faults = dynamic_cast<const FaultsStudy*>(&study))
    return ReportFaults(*faults, is_quiet, out);
  if (const auto* levels = dynamic_cast<const LevelsStudy*>(&study))
    return LevelsReport(*levels, out, err).Print();
  if (const auto* linear = dynamic_cast<const LinearizationStudy*>(&study))
    return ReportLinearization(*linear, is_quiet, out, err);
  if (const auto* frequency = dynamic_cast<const FrequencyStudy*>(&study))
    return ReportFrequencies(*frequency, is_quiet, out);
  return SensitivityReport(dynamic_cast<const SensitivityStudy&>(study), out).Print();
}

}  // namespace davit
