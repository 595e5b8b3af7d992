#include "app/compare_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "app/exit_code.h"
#include "app/print_diagnostics.h"
#include "framework/counted.h"
#include "framework/diagnostics.h"
#include "framework/exception_text.h"
#include "framework/xml/compare_systems.h"
#include "results/comparison.h"
#include "results/load_result.h"
#include "results/output_file.h"
#include "results/result_table.h"
#include "studio/difference_json.h"

namespace davit {
namespace {

void CheckTolerance(std::string_view option, double value, Diagnostics& diagnostics) {
  if (std::isfinite(value) && value >= 0) return;
  diagnostics.Error({std::make_shared<const std::string>(fmt::format("{} {}", option, value))}, "",
                    "a tolerance must be 0 or a positive number");
}

using Row = std::array<std::string, 6>;

Row MakeRow(const SignalComparison& signal) {
  using Presence = SignalComparison::Presence;
  Row row{signal.name, "-", "-", "-", "-", signal.is_same ? "ok" : "DIFFERENT"};
  if (signal.has_worst) {
    row[1] = fmt::format("{:.12g}", signal.time);
    row[2] = fmt::format("{:.3g}", signal.difference);
    row[3] = fmt::format("{}", signal.a);
    row[4] = fmt::format("{}", signal.b);
  } else if (signal.presence == Presence::kOnlyA) {
    row[5] += " (only in A)";
  } else if (signal.presence == Presence::kOnlyB) {
    row[5] += " (only in B)";
  } else {
    row[5] = "not compared";
  }
  return row;
}

void PrintTable(const std::vector<Row>& rows, std::ostream& out) {
  std::array<std::size_t, 5> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line += row.back();
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

/// What the table does not show: which times were compared, where that is not all.
void PrintTimeNote(const Comparison& comparison, const ResultTable& a, const ResultTable& b,
                   double time_tolerance, std::ostream& err) {
  if (a.time.empty() && b.time.empty()) return;
  if (!comparison.has_common_time) {
    err << "error: the results have no time in common, so nothing is compared\n";
    return;
  }
  const auto is_other = [&](double t, double other) {
    return std::abs(t - other) > time_tolerance + 1e-12 * std::max(std::abs(t), std::abs(other));
  };
  if (is_other(a.time.front(), b.time.front()) || is_other(a.time.back(), b.time.back())) {
    err << fmt::format(
        "warning: A spans {} s to {} s and B {} s to {} s; the comparison covers {} s to {} s\n",
        a.time.front(), a.time.back(), b.time.front(), b.time.back(), comparison.begin, comparison.end);
  }
}

/// `  ~ pump.speed: 1500 rpm -> 1800 rpm`
std::string LineOf(const SystemDifference& one) {
  using Kind = SystemDifference::Kind;
  const char sign = one.kind == Kind::kAdded ? '+' : one.kind == Kind::kRemoved ? '-' : '~';
  const auto quoted = [](const std::string& value) { return value.empty() ? std::string("(none)") : value; };
  std::string line = fmt::format("{} {} {}", sign, ToText(one.part), one.path);
  if (one.part == SystemDifference::Part::kChart) return line + ": its chart differs, " + quoted(one.after);
  if (!one.name.empty()) line += ", " + one.name;
  if (one.kind == Kind::kChanged) return line + ": " + quoted(one.before) + " -> " + quoted(one.after);
  const std::string& whole = one.kind == Kind::kAdded ? one.after : one.before;
  return one.part == SystemDifference::Part::kComponent ? line + " (" + whole + ")" : line;
}

}  // namespace

int RunCompareSystems(const CompareOptions& options, std::ostream& out, std::ostream& err) {
  Diagnostics diagnostics;
  const std::vector<SystemDifference> differences = CompareSystems({options.a}, {options.b}, diagnostics);
  PrintDiagnostics(diagnostics, err);
  if (diagnostics.has_errors()) return kWrongInput;
  for (const SystemDifference& one : differences) out << LineOf(one) << '\n';
  const auto of_layout =
      std::ranges::count(differences, SystemDifference::Part::kLayout, &SystemDifference::part);
  const auto of_system = static_cast<std::ptrdiff_t>(differences.size()) - of_layout;
  out << fmt::format("{} of the system, {} of the layout only\n",
                     Counted(static_cast<std::size_t>(of_system), "difference"), of_layout);
  if (!options.summary.empty()) {
    try {
      OutputFile file(options.summary);
      file.Write(DifferencesToJson(differences, [](const std::string& name) { return name; }).dump(2) + '\n');
      file.Close();
    } catch (const std::exception& failure) {
      err << "error: " << Explain(failure) << '\n';
      return kRunFailed;
    }
  }
  return of_system == 0 ? kDone : kRunFailed;
}

int RunCompare(const CompareOptions& options, std::ostream& out, std::ostream& err) {
  Diagnostics diagnostics;
  CheckTolerance("--rtol", options.rtol, diagnostics);
  CheckTolerance("--atol", options.atol, diagnostics);
  CheckTolerance("--time-tol", options.time_tol, diagnostics);
  const std::optional<ResultTable> a = LoadResult(options.a, diagnostics);
  const std::optional<ResultTable> b = LoadResult(options.b, diagnostics);
  PrintDiagnostics(diagnostics, err);
  if (diagnostics.has_errors()) return kWrongInput;

  const Comparison comparison =
      Compare(*a, *b, {.relative = options.rtol, .absolute = options.atol, .time = options.time_tol});
  PrintTimeNote(comparison, *a, *b, options.time_tol, err);
  std::vector<Row> rows{{"signal", "worst_at", "|a-b|", "a", "b", ""}};
  for (const SignalComparison& signal : comparison.signals) rows.push_back(MakeRow(signal));
  PrintTable(rows, out);
  const auto different = std::ranges::count_if(
      comparison.signals, [](const SignalComparison& signal) { return !signal.is_same; });
  out << fmt::format("{} of {} {} (rtol {}, atol {}, time-tol {} s)\n", different,
                     Counted(comparison.signals.size(), "signal"), different == 1 ? "differs" : "differ",
                     options.rtol, options.atol, options.time_tol);
  return comparison.is_same ? kDone : kRunFailed;
}

void AddCompareCommand(CLI::App& command, CommandContext& context) {
  const auto compare = std::make_shared<CompareOptions>();
  command.add_option("A", compare->a, "Result file, or system file (.xml)")->required();
  command.add_option("B", compare->b, "Result file, or system file (.xml)")->required();
  const std::vector<CLI::Option*> of_results{
      command.add_option("--rtol", compare->rtol, "Results: relative tolerance")->capture_default_str(),
      command.add_option("--atol", compare->atol, "Results: absolute tolerance in SI")->capture_default_str(),
      command.add_option("--time-tol", compare->time_tol, "Results: allowed time shift of jumps [s]")
          ->capture_default_str()};
  const std::vector<CLI::Option*> of_systems{
      command.add_option("--summary", compare->summary, "Systems: writes the differences as JSON")
          ->type_name("F.json")};
  command.callback([&context, compare, of_results, of_systems] {
    const bool are_systems = compare->a.extension() == ".xml" && compare->b.extension() == ".xml";
    bool is_good = true;
    for (const CLI::Option* option : are_systems ? of_results : of_systems) {
      if (option->count() == 0) continue;
      is_good = false;
      context.err << fmt::format("{}: error: two {} are compared; leave it out\n", option->get_name(),
                                 are_systems ? "system files" : "results");
    }
    context.exit_code = !is_good      ? kWrongInput
                        : are_systems ? RunCompareSystems(*compare, context.out, context.err)
                                      : RunCompare(*compare, context.out, context.err);
  });
}

}  // namespace davit
