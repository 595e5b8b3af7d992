#include "app/studies/spectrum_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <numbers>
#include <ostream>
#include <string_view>
#include <utility>

#include "analysis/linear/frequency_response.h"
#include "analysis/linear/linear_pictures.h"
#include "analysis/spectrum/even_samples.h"
#include "analysis/spectrum/spectrum.h"
#include "app/exit_code.h"
#include "app/print_diagnostics.h"
#include "app/studies/analysis_input.h"
#include "framework/exception_text.h"
#include "framework/nearest_name.h"
#include "results/gnuplot_process.h"
#include "results/load_result.h"
#include "results/save_file.h"

namespace davit {
namespace {

constexpr std::size_t kMostLines = 8;  // that are printed of a signal
constexpr double kLeastLine = 1e-3;    // of the highest one
constexpr std::size_t kFewestPoints = 8;

/// One column of the table that is written.
struct SpectrumColumn {
  std::string name;
  std::string unit;
  std::vector<double> values;
};

struct SpectrumTable {
  std::vector<double> frequencies;
  std::vector<SpectrumColumn> columns;
};

/// What the options say, read and looked up.
struct SpectrumInput {
  std::optional<double> segment, begin, end;
  std::optional<PictureFormat> plot;
  SpectrumWindow window = SpectrumWindow::kHann;
  std::vector<std::size_t> signals;  ///< columns of the result
  std::optional<std::size_t> over;
};

std::optional<std::size_t> FindColumn(const ResultTable& table, std::string_view option,
                                      const std::string& name, AnalysisInput& input) {
  const auto found = std::ranges::find(table.names, name);
  if (found != table.names.end()) return static_cast<std::size_t>(found - table.names.begin());
  input.Fail(option, fmt::format("no signal is named {}; {}", Quoted(name),
                                 SuggestName("the result has", name, table.names)));
  return std::nullopt;
}

SpectrumInput ReadSpectrumOptions(const SpectrumOptions& options, const ResultTable* table,
                                  AnalysisInput& input) {
  SpectrumInput read;
  read.segment = input.ReadPositive("--segment", options.segment, "s");
  read.begin = input.ReadOptional("--begin", options.begin, "s");
  read.end = input.ReadOptional("--end", options.end, "s");
  if (read.begin && read.end && *read.begin >= *read.end)
    input.Fail("--begin", "is not before --end; give the earlier time first");
  read.plot = input.ReadPicture("--plot", options.plot);
  input.CheckFiles({{"-o", options.table}, {"--plot", options.plot}}, {options.result});
  const auto name = std::ranges::find(kSpectrumWindowNames, options.window);
  if (name != kSpectrumWindowNames.end()) {
    read.window = static_cast<SpectrumWindow>(name - kSpectrumWindowNames.begin());
  } else {
    const std::vector<std::string> known(kSpectrumWindowNames.begin(), kSpectrumWindowNames.end());
    input.Fail("--window", fmt::format("no window is named {}; {}", Quoted(options.window),
                                       SuggestName("there are", options.window, known)));
  }
  if (!(options.overlap >= 0 && options.overlap <= 95))
    input.Fail("--overlap", fmt::format("{} % is not in 0 .. 95 %", options.overlap));
  if (options.is_density && !options.over.empty())
    input.Fail("--density", "and --over exclude each other; the transfer function has no density");
  if (!options.table.empty() && options.table.extension() != ".csv")
    input.Fail("-o", Quoted(options.table.string()) + " is not a table; name it .csv");
  if (table == nullptr) return read;
  for (const std::string& signal : options.signals) {
    if (const auto column = FindColumn(*table, "SIGNAL", signal, input)) read.signals.push_back(*column);
  }
  if (!options.over.empty()) read.over = FindColumn(*table, "--over", options.over, input);
  const auto check = [&](std::size_t column) {
    if (std::ranges::all_of(table->columns[column], [](double value) { return std::isfinite(value); }))
      return;
    input.Fail("SIGNAL", Quoted(table->names[column]) +
                             " has values that are not finite; take a span without them (--begin, --end)");
  };
  for (const std::size_t column : read.signals) check(column);
  if (read.over) check(*read.over);
  return read;
}

std::string DensityUnit(const std::string& unit) {
  return fmt::format("({})^2/Hz", unit.empty() ? "1" : unit);
}

SpectrumTable Compute(const SpectrumOptions& options, const SpectrumInput& input, const ResultTable& table,
                      const EvenSamples& samples) {
  SpectrumTable result;
  WelchOptions welch{.overlap = options.overlap / 100, .window = input.window};
  if (input.segment) welch.segment = static_cast<std::size_t>(std::llround(*input.segment / samples.dt));
  for (std::size_t i = 0; i < input.signals.size(); ++i) {
    const std::string& name = table.names[input.signals[i]];
    const std::string& unit = table.units[input.signals[i]];
    const std::vector<double>& y = samples.columns[i];
    if (input.over) {
      const CrossSpectrum spectrum = EstimateSpectrum(samples.columns.back(), y, samples.dt, welch);
      result.frequencies = spectrum.frequencies;
      const std::vector<std::complex<double>> transfer = spectrum.Transfer();
      std::vector<double> gain;
      gain.reserve(transfer.size());
      for (const std::complex<double>& value : transfer) gain.push_back(std::abs(value));
      result.columns.push_back({name + ".gain", UnitOfGain(unit, table.units[*input.over]), std::move(gain)});
      result.columns.push_back({name + ".phase", "deg", ContinuousPhase(transfer)});
      result.columns.push_back({name + ".coherence", "", spectrum.Coherence()});
    } else if (options.is_density) {
      const CrossSpectrum spectrum = EstimateSpectrum(y, y, samples.dt, welch);
      result.frequencies = spectrum.frequencies;
      result.columns.push_back({name, DensityUnit(unit), spectrum.of_u});
    } else {
      result.frequencies = SpectrumFrequencies(y.size(), samples.dt);
      result.columns.push_back({name, unit, AmplitudeSpectrum(y, input.window)});
    }
  }
  return result;
}

/// The highest lines that are higher than both neighbours.
std::vector<std::size_t> HighestLines(const std::vector<double>& values) {
  std::vector<std::size_t> lines;
  for (std::size_t k = 1; k < values.size(); ++k) {
    if (values[k] >= values[k - 1] && (k + 1 == values.size() || values[k] > values[k + 1]))
      lines.push_back(k);
  }
  std::ranges::stable_sort(lines, [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  if (!lines.empty()) {
    const double least = kLeastLine * values[lines.front()];
    std::erase_if(lines, [&](std::size_t k) { return values[k] < least; });
  }
  if (lines.size() > kMostLines) lines.resize(kMostLines);
  return lines;
}

void PrintLines(const SpectrumTable& table, bool has_transfer, std::ostream& out) {
  for (std::size_t c = 0; c < table.columns.size(); c += has_transfer ? 3 : 1) {
    const SpectrumColumn& column = table.columns[c];
    out << fmt::format("{}{}\n", column.name, column.unit.empty() ? "" : " [" + column.unit + "]");
    for (const std::size_t k : HighestLines(column.values)) {
      out << fmt::format("  {:>12.6g} Hz  {:.6g}", table.frequencies[k], column.values[k]);
      if (has_transfer) {
        out << fmt::format("  phase {:.4g} deg, coherence {:.4g}", table.columns[c + 1].values[k],
                           table.columns[c + 2].values[k]);
      }
      out << '\n';
    }
  }
}

void SaveTable(const SpectrumTable& table, const std::filesystem::path& path) {
  std::string text = "frequency";
  for (const SpectrumColumn& column : table.columns) text += ',' + column.name;
  text += '\n';
  for (std::size_t k = 0; k < table.frequencies.size(); ++k) {
    text += fmt::format("{}", table.frequencies[k]);
    for (const SpectrumColumn& column : table.columns) text += fmt::format(",{}", column.values[k]);
    text += '\n';
  }
  SaveFile(path, text);
}

void DrawSpectrum(const SpectrumTable& table, const SpectrumOptions& options, PictureFormat format) {
  AxisPicture picture{.title = options.result.stem().string(), .x_label = "Frequency [Hz]"};
  picture.x = table.frequencies;
  // A logarithmic axis has no place for the mean.
  picture.is_log_x = !options.over.empty() || options.is_density;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const SpectrumColumn& column = table.columns[c];
    std::vector<double> values = column.values;
    const bool is_gain = !options.over.empty() && c % 3 == 0;
    if (is_gain) {
      for (double& value : values) value = 20 * std::log10(value);
    }
    std::string label = options.is_density     ? "Density"
                        : options.over.empty() ? "Amplitude"
                        : c % 3 == 1           ? "Phase"
                                               : "Coherence";
    if (!column.unit.empty()) label += " [" + column.unit + "]";
    picture.PanelWith(is_gain ? GainLabel(column.unit) : label, options.is_density)
        .series.push_back({column.name, std::move(values)});
  }
  SaveFile(options.plot, RunGnuplot(AxisPictureScript(picture, format)));
}

}  // namespace

int RunSpectrum(const SpectrumOptions& options, std::ostream& out, std::ostream& err) {
  AnalysisInput faults;
  const std::optional<ResultTable> table = LoadResult(options.result, faults.diagnostics());
  const SpectrumInput input = ReadSpectrumOptions(options, table ? &*table : nullptr, faults);
  EvenSamples samples;
  if (table && !faults.diagnostics().has_errors()) {
    std::vector<const std::vector<double>*> columns;
    columns.reserve(input.signals.size() + 1);
    for (const std::size_t column : input.signals) columns.push_back(&table->columns[column]);
    if (input.over) columns.push_back(&table->columns[*input.over]);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    samples = MakeEvenSamples(table->time, columns, input.begin.value_or(-kInfinity),
                              input.end.value_or(kInfinity));
    if (samples.size() < kFewestPoints) {
      faults.Fail("RESULT", fmt::format("there are {} points in the span; a spectrum needs at least {}",
                                        samples.given, kFewestPoints));
    } else if (input.segment) {
      const double points = *input.segment / samples.dt;
      if (points < kFewestPoints || points > static_cast<double>(samples.size())) {
        faults.Fail("--segment",
                    fmt::format("{} s is not within {:.6g} s, {} points, and {:.6g} s, the whole span",
                                *input.segment, kFewestPoints * samples.dt, kFewestPoints,
                                static_cast<double>(samples.size()) * samples.dt));
      }
    }
  }
  if (!faults.IsGood(err)) return kWrongInput;
  if (samples.is_resampled) {
    err << fmt::format(
        "warning: the time points are not even: {} points are resampled to {}, {:.6g} s apart, linear "
        "between "
        "them; record with an interval for a better spectrum\n",
        samples.given, samples.size(), samples.dt);
  }
  const SpectrumTable spectrum = Compute(options, input, *table, samples);
  out << fmt::format("{} points, {:.6g} s apart, window {}; lines up to {:.6g} Hz, {:.6g} Hz apart\n",
                     samples.size(), samples.dt, options.window, spectrum.frequencies.back(),
                     spectrum.frequencies[1]);
  PrintLines(spectrum, input.over.has_value(), out);
  try {
    if (!options.table.empty()) {
      SaveTable(spectrum, options.table);
      out << options.table.string() << ": " << spectrum.frequencies.size() << " lines\n";
    }
    if (input.plot) {
      DrawSpectrum(spectrum, options, *input.plot);
      out << options.plot.string() << ": the spectrum\n";
    }
  } catch (const std::exception& failure) {
    err << "error: " << Explain(failure) << '\n';
    return kRunFailed;
  }
  return kDone;
}

void AddSpectrumCommand(CLI::App& command, CommandContext& context) {
  const auto options = std::make_shared<SpectrumOptions>();
  command.add_option("RESULT", options->result, "Result file (.csv, .mat or .h5)")->required();
  command.add_option("SIGNAL", options->signals, "Signals (paths)")->required();
  command
      .add_option("--over", options->over,
                  "Transfer function and coherence from this signal to each SIGNAL (Welch's method)")
      ->type_name("PATH");
  command.add_flag("--density", options->is_density,
                   "Spectral density by Welch's method instead of amplitudes");
  command.add_option("--window", options->window, "rectangular, hann, hamming, blackman or flattop")
      ->capture_default_str()
      ->type_name("NAME");
  command.add_option("--segment", options->segment, "Duration of the segments of Welch's method")
      ->type_name("T");
  command.add_option("--overlap", options->overlap, "Overlap of the segments in %")
      ->capture_default_str()
      ->type_name("PERCENT");
  command.add_option("--begin", options->begin, "Ignores values before this time")->type_name("T");
  command.add_option("--end", options->end, "Ignores values after this time")->type_name("T");
  command.add_option("-o,--output", options->table, "Table of all spectral lines, in SI (.csv)")
      ->type_name("FILE");
  command.add_option("--plot", options->plot, "Draws the spectrum (.svg or .png)")->type_name("FILE");
  command.callback(
      [&context, options] { context.exit_code = RunSpectrum(*options, context.out, context.err); });
}

}  // namespace davit
