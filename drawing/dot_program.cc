#include "drawing/dot_program.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "results/program.h"

namespace davit {

std::string DrawWithDot(std::string_view graph, const std::string& format) {
  std::vector<std::string> options{"-T" + format};
  if (format == "png") options.emplace_back("-Gdpi=130");  // small letters of bitmaps stay readable
  std::optional<ProgramResult> dot = RunProgram("dot", options, graph);
  if (!dot) {
    throw std::runtime_error(
        "the program dot of Graphviz, which draws the system, is not installed; install it "
        "(Debian: apt install graphviz), or write the graph alone with -o FILE.dot");
  }
  if (dot->exit_code != 0 || dot->output.empty()) {
    throw std::runtime_error(
        fmt::format("dot of Graphviz could not draw the system: {}; write the graph alone with "
                    "-o FILE.dot to look at it",
                    dot->messages.substr(0, dot->messages.find('\n'))));
  }
  return std::move(dot->output);
}

}  // namespace davit
