#include "app/studies/linear_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <ostream>
#include <string>
#include <vector>

#include "app/exit_code.h"
#include "framework/counted.h"

namespace davit {
namespace {

constexpr double kRest = 1e-6;  // [1/s] in nominal sizes

std::string ComplexText(std::complex<double> value) {
  if (value.imag() == 0) return fmt::format("{:.6g}", value.real());
  return fmt::format("{:.6g} +- {:.6g}j", value.real(), std::abs(value.imag()));
}

std::string NumberOrDash(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : std::string("-");
}

void PrintColumns(const std::vector<std::array<std::string, 5>>& rows, std::ostream& out) {
  std::array<std::size_t, 4> widths{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line += row.back();
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

void PrintModes(const LinearizedCase& one, std::ostream& out) {
  const LinearModel& model = one.linearization->model;
  out << fmt::format("at {:.6g} s: {}, {}, {}", one.linearization->time,
                     Counted(model.states.size(), "state"), Counted(model.inputs.size(), "input"),
                     Counted(model.outputs.size(), "output"));
  if (!model.delays.empty()) out << ", " << Counted(model.delays.size(), "delay");
  if (one.linearization->largest_rate > kRest) {
    out << fmt::format("; not at rest: {} changes by {:.3g} of its size a second", one.linearization->fastest,
                       one.linearization->largest_rate);
  }
  out << '\n';
  std::vector<std::array<std::string, 5>> rows{
      {"eigenvalue [1/s]", "frequency [Hz]", "damping", "time constant [s]", "states"}};
  for (const LinearMode& mode : one.modes) {
    rows.push_back({ComplexText(mode.eigenvalue), NumberOrDash(mode.frequency()),
                    NumberOrDash(mode.damping()), NumberOrDash(mode.time_constant()),
                    StatesOfMode(mode, one.closed)});
  }
  PrintColumns(rows, out);
  for (const LinearDelay& delay : model.delays)
    out << fmt::format("delay {}: {:.6g} s\n", delay.name, delay.time);
}

std::string FrequencyText(double frequency) {
  return std::isinf(frequency) ? "high frequencies" : fmt::format("{:.6g} Hz", frequency);
}

void PrintPair(const PairAnalysis& analysis, std::ostream& out) {
  out << analysis.pair.name << ": static gain " << NumberOrDash(analysis.static_gain);
  if (analysis.zeros) {
    std::string text;
    for (const std::complex<double>& zero : *analysis.zeros) {
      if (zero.imag() >= 0) text += (text.empty() ? "" : ", ") + ComplexText(zero);
    }
    out << "; zeros " << (text.empty() ? "none" : text);
  }
  const StabilityMargins margins = analysis.margins.value_or(StabilityMargins{});
  if (margins.gain) {
    out << fmt::format("; gain margin {:.6g} ({:.4g} dB) at {}", *margins.gain,
                       20 * std::log10(*margins.gain), FrequencyText(*margins.gain_frequency));
  }
  if (margins.phase)
    out << fmt::format("; phase margin {:.6g} deg at {:.6g} Hz", *margins.phase, *margins.phase_frequency);
  out << '\n';
}

void PrintCase(const LinearizedCase& one, bool has_pade, std::ostream& out) {
  const LinearModel& model = one.linearization->model;
  PrintModes(one, out);
  if (!model.delays.empty() && !has_pade) {
    out << fmt::format("eigenvalues with a Pade approximant of order {} for each delay; see --pade\n",
                       LinearizationStudy::kPadeOfModes);
  }
  const std::size_t left_out = model.inputs.size() * model.outputs.size() - one.pairs.size();
  if (left_out > 0)
    out << fmt::format("{} of input and output omitted: their gain is 0 at all frequencies\n",
                       Counted(left_out, "pair"));
  for (const PairAnalysis& analysis : one.analyses) PrintPair(analysis, out);
}

void PrintPoint(const FrequencyPoint& point, const std::vector<std::string>& outputs, std::ostream& out) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    out << fmt::format("{:>12.6g} Hz  {}: ", point.frequency, outputs[i]);
    if (std::isnan(point.coherence[i])) {
      out << "no response, the output stays constant; look for a limit or a missing route\n";
      continue;
    }
    const double gain = std::abs(point.gain[i]);
    out << fmt::format("gain {:.6g} ({:.4g} dB), phase {:.5g} deg, coherence {:.5g}, distortion {:.3g} %{}\n",
                       gain, 20 * std::log10(gain), std::arg(point.gain[i]) * 180 / std::numbers::pi,
                       point.coherence[i], 100 * point.distortion[i],
                       point.is_settled ? "" : ", not settled");
  }
}

}  // namespace

int ReportLinearization(const LinearizationStudy& study, bool is_quiet, std::ostream& out,
                        std::ostream& err) {
  const LinearizationResult& result = study.result();
  int code = result.is_complete ? kDone : kRunFailed;
  for (const LinearizedCase& one : result.cases) {
    const std::string name = result.varied ? result.varied->path + " = " + one.shown : std::string();
    if (!one.linearization) {
      err << fmt::format("error: {}: {}\n", name, one.message);
      code = kRunFailed;
      continue;
    }
    if (is_quiet) continue;
    if (result.varied) out << name << '\n';
    PrintCase(one, study.options.pade > 0, out);
  }
  if (!result.is_complete) err << "error: interrupted\n";
  if (is_quiet) return code;
  for (const auto& [file, what] : result.written) out << file.string() << ": " << what << '\n';
  return code;
}

int ReportFrequencies(const FrequencyStudy& study, bool is_quiet, std::ostream& out) {
  if (is_quiet) return kDone;
  const std::vector<FrequencyPoint>& points = study.result().points;
  for (const FrequencyPoint& point : points) PrintPoint(point, study.options.outputs, out);
  if (study.options.table) out << study.options.table->string() << ": " << points.size() << " frequencies\n";
  if (study.options.bode) out << study.options.bode->string() << ": Bode diagram\n";
  return kDone;
}

}  // namespace davit
