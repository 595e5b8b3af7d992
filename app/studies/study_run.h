#pragma once

#include <iosfwd>

#include "analysis/studies/study.h"

namespace CLI {
class App;
}

namespace davit {

/// The options of a study as those of a command; `study` outlives it.
void AddStudyOptions(CLI::App& command, Study& study);

/// Checks a study, runs it with a line that shows how far it is, and reports what it has found. Ctrl-C gives
/// up the cases that run. Returns 0 where it has found what it is to find, 1 where it has not, or a file
/// could not be written, 2 for wrong input.
int RunStudy(Study& study, bool is_quiet, const Registry& registry, std::ostream& out, std::ostream& err);

}  // namespace davit
