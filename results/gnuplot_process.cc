#include "results/gnuplot_process.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <utility>

#include "results/program.h"

namespace davit {
namespace {

/// gnuplot repeats the faulty line, points at it, and then says what is wrong.
std::string_view LastLine(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

std::string RunGnuplot(std::string_view script) {
  // -d: without the settings of the user.
  std::optional<ProgramResult> gnuplot = RunProgram("gnuplot", {"-d", "/dev/stdin"}, script);
  if (!gnuplot) {
    throw std::runtime_error(
        "the program gnuplot, which draws the curves, is not installed; install it (Debian: apt install "
        "gnuplot-nox)");
  }
  if (gnuplot->exit_code != 0 || gnuplot->output.empty()) {
    throw std::runtime_error(
        fmt::format("gnuplot could not draw the curves: {}; davit needs gnuplot 5.2 or newer "
                    "with the terminals svg and pngcairo (Debian: apt install gnuplot-nox)",
                    LastLine(gnuplot->messages)));
  }
  return std::move(gnuplot->output);
}

}  // namespace davit
